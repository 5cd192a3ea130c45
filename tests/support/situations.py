"""Situations to evaluate one expression in: tables, variables and arguments, without a world."""

from typing import Any

import pytest
from pydantic import TypeAdapter

from envwright.events import normalise
from envwright.sandbox.worlds import (
    Circumstances,
    Expr,
    Frame,
    Limits,
    Refusal,
    Transaction,
    evaluate,
)
from envwright.sandbox.worlds.rows import BaseTable, Table

EXPR: TypeAdapter[Any] = TypeAdapter(Expr)
CLOCK = "2024-05-15T15:00:00Z"

TABLES: dict[str, Any] = {
    "orders": {
        "#1": {"user": "ada", "total": 25, "items": [{"id": "x", "price": 10.5}]},
        "#2": {"user": "bo", "total": 30, "items": []},
        "#3": {"user": "ada", "total": 7, "items": [{"id": "y", "price": 1}]},
    },
    "users": {"ada": {"cards": {"c1": {"balance": 5}}}, "7": {"cards": {}}},
}


def transaction(limits: dict[str, int] | None = None, counters: Any = None) -> Transaction:
    """Return a transaction on the tables above."""
    tables = {name: Table(BaseTable(rows)) for name, rows in TABLES.items()}
    circumstances = Circumstances(clock=CLOCK, counters=counters or {})
    return Transaction(tables, circumstances, Limits.model_validate(limits or {}))


def evaluated(
    expr: Any, names: Any = None, limits: dict[str, int] | None = None, **arguments: Any
) -> Any:
    """Return the value of an expression, with variables and arguments."""
    frame = Frame(normalise(arguments), transaction(limits), names=normalise(names or {}))
    return evaluate(EXPR.validate_python(normalise(expr)), frame)


def refusal(expr: Any, names: Any = None, **arguments: Any) -> str:
    """Return the error text of an expression that cannot be evaluated."""
    with pytest.raises(Refusal) as caught:
        evaluated(expr, names, **arguments)
    assert str(caught.value).startswith("Error: ")
    return str(caught.value)
