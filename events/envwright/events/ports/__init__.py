"""Ports: the contracts between agents and what holds them up; adapters live elsewhere."""

from envwright.events.ports.artifacts import ArtifactStore
from envwright.events.ports.bus import Bus, Delivery, Subscription
from envwright.events.ports.effects import EffectCall, Journal, WorkJournal
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
    "InboxEntry",
    "Journal",
    "LeaseState",
    "Leases",
    "Log",
    "ProjectionWrite",
    "Session",
    "Subscription",
    "Work",
    "WorkJournal",
]
