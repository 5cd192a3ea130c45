"""Guards: what rows had in common when a write succeeded, if chance does not explain it."""

from envwright.recipes.toolspace.induction.guards import fit_guards, passes
from envwright.recipes.toolspace.induction.samples import Binding, Evidence, Failure
from envwright.sandbox.worlds import Guard
from support.samples import changes, table


def evidence(count, failures=(), **start):
    samples = changes(count, lambda row, args: {"x": 1}, start=lambda n: start)
    return Evidence(Binding("orders", "order_id"), samples, list(failures))


def orders(*statuses):
    return table({f"o{n}": {"order_id": f"o{n}", "status": s} for n, s in enumerate(statuses)})


def test_a_value_that_all_successes_share_and_the_table_does_not_is_a_guard():
    (guard,) = fit_guards(evidence(8), orders(*["open", "done"] * 10))
    assert (guard.path, guard.within) == (("status",), ("open",))
    assert guard.error == "Error: the status of the order is not open"


def test_too_few_successes_prove_nothing():
    assert fit_guards(evidence(3), orders(*["open", "done"] * 10)) == ()


def test_a_value_that_nearly_all_rows_have_proves_nothing():
    assert fit_guards(evidence(20), orders(*["open"] * 19, "done")) == ()


def test_repeated_calls_on_one_row_prove_nothing_new():
    repeated = evidence(1)
    repeated.samples *= 20
    assert fit_guards(repeated, orders(*["open", "done"] * 10)) == ()


def test_refusals_on_other_rows_make_up_for_few_successes_and_give_the_text():
    row = {"order_id": "o9", "status": "done"}
    refused = [Failure("o9", row, "Error: too late"), Failure("o8", row, "Error: too late")]
    (guard,) = fit_guards(evidence(3, refused), orders(*["open", "done"] * 10))
    assert guard.error == "Error: too late"


def test_a_row_passes_only_with_the_value():
    guards = [Guard(path=("status",), within=("open",), error="no")]
    assert passes(guards, {"status": "open"})
    assert not passes(guards, {"status": "done"})
    assert not passes(guards, {})
    assert not passes([Guard(path=("n",), within=(1,), error="no")], {"n": True})
