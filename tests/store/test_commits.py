"""Commits on both engines."""

from support.postgres_adapters import OnPostgres
from support.store_adapters import OnSqlite
from support.store_conformance_commit import CommitConformance


class TestSqliteCommits(OnSqlite, CommitConformance):
    pass


class TestPostgresCommits(OnPostgres, CommitConformance):
    pass
