"""Short hand for what a log shows of a write, in tests of induction."""

from typing import Any

from envwright.recipes.toolspace.induction.samples import Sample
from envwright.recipes.toolspace.mining.entities import Entity
from envwright.recipes.toolspace.mining.tables import Table

Row = dict[str, Any]


def sample(
    number: int, before: Row | None, after: Row | None, value: Any = None, **args: Any
) -> Sample:
    """The call of a task on the row of its own number."""
    key = f"o{number}"
    return Sample(f"task-{number}", {"order_id": key, **args}, key, before, after, value)


def changes(count: int, change: Any, start: Any = lambda n: {}, **given: Any) -> list[Sample]:
    """Samples in which `change(row, args)` was done to `start(n)`; `given` are functions of n."""
    found = []
    for number in range(count):
        args = {name: value(number) for name, value in given.items()}
        before = {"order_id": f"o{number}", "status": "open", **start(number)}
        after = {**before, **change(before, args)}
        found.append(sample(number, before, after, after, **args))
    return found


def table(rows: dict[str, Row], argument: str = "order_id", name: str = "orders") -> Table:
    """A table of these rows."""
    fields = frozenset(next(iter(rows.values())))
    tools = {"ns.get_order": argument}
    entity = Entity("ns", argument, argument, fields, tools, name)
    return Table(entity, "ns.get_order", rows)
