"""The effect journal on the logs of both engines."""

from support.postgres_adapters import OnPostgres
from support.store_adapters import OnSqlite
from support.store_conformance_journal import JournalConformance


class TestLogJournal(OnSqlite, JournalConformance):
    pass


class TestJournalOnPostgres(OnPostgres, TestLogJournal):
    pass
