"""The append-only log, leases, effect journal, artifacts and the store-backed bus."""

from envwright.events.extras import require

require("store", "sqlalchemy")

from envwright.store.artifacts import FolderArtifacts, FsspecArtifacts, open_artifacts
from envwright.store.bus import StoreBus
from envwright.store.chains import Divergence
from envwright.store.database import Database
from envwright.store.home import Store, open_store
from envwright.store.journal import LogJournal
from envwright.store.leases import SqliteLeases
from envwright.store.log import SqliteLog
from envwright.store.projections import Projection, Projector
from envwright.store.replay import Replayed, StateReplay
from envwright.store.run_list import RunList

__all__ = [
    "Database",
    "Divergence",
    "FolderArtifacts",
    "FsspecArtifacts",
    "LogJournal",
    "Projection",
    "Projector",
    "Replayed",
    "RunList",
    "SqliteLeases",
    "SqliteLog",
    "StateReplay",
    "Store",
    "StoreBus",
    "open_artifacts",
    "open_store",
]
