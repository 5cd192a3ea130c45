"""The upserts of graph checkpoints: one row for each key, on both engines."""

import pytest
from sqlalchemy import create_engine, select
from sqlalchemy.dialects import postgresql, sqlite

from envwright.store.checkpoint_rows import SCHEMA, WRITES, CheckpointKey, WriteRow, write_fields
from envwright.store.checkpoint_upserts import UPSERTS

KEY = CheckpointKey("t", "", "1")


def fields(value: bytes) -> dict[str, object]:
    return write_fields(KEY, WriteRow("task", 0, "", "c", ("bytes", value)))


def test_a_write_replaces_and_a_first_write_stays():
    engine = create_engine("sqlite://")
    with engine.begin() as connection:
        SCHEMA.create_all(connection)
        upserts = UPSERTS["sqlite"]
        connection.execute(upserts.first_write, [fields(b"1")])
        connection.execute(upserts.first_write, [fields(b"2")])
        assert connection.scalars(select(WRITES.c.value)).all() == [b"1"]
        connection.execute(upserts.write, [fields(b"3")])
        assert connection.scalars(select(WRITES.c.value)).all() == [b"3"]
    engine.dispose()


@pytest.mark.parametrize("name", ["checkpoint", "channel", "write", "first_write"])
def test_both_engines_are_told_the_same(name):
    dialects = {"sqlite": sqlite.dialect(), "postgresql": postgresql.dialect(paramstyle="qmark")}
    said = {
        engine: str(getattr(UPSERTS[engine], name).compile(dialect=dialect))
        for engine, dialect in dialects.items()
    }
    assert "ON CONFLICT" in said["sqlite"] and "ON CONFLICT" in said["postgresql"]
