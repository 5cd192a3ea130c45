"""Procedures: an update that refuses calls does what it did, and refuses first."""

from envwright.events.values import ToolSchema
from envwright.recipes.toolspace.induction.fidelity import open_tables
from envwright.recipes.toolspace.induction.procedures import Refused, arguments_in, as_procedure
from envwright.sandbox.worlds import (
    Argument,
    Assignment,
    Compare,
    Const,
    FieldOf,
    Guard,
    KeyOf,
    ListOf,
    RowAfter,
    Update,
)

UPDATE = Update(
    table="orders",
    key=Argument(path=("order_id",)),
    missing="",
    guards=(Guard(path=("status",), within=("open",), error="Error: not open"),),
    set=(Assignment(path=("was",), value=ListOf(items=(KeyOf(), FieldOf(path=("status",))))),),
    append=(Assignment(path=("log",), value=Argument(path=("note",))),),
    returns=RowAfter(),
)
EMPTY = Refused(
    Compare(left=Argument(path=("note",)), sign="==", right=Const(value="")),
    Const(value="Error: say something"),
)
PROCEDURE = as_procedure(UPDATE, "Error: not found", [EMPTY])


def called(procedure=PROCEDURE, **arguments):
    schema = ToolSchema(
        name="note",
        parameters={"type": "object", "properties": {"order_id": {}, "note": {}}},
    )
    rows = {"o1": {"status": "open", "log": []}, "o2": {"status": "closed", "log": []}}
    world = open_tables([schema], {"note": procedure}, {"orders": rows}, {"orders": "order_id"})
    result = world.call("note", arguments)
    return result.ok, result.value


def test_it_writes_what_the_update_writes():
    assert called(order_id="o1", note="hi") == (
        True,
        {"status": "open", "log": ["hi"], "was": ["o1", "open"]},
    )


def test_it_refuses_in_the_order_of_missing_rows_guards_and_predicates():
    assert called(order_id="o3", note="") == (False, "Error: not found")
    assert called(order_id="o2", note="") == (False, "Error: not open")
    assert called(order_id="o1", note="") == (False, "Error: say something")


def test_what_needs_no_row_is_refused_before_anybody_looks_for_one():
    early = as_procedure(UPDATE, "Error: not found", [EMPTY._replace(blind=True)])
    assert called(early, order_id="o3", note="") == (False, "Error: say something")
    assert called(early, order_id="o3", note="hi") == (False, "Error: not found")


def test_the_arguments_of_a_program_are_those_of_its_parts():
    assert arguments_in(PROCEDURE) == {"order_id", "note"}
    assert arguments_in(Const(value={"op": "arg", "path": ["x"]})) == set()
