"""The context of one delivery: what a handler may read, do and say."""

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar

from envwright.agents.slots import asked_for
from envwright.agents.streams import Streams
from envwright.agents.tracing import Tracing
from envwright.events import NewEvent, digest
from envwright.events.canonical import Json
from envwright.events.catalog import BriefPlanned, Fact
from envwright.events.envelope import Envelope
from envwright.events.errors import IntegrityError
from envwright.events.ports import (
    Append,
    ArtifactStore,
    Claim,
    Commit,
    Delivery,
    EffectCall,
    Fence,
    InboxEntry,
    Log,
    WorkJournal,
)
from envwright.events.values import Actor, RunSettings

FactT = TypeVar("FactT", bound=Fact)


@dataclass(frozen=True)
class Ports:
    """What every handler of a process shares."""

    log: Log
    artifacts: ArtifactStore
    streams: Streams
    tracing: Tracing


@dataclass
class Context:
    """One delivery's world: its cause, pinned reads, journaled effects and buffered outputs.

    A handler reads its cause, the cause's own stream up to the cause (`history`), first facts that
    can never change (`first`), and other streams through `read`, which notes the basis. Nothing
    that it says is recorded before `commit`, except through `flush`.
    """

    ports: Ports
    delivery: Delivery
    claim: Claim
    journal: WorkJournal
    actor: Actor
    traceparent: str | None = None
    resources: ExitStack = field(default_factory=ExitStack)
    """What is released when the handler has ended, however it ends: worlds, sandboxes."""
    _reads: dict[str, int] = field(default_factory=dict)
    _outputs: list[Fact] = field(default_factory=list)
    _said: int = 0
    _flushed: dict[str, int] = field(default_factory=dict)
    _started: float = field(default_factory=time.perf_counter)

    @property
    def cause(self) -> Envelope:
        """The event that the handler answers."""
        return self.delivery.envelope

    @property
    def run_id(self) -> str:
        """The run that the cause belongs to."""
        return self.cause.run_id

    @property
    def tracing(self) -> Tracing:
        """Starts spans below the handler's own."""
        return self.ports.tracing

    @property
    def basis(self) -> dict[str, int]:
        """What was read through `read` so far: stream to sequence."""
        return dict(sorted(self._reads.items()))

    @property
    def artifacts(self) -> ArtifactStore:
        """Content-addressed bytes; reading them is no effect."""
        return self.ports.artifacts

    def history(self) -> list[Envelope]:
        """Return the cause's own stream up to and with the cause: it can never change."""
        return self.ports.streams.read(self.cause.stream, up_to=self.cause.sequence)

    def read(self, stream: str) -> list[Envelope]:
        """Return a stream's events, pinned for this try, and note them in the basis.

        A takeover sees what the first holder saw, as far as an effect recorded it.
        """
        pinned = self._reads.get(stream, self.journal.pins().get(stream))
        events = self.ports.streams.read(stream, up_to=pinned)
        self._reads[stream] = events[-1].sequence if events else 0
        return events

    def first(
        self, stream: str, fact: type[FactT], where: Callable[[FactT], bool] = lambda found: True
    ) -> FactT:
        """Return the first fact of a type on a stream; once there, it can never change.

        Raises:
            IntegrityError: the stream has none, though the choreography says that it must.
        """
        event_type = fact.model_fields["type"].default
        for envelope in self.ports.streams.read(stream):
            if envelope.type == event_type:
                found = envelope.fact
                assert isinstance(found, fact)
                if where(found):
                    return found
        raise IntegrityError(f"{stream!r} has no {event_type!r}, which {self.cause.type} needs")

    @cached_property
    def settings(self) -> RunSettings:
        """The settings that the run was requested with, or forked with."""
        stream = f"run/{self.run_id}"
        for envelope in self.ports.streams.read(stream, up_to=1):
            asked = asked_for(envelope.fact)
            if asked is not None:
                return asked.settings
        raise IntegrityError(f"{stream!r} does not begin with a request or a fork of a run")

    def effect(
        self,
        call: EffectCall,
        action: Callable[[str], Json],
        *,
        reap: Callable[[str], None] | None = None,
    ) -> Json:
        """Do something non-deterministic or dear once: served from the journal after a takeover."""
        return self.journal.perform(call, action, reads=dict(self._reads), reap=reap)

    def say(self, *facts: Fact) -> None:
        """Add facts to what the handler will commit, in order."""
        self._outputs.extend(facts)

    def flush(self) -> None:
        """Record what was said so far, under the fence, before the work is done."""
        if self._outputs:
            appends = tuple(self._appends())
            self.ports.log.commit(Commit(appends=appends, fence=self._fence()))
            self._wrote(appends)

    def commit(self) -> None:
        """Record all that was said, the basis and the inbox row, all or nothing.

        Raises:
            ConcurrencyError: a stream that was read has moved on.
            FencedError: the claim has been lost.
        """
        entry = InboxEntry(
            group=self.delivery.work.group,
            event_id=self.cause.id,
            work=self.delivery.work.work,
            basis=self.basis,
        )
        appends = tuple(self._appends())
        self.ports.log.commit(Commit(appends=appends, inbox=entry, fence=self._fence()))
        self._wrote(appends)

    def said(self) -> tuple[Fact, ...]:
        """Return what has been said and not yet recorded."""
        return tuple(self._outputs)

    def _wrote(self, appends: tuple[Append, ...]) -> None:
        self.tracing.wrote(event.id for append in appends for event in append.events)
        self._outputs.clear()

    def _fence(self) -> Fence:
        return Fence(work=self.claim.work.work, token=self.claim.token)

    def _appends(self) -> Iterator[Append]:
        by_stream: dict[str, list[NewEvent]] = {}
        basis = digest(dict(self._reads))
        metrics = self._metrics()
        for fact in self._outputs:
            event = self._event(fact, basis, metrics)
            by_stream.setdefault(fact.stream, []).append(event)
        for stream, events in by_stream.items():
            expected = None
            if stream in self._reads:
                expected = self._reads[stream] + self._flushed.get(stream, 0)
            self._flushed[stream] = self._flushed.get(stream, 0) + len(events)
            yield Append(stream=stream, events=tuple(events), expected=expected)

    def _event(self, fact: Fact, basis: str, metrics: dict[str, Json]) -> NewEvent:
        key = digest([self.delivery.work.work, self._said])
        self._said += 1
        return NewEvent(
            fact=fact,
            run_id=self.run_id,
            correlation_id=self._correlation(fact),
            actor=self.actor,
            idempotency_key=key,
            causation_id=self.cause.id,
            traceparent=self.traceparent,
            basis=basis,
            metrics=metrics,
        )

    def _correlation(self, fact: Fact) -> str:
        if isinstance(fact, BriefPlanned):
            return fact.brief.package
        if fact.stream_kind in ("run", "source"):
            return str(getattr(fact, "package", self.run_id))
        return str(getattr(fact, "package", self.cause.correlation_id))

    def _metrics(self) -> dict[str, Json]:
        return {
            "seconds": round(time.perf_counter() - self._started, 6),
            "effects_served": self.journal.served,
            "effects_reexecuted": self.journal.reexecuted,
        }
