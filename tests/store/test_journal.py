"""The effect journal on a SQLite log."""

from support.store_adapters import OnSqlite
from support.store_conformance_journal import JournalConformance


class TestLogJournal(OnSqlite, JournalConformance):
    pass
