"""Keyed changes: the items that arguments name are replaced, and all others stay."""

import pytest

from envwright.recipes.toolspace.induction.phrasing import MisfitError
from envwright.recipes.toolspace.induction.updates import fit_changes
from support.samples import changes

SIZES = ("s", "m", "l")


def resized(pick):
    def change(row, args):
        wanted = dict(zip(args["parts"], args["sizes"], strict=True))
        return {"parts": [{**p, "size": wanted.get(p["part"], p["size"])} for p in row["parts"]]}

    return changes(
        9,
        change,
        start=lambda n: {"parts": [{"part": f"p{n + k}", "size": "xl"} for k in range(3)]},
        parts=lambda n: [f"p{n + k}" for k in pick(n)],
        sizes=lambda n: [SIZES[(n + k) % 3] for k in pick(n)],
    )


def test_named_items_take_what_the_second_list_gives():
    ((path, updated),) = [
        (a.path, a.value)
        for a in fit_changes(resized(lambda n: range(1 + n % 2)), "order_id", ()).set
    ]
    assert (path, updated.op, updated.key) == (("parts",), "updated", ("part",))
    assert [assignment.path for assignment in updated.set] == [("size",)]


def test_items_that_change_without_being_named_are_a_misfit():
    samples = resized(lambda n: range(1 + n % 2))
    for one in samples:
        one.after["parts"] = [{**p, "size": f"{p['size']}{one.key}"} for p in one.after["parts"]]
    with pytest.raises(MisfitError, match="parts"):
        fit_changes(samples, "order_id", ())
