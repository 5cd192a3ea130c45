"""Commits on SQLite."""

from support.store_adapters import OnSqlite
from support.store_conformance_commit import CommitConformance


class TestSqliteCommits(OnSqlite, CommitConformance):
    pass
