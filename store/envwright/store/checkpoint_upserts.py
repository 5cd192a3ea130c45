"""Upserts of the graph checkpoints: statements that engines agree on and SQLAlchemy does not."""

from collections.abc import Callable
from typing import Any

from sqlalchemy import Table
from sqlalchemy.dialects import postgresql, sqlite

from envwright.store.checkpoint_rows import CHANNELS, CHECKPOINTS, WRITES


def replacing(insert: Any) -> Any:
    """Let an insert replace the row that has its key."""
    key = [column.name for column in insert.table.primary_key]
    rest = {
        column.name: insert.excluded[column.name]
        for column in insert.table.c
        if not column.primary_key
    }
    return insert.on_conflict_do_update(index_elements=key, set_=rest)


class Upserts:
    """The statements of one engine."""

    def __init__(self, insert: Callable[[Table], Any]) -> None:
        self.insert = insert
        self.checkpoint = replacing(insert(CHECKPOINTS))
        self.channel = replacing(insert(CHANNELS))
        self.write = replacing(insert(WRITES))
        self.first_write = insert(WRITES).on_conflict_do_nothing()


UPSERTS = {"sqlite": Upserts(sqlite.insert), "postgresql": Upserts(postgresql.insert)}
