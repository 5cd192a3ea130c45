"""The tables of a log: events and payloads that only grow, and the mutable tables beside them."""

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
)

SCHEMA_VERSION = 1
"""Kept in the database; a newer one is refused, never guessed at."""

APPLICATION_ID = 0x456E7677
"""Marks a SQLite file as an Envwright log ("Envw")."""

METADATA = MetaData()

# SQLite makes only INTEGER PRIMARY KEY the row id itself; every other engine needs 64 bits named.
_Position = BigInteger().with_variant(Integer, "sqlite")

log_head = Table(
    "log_head",
    METADATA,
    Column("id", Integer, CheckConstraint("id = 1"), primary_key=True),
    Column("position", _Position, nullable=False),
)
"""One row: the position of the last event. Taken last in a commit, so positions have no gaps."""

events = Table(
    "events",
    METADATA,
    Column("position", _Position, primary_key=True, autoincrement=False),
    Column("id", Text, nullable=False, unique=True),
    Column("stream", Text, nullable=False),
    Column("sequence", _Position, nullable=False),
    Column("idempotency_key", Text, nullable=False, unique=True),
    Column("type", Text, nullable=False),
    Column("run_id", Text, nullable=False),
    Column("correlation_id", Text, nullable=False),
    Column("header", LargeBinary, nullable=False),
    Column("payload_hash", Text, nullable=False),
    Column("previous_hash", Text, nullable=False),
    Column("hash", Text, nullable=False),
    Column("recorded_at", Text, nullable=False),
    UniqueConstraint("stream", "sequence"),
    Index("events_by_run", "run_id", "position"),
    Index("events_by_type", "type", "position"),
)
"""Headers exactly as they were hashed; the columns before `header` repeat what queries need."""

payloads = Table(
    "payloads",
    METADATA,
    Column(
        "position", _Position, ForeignKey("events.position"), primary_key=True, autoincrement=False
    ),
    Column("body", LargeBinary, nullable=False),
)
"""Payload bytes exactly as they were hashed."""

inbox = Table(
    "inbox",
    METADATA,
    Column("number", _Position, primary_key=True),
    Column("group_name", Text, nullable=False),
    Column("event_id", Text, nullable=False),
    Column("work", Text, nullable=False),
    Column("basis", Text, nullable=False),
    UniqueConstraint("group_name", "event_id"),
    Index("inbox_by_group", "group_name", "number"),
)
"""Causes that a group has handled, numbered in commit order, with what the handler had read."""

leases = Table(
    "leases",
    METADATA,
    Column("work", Text, primary_key=True),
    Column("group_name", Text, nullable=False),
    Column("cause", Text, nullable=False),
    Column("stream", Text, nullable=False),
    Column("position", _Position, nullable=False),
    Column("run_id", Text, nullable=False),
    Column("correlation_id", Text, nullable=False),
    Column("scope", Text),
    Column("state", Text, nullable=False),
    Column("holder", Text, nullable=False),
    Column("token", _Position, nullable=False),
    Column("try_number", Integer, nullable=False),
    Column("failures", Integer, nullable=False),
    Column("expires_at", Float, nullable=False),
    Column("available_at", Float, nullable=False),
    Column("reason", Text, nullable=False),
    Index("leases_by_group", "group_name", "state"),
    Index("leases_by_state", "state", "expires_at"),
    Index("leases_by_run", "run_id", "state"),
    Index("leases_by_scope", "scope", "state"),
)
"""Who works on what, on the database's clock; `reason` says why the next claim is made."""

cursors = Table(
    "cursors",
    METADATA,
    Column("name", Text, primary_key=True),
    Column("position", _Position, nullable=False),
)

projections = Table(
    "projections",
    METADATA,
    Column("projection", Text, primary_key=True),
    Column("key", Text, primary_key=True),
    Column("value", LargeBinary, nullable=False),
    sqlite_with_rowid=False,
)

_APPEND_ONLY = ("events", "payloads", "inbox")


def sqlite_triggers() -> list[str]:
    """Return the triggers that make the recorded tables append-only and positions contiguous."""
    refusals = [
        f"CREATE TRIGGER {table}_refuse_{verb.lower()} BEFORE {verb} ON {table}"
        f" BEGIN SELECT RAISE(ABORT, '{table} are append-only'); END"
        for table in _APPEND_ONLY
        for verb in ("UPDATE", "DELETE")
    ]
    # Also stops INSERT OR REPLACE of a recorded position, which fires no DELETE trigger.
    contiguous = (
        "CREATE TRIGGER events_contiguous BEFORE INSERT ON events"
        " WHEN NEW.position <> 1 + COALESCE((SELECT MAX(position) FROM events), 0)"
        " BEGIN SELECT RAISE(ABORT, 'positions are contiguous'); END"
    )
    return [*refusals, contiguous]
