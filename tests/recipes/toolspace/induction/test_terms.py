"""Terms: walks keep to what was seen to work."""

from envwright.recipes.toolspace.induction.arguments import Domain
from envwright.recipes.toolspace.induction.terms import Seen, Terms, Unlike, mine_terms
from envwright.sandbox.worlds import FieldOf
from support.samples import changes, table

FREE = {"state": Domain(kind="free")}


def mined(samples, rows=None, values=(), domains=None):
    rows = rows or {s.key: s.before for s in samples}
    return mine_terms(values, samples, table(rows), domains or {})


def test_the_lengths_of_lists_that_are_looked_into_are_kept():
    samples = changes(4, lambda row, args: {}, start=lambda n: {"paid": [1] * (n % 2 + 1)})
    found = mined(samples, values=[FieldOf(path=("paid", 0))])
    assert found.lengths == {"paid": (1, 2)}
    assert found.admit_row({"paid": [5]})
    assert not found.admit_row({"paid": [1, 2, 3]})
    assert not found.admit_row({})


def test_a_category_with_few_values_is_held_to_those_seen():
    samples = changes(4, lambda row, args: {})
    rows = {f"o{n}": {"order_id": f"o{n}", "status": ("open", "done")[n % 2]} for n in range(12)}
    found = mined(samples, rows)
    assert found.seen == (Seen(path=("status",), within=("open",)),)
    assert found.admit_row({"status": "open"})
    assert not found.admit_row({"status": "done"})


def test_a_category_with_many_values_is_not_held_to_a_few_samples():
    samples = changes(3, lambda row, args: {}, start=lambda n: {"kind": f"k{n}"})
    rows = {
        f"o{n}": {"order_id": f"o{n}", "status": "open", "kind": f"k{n % 6}"} for n in range(24)
    }
    assert mined(samples, rows).seen == ()


def test_an_argument_that_never_was_what_is_there_stays_unlike_it():
    samples = changes(
        8,
        lambda row, args: {"state": args["state"]},
        start=lambda n: {"state": "ab"[n % 2]},
        state=lambda n: "ba"[n % 2],
    )
    found = mined(samples, domains=FREE)
    assert found.unlike == (Unlike(argument="state", path=("state",)),)
    assert found.admit_argument({"state": "a"}, "state", "b")
    assert not found.admit_argument({"state": "a"}, "state", "a")


def test_an_argument_that_could_never_have_been_equal_is_free():
    samples = changes(
        8, lambda row, args: {}, start=lambda n: {"state": f"old{n}"}, state=lambda n: f"new{n}"
    )
    assert mined(samples, domains=FREE).unlike == ()


def test_no_terms_admit_everything():
    assert Terms().admit_row({})
    assert Terms().admit_argument({}, "a", 1)
