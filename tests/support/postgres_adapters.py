"""The adapters of a database on a real PostgreSQL server, for the conformance suites."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from envwright.store import Store, open_store


class PostgresAdapters:
    """The adapters of one process on a database."""

    def __init__(self, url: str, artifacts: Path) -> None:
        self.url, self.folder = url, artifacts
        self.store: Store = open_store(url, artifacts=artifacts)
        self.log, self.leases = self.store.log, self.store.leases
        self.journal, self.artifacts = self.store.journal, self.store.artifacts
        self.bus = self.store.bus
        self._others: list[PostgresAdapters] = []

    def again(self) -> "PostgresAdapters":
        other = PostgresAdapters(self.url, self.folder)
        other.store.database.clock_offset = self.store.database.clock_offset
        self._others.append(other)
        return other

    def pass_time(self, seconds: float) -> None:
        for each in (self, *self._others):
            each.store.database.clock_offset += seconds

    def close(self) -> None:
        for each in (*self._others, self):
            each.store.close()


@pytest.mark.postgres
class OnPostgres:
    """Runs the suite that it is mixed into on a database of its own."""

    @pytest.fixture
    def adapters(self, postgres_url: str, tmp_path: Path) -> Iterator[PostgresAdapters]:
        adapters = PostgresAdapters(postgres_url, tmp_path / "artifacts")
        yield adapters
        adapters.close()
