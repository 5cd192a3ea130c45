"""Ports: the contracts between agents and what holds them up; adapters live elsewhere."""

from envwright.events.ports.artifacts import ArtifactStore
from envwright.events.ports.bus import Bus, Delivery, Subscription
from envwright.events.ports.effects import EffectCall, Journal, RecordedWork, WorkJournal
from envwright.events.ports.leases import Claim, Leases, LeaseState, Work
from envwright.events.ports.log import (
    Append,
    Commit,
    Committed,
    CursorMove,
    Fence,
    InboxEntry,
    Log,
    ProjectionWrite,
)
from envwright.events.ports.publisher import Message, Published, Publisher
from envwright.events.ports.read_models import Following, Parked, ProjectionState, ReadModels
from envwright.events.ports.session import Session

__all__ = [
    "Append",
    "ArtifactStore",
    "Bus",
    "Claim",
    "Commit",
    "Committed",
    "CursorMove",
    "Delivery",
    "EffectCall",
    "Fence",
    "Following",
    "InboxEntry",
    "Journal",
    "LeaseState",
    "Leases",
    "Log",
    "Message",
    "Parked",
    "ProjectionState",
    "ProjectionWrite",
    "Published",
    "Publisher",
    "ReadModels",
    "RecordedWork",
    "Session",
    "Subscription",
    "Work",
    "WorkJournal",
]
