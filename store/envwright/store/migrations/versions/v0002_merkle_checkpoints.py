"""Version 2: the signed checkpoints of the Merkle tree over the log."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

_TABLE = "merkle_checkpoints"

_Position = sa.BigInteger().with_variant(sa.Integer, "sqlite")
_Text = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    """Make the table, and the triggers that keep what is signed as it is."""
    op.create_table(
        _TABLE,
        sa.Column("number", _Position, primary_key=True, autoincrement=False),
        sa.Column("home", _Text, nullable=False),
        sa.Column("from_position", _Position, nullable=False),
        sa.Column("to_position", _Position, nullable=False, unique=True),
        sa.Column("root", _Text, nullable=False),
        sa.Column("previous", _Text, nullable=False),
        sa.Column("key_id", _Text, nullable=False),
        sa.Column("signature", _Text, nullable=False),
        sa.Column("frontier", _Text, nullable=False),
    )
    for statement in _GUARDS[op.get_context().dialect.name]:
        op.execute(statement)


_GUARDS = {
    "sqlite": [
        f"CREATE TRIGGER {_TABLE}_refuse_{verb.lower()} BEFORE {verb} ON {_TABLE}"
        f" BEGIN SELECT RAISE(ABORT, '{_TABLE} are append-only'); END"
        for verb in ("UPDATE", "DELETE")
    ],
    "postgresql": [
        f"CREATE TRIGGER {_TABLE}_refuse BEFORE UPDATE OR DELETE OR TRUNCATE ON {_TABLE}"
        " FOR EACH STATEMENT EXECUTE FUNCTION envwright_refuse()",
        f"ALTER TABLE {_TABLE} ENABLE ALWAYS TRIGGER {_TABLE}_refuse",
    ],
}
