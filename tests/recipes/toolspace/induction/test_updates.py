"""Updates: what a write sets and what it adds to."""

import pytest

from envwright.recipes.toolspace.induction.phrasing import MisfitError
from envwright.recipes.toolspace.induction.updates import (
    arguments_in,
    fit_changes,
    used_arguments,
)
from envwright.sandbox.worlds import (
    Argument,
    Assignment,
    ConcatOf,
    Const,
    FieldOf,
    ListOf,
    ObjectOf,
)
from support.samples import changes, sample


def fitted(samples, *free):
    return fit_changes(samples, "order_id", free)


def assigned(*path, value):
    return Assignment(path=path, value=value)


def test_a_changed_field_is_set():
    samples = changes(5, lambda row, args: {"status": "closed"})
    assert fitted(samples).set == (assigned("status", value=Const(value="closed")),)


def test_a_new_field_is_set():
    samples = changes(5, lambda row, args: {"why": args["reason"]}, reason=lambda n: f"r{n}")
    assert fitted(samples).set == (assigned("why", value=Argument(path=("reason",))),)


def test_a_field_of_an_object_is_set_and_the_others_are_left():
    samples = changes(
        5,
        lambda row, args: {"address": {**row["address"], "city": args["city"]}},
        start=lambda n: {"address": {"city": f"old{n}", "zip": f"{n}"}},
        city=lambda n: f"new{n}",
    )
    assert fitted(samples).set == (assigned("address", "city", value=Argument(path=("city",))),)


def test_an_item_is_appended():
    samples = changes(
        6,
        lambda row, args: {"log": [*row["log"], {"kind": "refund", "sum": row["paid"]}]},
        start=lambda n: {"log": ["x"] * (n % 3), "paid": n * 2.5},
    )
    found = fitted(samples)
    item = ObjectOf(fields={"kind": Const(value="refund"), "sum": FieldOf(path=("paid",))})
    assert found.append == (assigned("log", value=item),)
    assert found.set == ()


def test_two_items_are_appended_in_their_order():
    samples = changes(
        6,
        lambda row, args: {"log": [*row["log"], args["note"], "end"]},
        start=lambda n: {"log": [f"x{n}"]},
        note=lambda n: f"n{n}",
    )
    values = [item.value for item in fitted(samples).append]
    assert values == [Argument(path=("note",)), Const(value="end")]


def test_an_argument_that_always_equalled_what_was_there_still_sets_it():
    samples = changes(
        6,
        lambda row, args: {"address": dict(args)},
        start=lambda n: {"address": {"city": f"old{n}", "country": "USA"}},
        city=lambda n: f"new{n}",
        country=lambda n: "USA",
    )
    found = fitted(samples, "city", "country")
    assert assigned("address", "country", value=Argument(path=("country",))) in found.set


def test_an_argument_that_names_another_row_sets_nothing_by_itself():
    samples = changes(
        6,
        lambda row, args: {"status": "closed"},
        start=lambda n: {"user_id": f"u{n}"},
        user_id=lambda n: f"u{n}",
    )
    assert [item.path for item in fitted(samples).set] == [("status",)]


def test_what_nothing_explains_is_named():
    samples = changes(6, lambda row, args: {"total": hash(row["order_id"]) % 97 + 0.5})
    with pytest.raises(MisfitError, match="nothing explains total"):
        fitted(samples)


def test_a_field_that_is_only_sometimes_there_is_named():
    samples = changes(6, lambda row, args: {"extra": 1} if row["order_id"] < "o3" else {})
    with pytest.raises(MisfitError, match="extra is there after some calls only"):
        fitted(samples)


def test_a_list_grows_by_as_many_items_as_were_given():
    def grown(old):
        return changes(
            6,
            lambda row, args: {"log": [*row["log"], *args["notes"]]},
            start=lambda n: {"log": old(n)},
            notes=lambda n: [f"n{n}"] * (n % 3 + 1),
        )

    notes = Argument(path=("notes",))
    # Where every log was empty before, the whole list is a copy: that is what the samples show.
    assert fitted(grown(lambda n: [])).set == (assigned("log", value=notes),)
    longer = ConcatOf(of=ListOf(items=(FieldOf(path=("log",)), notes)))
    assert fitted(grown(lambda n: [f"old{n}"])).set == (assigned("log", value=longer),)


def test_a_write_that_changes_nothing_has_no_changes():
    found = fitted([sample(n, {"a": n}, {"a": n}) for n in range(4)])
    assert found == ((), ())


def test_the_arguments_that_are_used_are_known():
    expr = ListOf(items=(Argument(path=("a", "b")), ObjectOf(fields={"x": Argument(path=("c",))})))
    assert arguments_in(expr) == {"a", "c"}
    samples = changes(5, lambda row, args: {"why": args["reason"]}, reason=lambda n: f"r{n}")
    assert used_arguments(fitted(samples)) == {"reason"}
