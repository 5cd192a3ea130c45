"""The effect journal on the log: effects requested and completed on the stream of their work."""

import json
import time
from collections import Counter
from collections.abc import Callable
from typing import Literal, cast

from envwright.events import Fact, Json, NewEvent, digest, encode
from envwright.events.catalog import EffectCompleted, EffectRequested, EffectResolved
from envwright.events.errors import (
    BadInputError,
    EffectError,
    EffectMismatchError,
    EffectMissingError,
    OutcomeUnknownError,
)
from envwright.events.ports import Append, Claim, Commit, EffectCall, Fence, Log
from envwright.store.actor import system_actor
from envwright.store.effects import RecordedEffect, WorkHistory, effect_key


class LogJournal:
    """Opens journals; see `envwright.events.ports.Journal` for the contract."""

    def __init__(self, log: Log) -> None:
        self._log = log

    def open(self, claim: Claim) -> "LogWorkJournal":
        """Load what earlier holders of the work recorded."""
        return LogWorkJournal(self._log, claim)

    def recorded(self, claim: Claim) -> "LogRecordedWork":
        """Open the journal of a claim that is over, to replay its decisions."""
        return LogRecordedWork(self._log, claim)

    def resolve(self, work: str, key: str, *, decision: str) -> None:
        """Record a person's `retry` or `abandon` for a `once` effect of unknown outcome.

        Raises:
            BadInputError: there is no such effect, its outcome is known, or the decision is
                neither of the two.
        """
        if decision not in ("retry", "abandon"):
            raise BadInputError(f"decision {decision!r} is none; say `retry` or `abandon`")
        events = list(self._log.read(f"work/{work}"))
        history = WorkHistory.of(events)
        effect = history.effects.get(key)
        if effect is None or effect.requested.effect_class != "once":
            raise BadInputError(f"work {work!r} has no `once` effect {key!r} to decide about")
        if effect.completed is not None:
            raise BadInputError(f"the outcome of effect {key!r} is known; nothing to decide")
        if effect.decision(history.claims) not in (None, decision):
            raise BadInputError(f"effect {key!r} is decided already: {effect.resolved}")
        cause = events[0]
        choice = cast(Literal["retry", "abandon"], decision)
        event = NewEvent(
            fact=EffectResolved(work=work, key=key, decision=choice),
            run_id=cause.run_id,
            correlation_id=cause.correlation_id,
            actor=system_actor().model_copy(update={"role": "operator"}),
            # One decision between two claims; the same one said twice is one.
            idempotency_key=f"{key}/resolved/{history.claims}",
        )
        self._log.commit(Commit(appends=(Append(stream=f"work/{work}", events=(event,)),)))


class LogWorkJournal:
    """The journal of one claim."""

    def __init__(self, log: Log, claim: Claim) -> None:
        self._log = log
        self._claim = claim
        self._history = WorkHistory.of(log.read(f"work/{claim.work.work}"))
        self._ordinals: Counter[tuple[str, int]] = Counter()
        self._served = 0
        self._reexecuted = 0

    @property
    def served(self) -> int:
        """How many effects of this claim came from the journal."""
        return self._served

    @property
    def reexecuted(self) -> int:
        """How many effects of this claim had been requested before and were run again."""
        return self._reexecuted

    def pins(self) -> dict[str, int]:
        """Return what the try had read when its effects were recorded; the first read holds."""
        return self._history.reads(self._claim.try_number)

    def perform(
        self,
        call: EffectCall,
        action: Callable[[str], Json],
        *,
        reads: dict[str, int],
        reap: Callable[[str], None] | None = None,
    ) -> Json:
        """Return the effect's recorded result, or do it: record request, act, record outcome."""
        wanted = self._request(call, reads)
        recorded = self._history.find(wanted)
        if recorded is None:
            self._record(wanted, f"{wanted.key}/requested")
            return self._act(wanted, action)
        if recorded.requested.key == wanted.key:
            _check_same(recorded.requested, wanted)
        if recorded.completed is not None:
            self._served += 1
            return _outcome(recorded.completed)
        return self._again(recorded, action, reap)

    def _request(self, call: EffectCall, reads: dict[str, int]) -> EffectRequested:
        slot = (call.node, call.task)
        ordinal = self._ordinals[slot]
        self._ordinals[slot] += 1
        work, try_number = self._claim.work.work, self._claim.try_number
        return EffectRequested(
            work=work,
            key=effect_key(work, try_number, call.node, call.task, ordinal),
            kind=call.kind,
            effect_class=call.effect_class,
            node=call.node,
            task=call.task,
            ordinal=ordinal,
            try_number=try_number,
            request=digest(call.request),
            token=self._claim.token,
            reads=reads,
        )

    def _again(
        self,
        recorded: RecordedEffect,
        action: Callable[[str], Json],
        reap: Callable[[str], None] | None,
    ) -> Json:
        requested = recorded.requested
        if requested.effect_class == "once":
            decision = recorded.decision(self._history.claims)
            if decision is None:
                raise OutcomeUnknownError(
                    f"effect {requested.key!r} ({requested.kind}) of work {requested.work!r} was "
                    "requested and its outcome is unknown; say `retry` or `abandon`"
                )
            if decision == "abandon":
                return _outcome(self._complete(requested, error="abandoned by a person"))
        # A stale holder must not reap what the current one has running under the same key.
        self._log.commit(Commit(fence=self._fence()))
        if requested.effect_class == "fenced" and reap is not None:
            reap(requested.key)
        self._reexecuted += 1
        return self._act(requested, action)

    def _act(self, requested: EffectRequested, action: Callable[[str], Json]) -> Json:
        started = time.perf_counter()
        result = action(requested.key)
        seconds = round(time.perf_counter() - started, 6)
        return _outcome(self._complete(requested, result=result, seconds=seconds))

    def _complete(
        self,
        requested: EffectRequested,
        *,
        result: Json = None,
        error: str = "",
        seconds: float | None = None,
    ) -> EffectCompleted:
        # Through its bytes, so that the first caller gets what a later one is served.
        same = json.loads(encode(result))
        fact = EffectCompleted(
            work=requested.work, key=requested.key, ok=not error, result=same, error=error
        )
        metrics = {} if seconds is None else {"seconds": seconds}
        self._record(fact, f"{requested.key}/completed", metrics)
        return fact

    def _record(self, fact: Fact, key: str, metrics: dict[str, Json] | None = None) -> None:
        work = self._claim.work
        event = NewEvent(
            fact=fact,
            run_id=work.run_id,
            correlation_id=work.correlation_id,
            actor=system_actor(self._claim.holder),
            idempotency_key=key,
            causation_id=work.cause,
            metrics=metrics or {},
        )
        append = Append(stream=fact.stream, events=(event,))
        self._log.commit(Commit(appends=(append,), fence=self._fence()))

    def _fence(self) -> Fence:
        return Fence(work=self._claim.work.work, token=self._claim.token)


class LogRecordedWork(LogWorkJournal):
    """The journal of a claim that is over: it serves what was recorded, and acts never."""

    def __init__(self, log: Log, claim: Claim) -> None:
        super().__init__(log, claim)
        self._asked: set[str] = set()

    def perform(
        self,
        call: EffectCall,
        action: Callable[[str], Json],
        *,
        reads: dict[str, int],
        reap: Callable[[str], None] | None = None,
    ) -> Json:
        """Return the effect's recorded result; neither `action` nor `reap` is called."""
        wanted = self._request(call, reads)
        recorded = self._history.find(wanted)
        if recorded is not None:
            self._asked.add(recorded.requested.key)
            _check_same(recorded.requested, wanted)
        if recorded is None or recorded.completed is None:
            raise EffectMissingError(
                f"no outcome of effect {wanted.key!r} is recorded: {wanted.kind} of node "
                f"{wanted.node!r}, task {wanted.task}, number {wanted.ordinal}, in try "
                f"{wanted.try_number}; the handler is not deterministic or its code has changed"
            )
        self._served += 1
        return _outcome(recorded.completed)

    def unasked(self) -> tuple[str, ...]:
        """Return the keys of the try's recorded effects that nobody has asked for, in order."""
        return tuple(
            key
            for key, effect in self._history.effects.items()
            if effect.requested.try_number == self._claim.try_number and key not in self._asked
        )


def _check_same(recorded: EffectRequested, wanted: EffectRequested) -> None:
    """Compare what is asked now with what was recorded under the same key."""
    for part in ("kind", "effect_class", "request"):
        was, is_now = getattr(recorded, part), getattr(wanted, part)
        if was != is_now:
            raise EffectMismatchError(
                f"effect {recorded.key!r} (node {recorded.node!r}, task {recorded.task}, number "
                f"{recorded.ordinal}) was recorded with {part} {was!r}, now it has {is_now!r}: "
                "the handler is not deterministic or its code has changed"
            )


def _outcome(completed: EffectCompleted) -> Json:
    if not completed.ok:
        raise EffectError(f"effect {completed.key!r} failed: {completed.error}")
    return completed.result
