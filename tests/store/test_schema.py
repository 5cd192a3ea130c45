"""The schema: what a version of it looks like must not change under its number."""

from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from envwright.events import digest
from envwright.store.schema import METADATA, SCHEMA_VERSION, VERSION_TABLE
from support.store_adapters import OnSqlite, SqliteAdapters


class TestSchema(OnSqlite):
    def test_a_schema_version_is_these_tables_and_triggers(self, adapters: SqliteAdapters):
        query = "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND tbl_name <> ?"
        with adapters.store.database.read() as tx:
            found = tx.raw.execute(f"{query} ORDER BY name", (VERSION_TABLE,)).fetchall()
        statements = [" ".join(sql.split()) for (sql,) in found]
        assert (SCHEMA_VERSION, digest(statements)[:16]) == (2, "73681f09cab509f5")

    def test_the_migrations_make_what_is_declared(self, adapters: SqliteAdapters):
        with adapters.store.database.read() as tx:
            context = MigrationContext.configure(
                tx.connection, opts={"version_table": VERSION_TABLE}
            )
            assert compare_metadata(context, METADATA) == []

    def test_what_is_recorded_is_append_only(self, adapters: SqliteAdapters):
        query = "SELECT name FROM sqlite_schema WHERE type = 'trigger'"
        with adapters.store.database.read() as tx:
            guards = {name for (name,) in tx.raw.execute(query)}
        tables = ("events", "payloads", "inbox", "merkle_checkpoints")
        refusals = {f"{table}_refuse_{verb}" for table in tables for verb in ("update", "delete")}
        assert guards == refusals | {"events_contiguous"}
