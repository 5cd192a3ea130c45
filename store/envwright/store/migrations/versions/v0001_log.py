"""Version 1: the log, the leases, the cursors and the projections."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

_RECORDED = ("events", "payloads", "inbox")

_Position = sa.BigInteger().with_variant(sa.Integer, "sqlite")
_Text = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    """Make the tables and the triggers that keep what is recorded as it is."""
    _make_log()
    _make_inbox_and_leases()
    op.create_table(
        "cursors",
        sa.Column("name", _Text, primary_key=True),
        sa.Column("position", _Position, nullable=False),
    )
    op.create_table(
        "projections",
        sa.Column("projection", _Text, primary_key=True),
        sa.Column("key", _Text, primary_key=True),
        sa.Column("value", sa.LargeBinary, nullable=False),
        sqlite_with_rowid=False,
    )
    op.execute("INSERT INTO log_head (id, position) VALUES (1, 0)")
    for statement in _GUARDS[op.get_context().dialect.name]:
        op.execute(statement)


def _make_log() -> None:
    op.create_table(
        "log_head",
        sa.Column(
            "id", sa.Integer, sa.CheckConstraint("id = 1"), primary_key=True, autoincrement=False
        ),
        sa.Column("position", _Position, nullable=False),
    )
    op.create_table(
        "events",
        sa.Column("position", _Position, primary_key=True, autoincrement=False),
        sa.Column("id", _Text, nullable=False, unique=True),
        sa.Column("stream", _Text, nullable=False),
        sa.Column("sequence", _Position, nullable=False),
        sa.Column("idempotency_key", _Text, nullable=False, unique=True),
        sa.Column("type", _Text, nullable=False),
        sa.Column("run_id", _Text, nullable=False),
        sa.Column("correlation_id", _Text, nullable=False),
        sa.Column("header", sa.LargeBinary, nullable=False),
        sa.Column("payload_hash", _Text, nullable=False),
        sa.Column("previous_hash", _Text, nullable=False),
        sa.Column("hash", _Text, nullable=False),
        sa.Column("recorded_at", _Text, nullable=False),
        sa.UniqueConstraint("stream", "sequence"),
        sa.Index("events_by_run", "run_id", "position"),
        sa.Index("events_by_type", "type", "position"),
    )
    op.create_table(
        "payloads",
        sa.Column("position", _Position, primary_key=True, autoincrement=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sa.ForeignKeyConstraint(["position"], ["events.position"]).ddl_if(dialect="sqlite"),
    )


def _make_inbox_and_leases() -> None:
    op.create_table(
        "inbox",
        sa.Column("number", _Position, primary_key=True),
        sa.Column("group_name", _Text, nullable=False),
        sa.Column("event_id", _Text, nullable=False),
        sa.Column("work", _Text, nullable=False),
        sa.Column("basis", _Text, nullable=False),
        sa.UniqueConstraint("group_name", "event_id"),
        sa.Index("inbox_by_group", "group_name", "number"),
    )
    op.create_table(
        "leases",
        sa.Column("work", _Text, primary_key=True),
        sa.Column("group_name", _Text, nullable=False),
        sa.Column("cause", _Text, nullable=False),
        sa.Column("stream", _Text, nullable=False),
        sa.Column("position", _Position, nullable=False),
        sa.Column("run_id", _Text, nullable=False),
        sa.Column("correlation_id", _Text, nullable=False),
        sa.Column("scope", _Text),
        sa.Column("state", _Text, nullable=False),
        sa.Column("holder", _Text, nullable=False),
        sa.Column("token", _Position, nullable=False),
        sa.Column("try_number", sa.Integer, nullable=False),
        sa.Column("failures", sa.Integer, nullable=False),
        sa.Column("expires_at", sa.Float, nullable=False),
        sa.Column("available_at", sa.Float, nullable=False),
        sa.Column("reason", _Text, nullable=False),
        sa.Index("leases_by_group", "group_name", "state"),
        sa.Index("leases_by_state", "state", "expires_at"),
        sa.Index("leases_by_run", "run_id", "state"),
        sa.Index("leases_by_scope", "scope", "state"),
    )


def _sqlite_guards() -> list[str]:
    refusals = [
        f"CREATE TRIGGER {table}_refuse_{verb.lower()} BEFORE {verb} ON {table}"
        f" BEGIN SELECT RAISE(ABORT, '{table} are append-only'); END"
        for table in _RECORDED
        for verb in ("UPDATE", "DELETE")
    ]
    # Also stops INSERT OR REPLACE of a recorded position, which fires no DELETE trigger.
    contiguous = (
        "CREATE TRIGGER events_contiguous BEFORE INSERT ON events"
        " WHEN NEW.position <> 1 + COALESCE((SELECT MAX(position) FROM events), 0)"
        " BEGIN SELECT RAISE(ABORT, 'positions are contiguous'); END"
    )
    return [*refusals, contiguous]


_REFUSE = """
    CREATE FUNCTION envwright_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        RAISE EXCEPTION '% are append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
    END $$
"""
_CONTIGUOUS = """
    CREATE FUNCTION envwright_contiguous() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        lowest bigint; highest bigint; number bigint;
    BEGIN
        SELECT min(position), max(position), count(*) INTO lowest, highest, number FROM added;
        IF number > 0 AND (
            highest - lowest + 1 <> number
            OR lowest <> 1 + COALESCE((SELECT max(position) FROM events WHERE position < lowest), 0)
            OR highest <> (SELECT max(position) FROM events)
        ) THEN
            RAISE EXCEPTION 'positions are contiguous' USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NULL;
    END $$
"""
_OF_EVENT = """
    CREATE FUNCTION envwright_of_event() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF EXISTS (SELECT FROM added LEFT JOIN events USING (position) WHERE events.id IS NULL) THEN
            RAISE EXCEPTION 'a payload is that of an event'
            USING ERRCODE = 'foreign_key_violation';
        END IF;
        RETURN NULL;
    END $$
"""


def _postgresql_guards() -> list[str]:
    checked = {"events": ("contiguous", _CONTIGUOUS), "payloads": ("of_event", _OF_EVENT)}
    guards = [_REFUSE]
    for table in _RECORDED:
        # A session that plays a replica skips what is not ALWAYS.
        guards += [
            f"CREATE TRIGGER {table}_refuse BEFORE UPDATE OR DELETE OR TRUNCATE ON {table}"
            " FOR EACH STATEMENT EXECUTE FUNCTION envwright_refuse()",
            f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER {table}_refuse",
        ]
    for table, (name, function) in checked.items():
        guards += [
            function,
            f"CREATE TRIGGER {table}_{name} AFTER INSERT ON {table} REFERENCING NEW TABLE AS added"
            f" FOR EACH STATEMENT EXECUTE FUNCTION envwright_{name}()",
            f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER {table}_{name}",
        ]
    return guards


_GUARDS = {"sqlite": _sqlite_guards(), "postgresql": _postgresql_guards()}
