"""The store: the adapters of an embedded home, or of a database on a server, opened together."""

from dataclasses import dataclass
from pathlib import Path

from envwright.events.errors import BadInputError
from envwright.events.ports import ArtifactStore
from envwright.store.artifacts import open_artifacts
from envwright.store.bus import StoreBus
from envwright.store.database import Database
from envwright.store.journal import LogJournal
from envwright.store.kept_read_models import KeptReadModels
from envwright.store.leases import StoreLeases
from envwright.store.log import StoreLog
from envwright.store.readmodels import READ_MODELS
from envwright.store.replay import Replayed, StateReplay
from envwright.store.sqlite import SqliteDatabase


@dataclass(frozen=True)
class Store:
    """The adapters of one log, opened together.

    An embedded home is one folder with everything that a laptop needs to run and to prove a run:

    ```
    <home>/
    ├── log.sqlite        events, payloads, inbox, leases, cursors, projections
    ├── log.sqlite-wal    what was committed and not moved into log.sqlite yet; -shm beside it
    ├── log.lock          held by the process that is committing
    └── artifacts/        content-addressed bytes, see FolderArtifacts
    ```
    """

    home: Path | None
    """Folder of an embedded log; None with a log on a server."""
    database: Database
    artifacts: ArtifactStore
    log: StoreLog
    leases: StoreLeases
    journal: LogJournal
    bus: StoreBus

    @property
    def state(self) -> StateReplay:
        """What replays the state of the log."""
        return StateReplay(self.database, self.log, self.artifacts, READ_MODELS)

    def replay(self, run_id: str | None = None) -> Replayed:
        """Replay the state of the log, or of one run, from position 0."""
        return self.state.replay(run_id)

    @property
    def read_models(self) -> KeptReadModels:
        """What commands and a console list."""
        return KeptReadModels(self.log)

    def close(self) -> None:
        """Commit what was submitted and release files and connections."""
        self.log.close()


def open_store(place: Path | str, *, artifacts: str | Path | None = None) -> Store:
    """Open the log of a home, or of a server, making what is missing.

    Args:
        place: folder of the embedded log, or a URL such as postgresql://user@host/database.
        artifacts: folder or fsspec URL; by default a folder in the home.

    Raises:
        InfrastructureError: the folder cannot be read or written, or the server cannot be reached.
        BadInputError: the place holds a database of something else, or the URL, the user or the
            password is wrong.
        UnknownSchemaError: a newer version of Envwright made it.
        MissingExtraError: the driver of the server is not installed.
    """
    home = None if is_server(place) else Path(place)
    if home is None and artifacts is None:
        raise BadInputError(
            "a log on a server keeps no artifacts; say where they are: artifacts=FOLDER or URL"
        )
    database = open_database(place)
    try:
        kept = open_artifacts(artifacts if artifacts is not None else Path(place) / "artifacts")
    except BaseException:
        database.close()
        raise
    log = StoreLog(database, kept)
    leases = StoreLeases(database, log)
    return Store(
        home=home,
        database=database,
        artifacts=kept,
        log=log,
        leases=leases,
        journal=LogJournal(log),
        bus=StoreBus(database, log, leases),
    )


def open_database(place: Path | str) -> Database:
    """Open the database of a home, or of a server; raises what `open_store` does."""
    if not is_server(place):
        return SqliteDatabase(Path(place) / "log.sqlite")
    # Whoever has no server need not have its driver.
    from envwright.store.postgres.database import PostgresDatabase

    return PostgresDatabase(str(place))


def is_server(place: Path | str) -> bool:
    """Say whether a place is the URL of a server and not a folder."""
    return isinstance(place, str) and "://" in place
