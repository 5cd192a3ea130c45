"""Deliveries: what a run's log says was handled, and which recorded events each handler wrote."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from envwright.agents.replay.findings import Divergence, RecordedDelivery
from envwright.events import ROLES, WRITERS, roles_for
from envwright.events.catalog import WorkClaimed
from envwright.events.envelope import Envelope
from envwright.events.ports import Log
from envwright.events.values import Value


class HandledDelivery(Value):
    """A delivery whose inbox row is there, with the events that were recorded as its answer."""

    delivery: RecordedDelivery
    outputs: tuple[int, ...]
    """Positions of the events that its role wrote about its cause."""


class _Said(NamedTuple):
    """An event that a role says to have written."""

    position: int
    event: str
    type: str
    role: str


@dataclass
class RunDeliveries:
    """The deliveries of one run, from one pass over its events; keeps ids and positions only."""

    log: Log
    group: str
    """Name of the consumer group that a run is served by where no claim says another."""
    _causes: list[tuple[int, str, str]] = field(default_factory=list)
    _said: dict[str | None, list[_Said]] = field(default_factory=lambda: defaultdict(list))
    _claimed: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    unanswered: int = 0
    """Deliveries that were claimed, or are due, and that nobody has handled to the end."""

    def read(self, run_id: str | None) -> None:
        """Take in the events of a run, or of the whole log."""
        for envelope in self.log.read_all(run_id=run_id):
            self._take(envelope)

    def handled(self) -> Iterator[tuple[int, HandledDelivery]]:
        """Yield the handled deliveries with the positions of their causes, in order."""
        for position, cause, cause_type in self._causes:
            for role in roles_for(cause_type):
                group = self._group(cause, role)
                entry = self.log.inbox(group, cause)
                if entry is None:
                    self.unanswered += 1
                    continue
                delivery = RecordedDelivery(
                    cause=cause, cause_type=cause_type, role=role, group=group, work=entry.work
                )
                outputs = tuple(said.position for said in self._said[cause] if said.role == role)
                yield position, HandledDelivery(delivery=delivery, outputs=outputs)

    def strays(self) -> Iterator[tuple[int, Divergence]]:
        """Yield the events that bear the name of a role which was never asked for them."""
        asked = {(cause, role) for _, cause, kind in self._causes for role in roles_for(kind)}
        for cause, events in self._said.items():
            for said in events:
                if (cause, said.role) not in asked:
                    yield (
                        said.position,
                        Divergence(
                            event=said.event,
                            expected=f"a cause that the {said.role} answers",
                            actual=f"{said.type} about {cause or 'nothing'}",
                        ),
                    )

    def _take(self, envelope: Envelope) -> None:
        if roles_for(envelope.type):
            self._causes.append((envelope.position, envelope.id, envelope.type))
        if envelope.type == "work.claimed":
            fact = envelope.fact
            assert isinstance(fact, WorkClaimed)
            self._claimed[fact.cause].add(fact.group)
        elif envelope.type in WRITERS and envelope.actor.role in ROLES:
            said = _Said(envelope.position, envelope.id, envelope.type, envelope.actor.role)
            self._said[envelope.causation_id].append(said)

    def _group(self, cause: str, role: str) -> str:
        """Return the group that a role served the cause as."""
        ending = f".{role}"
        served = sorted(group for group in self._claimed[cause] if group.endswith(ending))
        return served[0] if served else f"{self.group}{ending}"
