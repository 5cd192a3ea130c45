"""Witnesses: the item of a list that an error names is what the call was refused for."""

from envwright.events.values import ToolSchema
from envwright.recipes.toolspace.induction.fidelity import open_tables
from envwright.recipes.toolspace.induction.phrasing import phrased, phrased_test
from envwright.recipes.toolspace.induction.procedures import Refused, as_procedure
from envwright.recipes.toolspace.induction.samples import Sample
from envwright.recipes.toolspace.induction.scopes import open_scope
from envwright.recipes.toolspace.induction.witnesses import fit_witness
from envwright.sandbox.worlds import Argument, Assignment, Const, RowAfter, Update

TEXT = "Error: {} is not part of the order"


def row(n):
    return {"order_id": f"o{n}", "items": [{"item_id": f"it-{n}-{k}", "qty": k} for k in range(4)]}


def call(n, *given, text=None):
    args = {"order_id": f"o{n}", "give_back": list(given)}
    return Sample(f"task-{n}", args, f"o{n}", row(n), None, text, {}, text is not None)


GOOD = [call(n, f"it-{n}-0", f"it-{n}-2") for n in range(6)]
BAD = [
    call(10, "it-10-1", "it-99-7", text=TEXT.format("it-99-7")),
    call(11, "it-98-1", "it-97-1", text=TEXT.format("it-98-1")),
    call(12, "it-12-0", "it-12-1", "it-95-3", text=TEXT.format("it-95-3")),
]


def witness(good, bad):
    scope = open_scope([*good, *bad])
    scope.least = 0.05
    return fit_witness(scope, range(len(good), len(good) + len(bad)))


def called(refused, *given):
    update = Update(
        table="orders",
        key=Argument(path=("order_id",)),
        missing="",
        set=(Assignment(path=("status",), value=Const(value="returned")),),
        returns=RowAfter(),
    )
    program = as_procedure(update, "Error: not found", [refused])
    schema = ToolSchema(
        name="return",
        parameters={"type": "object", "properties": {"order_id": {}, "give_back": {}}},
    )
    rows = {"o1": row(1)}
    world = open_tables([schema], {"return": program}, {"orders": rows}, {"orders": "order_id"})
    result = world.call("return", {"order_id": "o1", "give_back": list(given)})
    return result.value if not result.ok else "ok"


def test_the_first_item_that_the_row_does_not_have_is_named_and_refused():
    found = witness(GOOD, BAD)
    refused = Refused(phrased_test(found.test.expr), phrased(found.text), over=phrased(found.over))
    assert called(refused, "it-1-0", "it-1-3") == "ok"
    assert called(refused, "it-1-0", "it-7-3", "it-8-8") == TEXT.format("it-7-3")
    assert found.test.truths == (False,) * 6 + (True,) * 3


def test_an_item_that_is_to_blame_and_not_named_has_no_witness():
    assert witness(GOOD, [call(n, f"it-99-{n}", text="Error: not part") for n in (10, 11)]) is None


def test_what_was_named_though_it_was_right_in_other_calls_is_explained_by_nothing():
    named = [call(n, f"it-{n}-0", text=TEXT.format(f"it-{n}-0")) for n in (10, 11)]
    assert witness(GOOD, named) is None
