"""The schema: what a version of it looks like must not change under its number."""

from envwright.events import digest
from envwright.store.schema import METADATA, SCHEMA_VERSION, sqlite_triggers
from support.store_adapters import OnSqlite, SqliteAdapters


class TestSchema(OnSqlite):
    def test_a_schema_version_is_these_tables_and_triggers(self, adapters: SqliteAdapters):
        query = "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name"
        with adapters.store.database.read() as tx:
            statements = [" ".join(sql.split()) for (sql,) in tx.raw.execute(query)]
        assert (SCHEMA_VERSION, digest(statements)[:16]) == (1, "ad7b10485395db73")

    def test_every_table_is_there(self, adapters: SqliteAdapters):
        query = "SELECT name FROM sqlite_schema WHERE type = 'table'"
        with adapters.store.database.read() as tx:
            assert {name for (name,) in tx.raw.execute(query)} == set(METADATA.tables)


def test_what_is_recorded_is_append_only():
    guards = [trigger.split()[2] for trigger in sqlite_triggers()]
    tables = ("events", "payloads", "inbox")
    refusals = [f"{table}_refuse_{verb}" for table in tables for verb in ("update", "delete")]
    assert guards == [*refusals, "events_contiguous"]
