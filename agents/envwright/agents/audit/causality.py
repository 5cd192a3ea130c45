"""Causality: every event answers an earlier one of its run, and an agent only what is its to."""

from collections import OrderedDict
from dataclasses import dataclass, field
from typing import NamedTuple

from envwright.agents.audit.findings import Check
from envwright.events import ROLES, WRITERS, Envelope
from envwright.events.errors import IntegrityError
from envwright.events.ports import Log

_REMEMBERED = 20_000
"""Events that are remembered; a cause further back is looked up."""


class _Cause(NamedTuple):
    position: int
    run_id: str
    type: str


@dataclass
class Causality:
    """Checks the cause of each event."""

    log: Log
    check: Check = field(default_factory=Check)
    _recent: OrderedDict[str, _Cause] = field(default_factory=OrderedDict)

    def see(self, envelope: Envelope) -> None:
        """Take the next event."""
        self._recent[envelope.id] = _Cause(envelope.position, envelope.run_id, envelope.type)
        if len(self._recent) > _REMEMBERED:
            self._recent.popitem(last=False)
        by_agent = envelope.type in WRITERS and envelope.actor.role in ROLES
        if envelope.causation_id is None:
            if by_agent:
                self.check.checked += 1
                self.check.fail(envelope, f"a cause, as all that a {envelope.actor.role} says", "")
            return
        self.check.checked += 1
        cause = self._cause(envelope.causation_id)
        if cause is None:
            self.check.fail(envelope, "a cause that is in the log", envelope.causation_id)
        elif cause.position >= envelope.position:
            self.check.fail(
                envelope,
                f"a cause before position {envelope.position}",
                f"{envelope.causation_id} at position {cause.position}",
            )
        elif cause.run_id != envelope.run_id:
            self.check.fail(envelope, f"a cause in run {envelope.run_id}", f"one in {cause.run_id}")
        elif by_agent and cause.type not in ROLES[envelope.actor.role]:
            answers = ", ".join(ROLES[envelope.actor.role])
            self.check.fail(
                envelope,
                f"the {envelope.actor.role} to answer {answers}",
                f"an answer to {cause.type}",
            )

    def _cause(self, event: str) -> _Cause | None:
        known = self._recent.get(event)
        if known is not None:
            return known
        try:
            found = self.log.get(event)
        except IntegrityError:
            return None
        return None if found is None else _Cause(found.position, found.run_id, found.type)
