"""The embedded home: one folder with everything that a laptop needs to run and to prove a run."""

import json
from dataclasses import dataclass
from pathlib import Path

from envwright.events import Json
from envwright.events.ports import ArtifactStore
from envwright.store.artifacts import open_artifacts
from envwright.store.bus import StoreBus
from envwright.store.database import Database
from envwright.store.journal import LogJournal
from envwright.store.leases import SqliteLeases
from envwright.store.log import SqliteLog
from envwright.store.projections import Projector
from envwright.store.replay import Replayed, StateReplay
from envwright.store.run_list import RunList


@dataclass(frozen=True)
class Store:
    """The adapters of one home, opened together.

    ```
    <home>/
    ├── log.sqlite        events, payloads, inbox, leases, cursors, projections
    ├── log.sqlite-wal    what was committed and not moved into log.sqlite yet; -shm beside it
    ├── log.lock          held by the process that is committing
    └── artifacts/        content-addressed bytes, see FolderArtifacts
    ```
    """

    home: Path
    database: Database
    artifacts: ArtifactStore
    log: SqliteLog
    leases: SqliteLeases
    journal: LogJournal
    bus: StoreBus

    def replay(self, run_id: str | None = None) -> Replayed:
        """Replay the state of the log, or of one run, from position 0."""
        return StateReplay(self.database, self.log, self.artifacts, [RunList()]).replay(run_id)

    def runs(self) -> list[dict[str, Json]]:
        """Return what there is to say about each run, in the order in which they were asked for."""
        projector = Projector(self.log, RunList())
        projector.catch_up()
        rows = [json.loads(value) for _, value in projector.rows()]
        return sorted(rows, key=lambda row: row["position"])

    def close(self) -> None:
        """Commit what was submitted and release files and connections."""
        self.log.close()


def open_store(home: Path, *, artifacts: str | Path | None = None) -> Store:
    """Open the home, making it where it is missing; `artifacts` may stand elsewhere.

    Raises:
        InfrastructureError: the folder cannot be read or written.
        BadInputError: the folder holds a database of something else.
        UnknownSchemaError: a newer version of Envwright made it.
    """
    database = Database(home / "log.sqlite")
    kept = open_artifacts(artifacts if artifacts is not None else home / "artifacts")
    log = SqliteLog(database, kept)
    leases = SqliteLeases(database, log)
    return Store(
        home=home,
        database=database,
        artifacts=kept,
        log=log,
        leases=leases,
        journal=LogJournal(log),
        bus=StoreBus(database, log, leases),
    )
