"""The tables of a log: events and payloads that only grow, and the mutable tables beside them.

This is what they are like; the migrations make them so, with the triggers that guard them.
"""

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    Float,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
)

SCHEMA_VERSION = 2
"""Kept in the database, and the number of the last migration; a newer one is refused."""

VERSION_TABLE = "envwright_version"
"""Where that number is kept; a name of our own, beside which the tables of others fit."""

APPLICATION_ID = 0x456E7677
"""Marks a SQLite file as an Envwright log ("Envw")."""

METADATA = MetaData()

# SQLite makes only INTEGER PRIMARY KEY the row id itself; every other engine needs 64 bits named.
_Position = BigInteger().with_variant(Integer, "sqlite")
# Ordered by code points, as SQLite orders by itself, whatever the server's locale.
_Text = Text().with_variant(Text(collation="C"), "postgresql")

log_head = Table(
    "log_head",
    METADATA,
    Column("id", Integer, CheckConstraint("id = 1"), primary_key=True, autoincrement=False),
    Column("position", _Position, nullable=False),
)
"""One row: the position of the last event. Taken last in a commit, so positions have no gaps."""

events = Table(
    "events",
    METADATA,
    Column("position", _Position, primary_key=True, autoincrement=False),
    Column("id", _Text, nullable=False, unique=True),
    Column("stream", _Text, nullable=False),
    Column("sequence", _Position, nullable=False),
    Column("idempotency_key", _Text, nullable=False, unique=True),
    Column("type", _Text, nullable=False),
    Column("run_id", _Text, nullable=False),
    Column("correlation_id", _Text, nullable=False),
    Column("header", LargeBinary, nullable=False),
    Column("payload_hash", _Text, nullable=False),
    Column("previous_hash", _Text, nullable=False),
    Column("hash", _Text, nullable=False),
    Column("recorded_at", _Text, nullable=False),
    UniqueConstraint("stream", "sequence"),
    Index("events_by_run", "run_id", "position"),
    Index("events_by_type", "type", "position"),
)
"""Headers exactly as they were hashed; the columns before `header` repeat what queries need."""

payloads = Table(
    "payloads",
    METADATA,
    Column("position", _Position, primary_key=True, autoincrement=False),
    Column("body", LargeBinary, nullable=False),
    # PostgreSQL would look up and lock each event anew; there a trigger checks whole statements.
    ForeignKeyConstraint(["position"], ["events.position"]).ddl_if(dialect="sqlite"),
)
"""Payload bytes exactly as they were hashed."""

inbox = Table(
    "inbox",
    METADATA,
    Column("number", _Position, primary_key=True),
    Column("group_name", _Text, nullable=False),
    Column("event_id", _Text, nullable=False),
    Column("work", _Text, nullable=False),
    Column("basis", _Text, nullable=False),
    UniqueConstraint("group_name", "event_id"),
    Index("inbox_by_group", "group_name", "number"),
)
"""Causes that a group has handled, numbered in commit order, with what the handler had read."""

merkle_checkpoints = Table(
    "merkle_checkpoints",
    METADATA,
    Column("number", _Position, primary_key=True, autoincrement=False),
    Column("home", _Text, nullable=False),
    Column("from_position", _Position, nullable=False),
    Column("to_position", _Position, nullable=False, unique=True),
    Column("root", _Text, nullable=False),
    Column("previous", _Text, nullable=False),
    Column("key_id", _Text, nullable=False),
    Column("signature", _Text, nullable=False),
    Column("frontier", _Text, nullable=False),
)
"""Signed roots of the Merkle tree over all events up to a position; see `sealing`.

`frontier` is a JSON list with the roots of the tree's complete subtrees, from which it grows.
"""

leases = Table(
    "leases",
    METADATA,
    Column("work", _Text, primary_key=True),
    Column("group_name", _Text, nullable=False),
    Column("cause", _Text, nullable=False),
    Column("stream", _Text, nullable=False),
    Column("position", _Position, nullable=False),
    Column("run_id", _Text, nullable=False),
    Column("correlation_id", _Text, nullable=False),
    Column("scope", _Text),
    Column("state", _Text, nullable=False),
    Column("holder", _Text, nullable=False),
    Column("token", _Position, nullable=False),
    Column("try_number", Integer, nullable=False),
    Column("failures", Integer, nullable=False),
    Column("expires_at", Float, nullable=False),
    Column("available_at", Float, nullable=False),
    Column("reason", _Text, nullable=False),
    Index("leases_by_group", "group_name", "state"),
    Index("leases_by_state", "state", "expires_at"),
    Index("leases_by_run", "run_id", "state"),
    Index("leases_by_scope", "scope", "state"),
)
"""Who works on what, on the database's clock; `reason` says why the next claim is made."""

cursors = Table(
    "cursors",
    METADATA,
    Column("name", _Text, primary_key=True),
    Column("position", _Position, nullable=False),
)

projections = Table(
    "projections",
    METADATA,
    Column("projection", _Text, primary_key=True),
    Column("key", _Text, primary_key=True),
    Column("value", LargeBinary, nullable=False),
    sqlite_with_rowid=False,
)
