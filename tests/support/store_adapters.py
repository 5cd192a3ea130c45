"""The adapters that a conformance suite runs on, opened together over one place."""

from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

import pytest

from envwright.events.ports import ArtifactStore, Bus, Journal, Leases, Log
from envwright.store import Store, open_store


class Adapters(Protocol):
    """One process's adapters of every port."""

    log: Log
    leases: Leases
    journal: Journal
    artifacts: ArtifactStore
    bus: Bus

    def again(self) -> "Adapters":
        """Open the same place once more, as another process would."""

    def pass_time(self, seconds: float) -> None:
        """Move the store's clock."""


class SqliteAdapters:
    """The adapters of an embedded home."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.store: Store = open_store(home)
        self.log, self.leases = self.store.log, self.store.leases
        self.journal, self.artifacts = self.store.journal, self.store.artifacts
        self.bus = self.store.bus
        self._others: list[SqliteAdapters] = []

    def again(self) -> "SqliteAdapters":
        other = SqliteAdapters(self.home)
        other.store.database.clock_offset = self.store.database.clock_offset
        self._others.append(other)
        return other

    def pass_time(self, seconds: float) -> None:
        for each in (self, *self._others):
            each.store.database.clock_offset += seconds

    def close(self) -> None:
        for each in (*self._others, self):
            each.store.close()


class OnSqlite:
    """Runs the suite that it is mixed into on an embedded home."""

    @pytest.fixture
    def adapters(self, tmp_path: Path) -> Iterator[SqliteAdapters]:
        adapters = SqliteAdapters(tmp_path / "home")
        yield adapters
        adapters.close()
