"""Appending on PostgreSQL: the steps that are worth a way of their own."""

from collections.abc import Sequence

from envwright.store.dialect import POSTGRESQL
from envwright.store.postgres.driver import PostgresDriver, PostgresRows, column_types
from envwright.store.records import Placed
from envwright.store.transaction import Statement

_VALUES = ", ".join(f"?::{kind}" for kind in column_types("events")[1:-1])

# Position and time come from the head row: events of one are inserted in one round trip.
_INSERT_EVENT = f"""
    WITH taken (position, at) AS ({POSTGRESQL.take})
    INSERT INTO events SELECT taken.position, {_VALUES}, taken.at FROM taken RETURNING position
"""
_INSERT_PAYLOAD = "INSERT INTO payloads SELECT position, ?::bytea FROM log_head"


class PostgresAppending:
    """The append path's own ways on PostgreSQL."""

    def together(
        self, raw: PostgresDriver, statements: Sequence[Statement], /
    ) -> list[PostgresRows]:
        """Run statements of which none needs what another gives, in one round trip."""
        return raw.together(statements)

    def append(
        self, raw: PostgresDriver, placed: Sequence[tuple[Placed, bytes]], shift: float, /
    ) -> int:
        """Take positions for events and insert them with their payloads; returns the last one."""
        if len(placed) == 1:
            row, body = placed[0]
            inserted, _ = raw.together(
                [(_INSERT_EVENT, (1, shift, *row)), (_INSERT_PAYLOAD, (body,))]
            )
            (last,) = inserted.fetchall()[0]
            return int(last)
        last, recorded_at = raw.execute(POSTGRESQL.take, (len(placed), shift)).fetchall()[0]
        numbered = list(enumerate(placed, start=last - len(placed) + 1))
        raw.copy("events", [(at, *row, recorded_at) for at, (row, _) in numbered])
        raw.copy("payloads", [(at, body) for at, (_, body) in numbered])
        return int(last)
