"""Actors: who wrote what, and whether each event was written by the one role that may write it."""

from collections import Counter
from dataclasses import dataclass, field

from envwright.agents.audit.findings import Check
from envwright.events import ROLES, WRITERS, Envelope
from envwright.events.canonical import Json

MACHINERY = ("operator", "system")
"""Who writes what no agent may: a person, and the machinery itself."""

_ORDERED_BY_A_PERSON = ("trial.opened", "attempt.requested")
"""What a person may order outside of admission."""

_NAMES = 50
"""Processes and versions of a role that are named."""


@dataclass
class _Deeds:
    events: int = 0
    types: Counter[str] = field(default_factory=Counter)
    instances: set[str] = field(default_factory=set)
    versions: set[str] = field(default_factory=set)


@dataclass
class Actors:
    """Checks writers, and counts what each did.

    No role has two crafts: who builds neither tests, reviews, attempts nor judges. So what an
    agent made was never judged by the same agent if every event is by its own role.
    """

    check: Check = field(default_factory=Check)
    _deeds: dict[str, _Deeds] = field(default_factory=dict)

    def see(self, envelope: Envelope) -> None:
        """Take the next event."""
        self.check.checked += 1
        role = envelope.actor.role
        allowed = self._allowed(envelope)
        if role not in allowed:
            wanted = " or ".join(allowed)
            self.check.fail(envelope, f"{envelope.type} by {wanted}", f"by {role}")
        deeds = self._deeds.setdefault(role, _Deeds())
        deeds.events += 1
        deeds.types[envelope.type] += 1
        for names, name in (
            (deeds.instances, envelope.actor.instance),
            (deeds.versions, envelope.actor.code_version),
        ):
            if len(names) < _NAMES:
                names.add(name)

    def report(self) -> list[dict[str, Json]]:
        """Return what each role did, agents first."""
        order = [*ROLES, *MACHINERY]
        known = sorted(self._deeds, key=lambda role: (role not in order, role))
        known.sort(key=lambda role: order.index(role) if role in order else len(order))
        return [
            {
                "role": role,
                "events": self._deeds[role].events,
                "types": dict(sorted(self._deeds[role].types.items())),
                "instances": len(self._deeds[role].instances),
                "code_versions": sorted(self._deeds[role].versions),
            }
            for role in known
        ]

    def _allowed(self, envelope: Envelope) -> tuple[str, ...]:
        writer = WRITERS.get(envelope.type)
        if writer is None:
            return MACHINERY
        if envelope.type in _ORDERED_BY_A_PERSON and envelope.data.get("gating") is False:
            return (writer, "operator")
        return (writer,)
