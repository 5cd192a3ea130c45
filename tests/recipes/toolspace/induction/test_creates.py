"""Creates: rows whose every field is given, constant, or the key."""

import pytest

from envwright.recipes.toolspace.induction.creates import fit_create
from envwright.recipes.toolspace.induction.phrasing import MisfitError
from envwright.sandbox.worlds import Argument, Const, RowAfter
from support.samples import sample


def created(count=5, **fields):
    found = []
    for n in range(count):
        row = {name: make(n) for name, make in fields.items()}
        found.append(sample(n, None, row, row, subject=f"s{n}"))
    return found


def test_fields_are_arguments_constants_and_the_key():
    samples = created(id=lambda n: f"o{n}", subject=lambda n: f"s{n}", status=lambda n: "open")
    program = fit_create(samples, "orders", "order_id", "Error: taken")
    assert program.table == "orders"
    assert program.key == Argument(path=("order_id",))
    assert program.exists == "Error: taken"
    assert program.returns == RowAfter()
    fields = program.row.fields
    assert fields["subject"] == Argument(path=("subject",))
    assert fields["status"] == Const(value="open")


def test_a_field_that_the_service_made_up_is_named():
    with pytest.raises(MisfitError, match="nothing explains ticket"):
        fit_create(created(ticket=lambda n: f"T{n * 7919}"), "orders", "order_id", "taken")
