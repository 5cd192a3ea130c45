"""The append-only log, leases, effect journal, artifacts and the store-backed bus."""

from envwright.events.extras import require

require("store", "sqlalchemy")

from envwright.store.artifacts import FolderArtifacts, FsspecArtifacts, open_artifacts
from envwright.store.bus import StoreBus
from envwright.store.chains import Divergence
from envwright.store.database import Database
from envwright.store.home import Store, open_store
from envwright.store.journal import LogJournal
from envwright.store.kept_read_models import KeptReadModels
from envwright.store.leases import StoreLeases
from envwright.store.log import StoreLog
from envwright.store.projections import Projection, Projector
from envwright.store.readmodels import READ_MODELS
from envwright.store.relay import Relay
from envwright.store.replay import Replayed, StateReplay

__all__ = [
    "READ_MODELS",
    "Database",
    "Divergence",
    "FolderArtifacts",
    "FsspecArtifacts",
    "KeptReadModels",
    "LogJournal",
    "Projection",
    "Projector",
    "Relay",
    "Replayed",
    "StateReplay",
    "Store",
    "StoreBus",
    "StoreLeases",
    "StoreLog",
    "open_artifacts",
    "open_store",
]
