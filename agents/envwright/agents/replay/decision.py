"""Decision replay: each recorded delivery alone, on what its handler had then; nothing is written.

What a handler says, as `(type, stream, data)` in order, must be what was recorded of it. Ids,
times, metrics and the global order are not compared.
"""

from collections.abc import Iterator, Sequence
from operator import itemgetter
from typing import Any

from envwright.agents.replay.deliveries import HandledDelivery, RunDeliveries
from envwright.agents.replay.differences import difference
from envwright.agents.replay.findings import Comparison, Divergence, RecordedDelivery
from envwright.agents.replay.guard import Reading
from envwright.agents.replay.level import ReplayPlan
from envwright.agents.replay.rehearsal import Rehearsed, Stage
from envwright.agents.runtime import Runtime
from envwright.agents.slots import RunState
from envwright.agents.withdrawal import is_withdrawn
from envwright.events import NewEvent, digest, fact_data, work_id
from envwright.events.canonical import Json
from envwright.events.envelope import Envelope
from envwright.events.errors import ArtifactError, IntegrityError
from envwright.events.ports import InboxEntry

_SOUND = "stored bytes that match their digests"


class DecisionLevel:
    """Replays recorded decisions."""

    def __init__(self, runtime: Runtime) -> None:
        """Take the ports of a home that was opened without checkpoints."""
        self._runtime = runtime
        self._stage = Stage(runtime)
        self._states: dict[str, tuple[int, RunState]] = {}

    def plan(self, run_id: str | None) -> ReplayPlan:
        """Return the run's deliveries in the order of their causes, and events without one.

        Raises:
            IntegrityError: an event of the run cannot be read.
        """
        deliveries = RunDeliveries(self._runtime.log, self._runtime.config.group)
        deliveries.read(run_id)
        placed: list[tuple[int, Json]] = [
            (place, {"handled": each.model_dump(mode="json")})
            for place, each in deliveries.handled()
        ]
        placed += [
            (place, {"found": each.model_dump(mode="json")}) for place, each in deliveries.strays()
        ]
        tasks = [task for _, task in sorted(placed, key=itemgetter(0))]
        return ReplayPlan(tasks=(*tasks, {"unanswered": deliveries.unanswered}))

    def check(self, task: Any, *, keep_going: bool) -> Comparison:
        """Replay one delivery and compare what its handler says; all that differs is told."""
        if "unanswered" in task:
            counts = {"unanswered": task["unanswered"]} if task["unanswered"] else {}
            return Comparison(counts=counts)
        if "found" in task:
            return Comparison(divergences=(Divergence.model_validate(task["found"]),))
        handled = HandledDelivery.model_validate(task["handled"])
        delivery = handled.delivery
        try:
            return self._compare(delivery, handled.outputs)
        except (ArtifactError, IntegrityError) as error:
            found = _found(delivery, delivery.cause, _SOUND, str(error))
            return Comparison(divergences=(found,))

    def _compare(self, delivery: RecordedDelivery, outputs: Sequence[int]) -> Comparison:
        log = self._runtime.log
        cause, entry = log.get(delivery.cause), log.inbox(delivery.group, delivery.cause)
        if cause is None or entry is None:
            raise IntegrityError(f"the cause or the inbox row of {delivery.work} is gone")
        recorded = [
            event for place in outputs for event in log.read_all(after=place - 1, up_to=place)
        ]
        ordered, strange = _ordered(delivery, recorded)
        if strange:
            return Comparison(divergences=tuple(strange))
        withdrawn = self._is_withdrawn(cause, entry)
        if withdrawn and not ordered:
            return Comparison(compared=1, counts={"deliveries": 1, "withdrawn": 1})
        done = self._stage.rehearse(delivery, cause, entry)
        # What a holder recorded early, before somebody else found the work withdrawn.
        partial = withdrawn and len(ordered) in done.parts
        return _verdict(delivery, ordered, entry, done, partial=partial)

    def _is_withdrawn(self, cause: Envelope, entry: InboxEntry) -> bool:
        """Say whether a worker may have seen that nobody needed the answer any more.

        A worker that did read the run, and nothing else.
        """
        stream = f"run/{cause.run_id}"
        if entry.basis.keys() != {stream}:
            return False
        sequence = entry.basis[stream]
        seen, state = self._states.get(stream, (0, RunState()))
        if seen > sequence:
            seen, state = 0, RunState()
        events = self._runtime.streams.read(stream, up_to=sequence)
        state = state.after(events[seen:])
        self._states = {stream: (sequence, state)}
        return is_withdrawn(cause, state)


def _ordered(
    delivery: RecordedDelivery, recorded: Sequence[Envelope]
) -> tuple[list[Envelope], list[Divergence]]:
    """Put recorded events in the order in which they were said, by their keys."""
    by_key = {event.idempotency_key: event for event in recorded}
    keys = [digest([delivery.work, ordinal]) for ordinal in range(len(recorded))]
    ordered = [by_key[key] for key in keys if key in by_key]
    strange = [
        _found(
            delivery,
            event.id,
            f"the key of one of {len(recorded)} outputs of its delivery",
            f"{event.type} with the key {event.idempotency_key}",
        )
        for event in recorded
        if event.idempotency_key not in keys
    ]
    if delivery.work != work_id(delivery.group, delivery.cause):
        expected = work_id(delivery.group, delivery.cause)
        strange.append(_found(delivery, delivery.cause, f"work {expected}", delivery.work))
    return ordered, strange


def _verdict(
    delivery: RecordedDelivery,
    recorded: Sequence[Envelope],
    entry: InboxEntry,
    done: Rehearsed,
    *,
    partial: bool,
) -> Comparison:
    """Compare what was recorded of a delivery with what its handler did."""
    found = [_read(delivery, reading) for reading in done.readings]
    found += _problems(delivery, recorded, done)
    same = 0
    if not done.problems:
        said = done.said[: len(recorded)] if partial else done.said
        differing = list(_outputs(delivery, recorded, said))
        same = len(recorded) - len(differing)
        found += differing
    if not done.problems and not partial:
        found += _leftovers(delivery, entry, done)
    counts = {"outputs": same, "effects": done.served}
    if not found:
        counts |= {"deliveries": 1, "withdrawn": int(partial)}
    kept = {name: count for name, count in counts.items() if count}
    return Comparison(compared=int(not found), counts=kept, divergences=tuple(found))


def _read(delivery: RecordedDelivery, reading: Reading) -> Divergence:
    return Divergence(
        kind="nondeterminism",
        event=delivery.cause,
        expected=f"decision code that does not read {reading.what}",
        actual=f"{reading.call} at {reading.place}, in {reading.code}",
        delivery=delivery,
    )


def _problems(
    delivery: RecordedDelivery, recorded: Sequence[Envelope], done: Rehearsed
) -> Iterator[Divergence]:
    place = len(done.said)
    event = recorded[place].id if place < len(recorded) else delivery.cause
    expected = f"{len(recorded)} events, as recorded"
    for problem in done.problems:
        yield _found(delivery, event, expected, problem)


def _outputs(
    delivery: RecordedDelivery, recorded: Sequence[Envelope], said: Sequence[NewEvent]
) -> Iterator[Divergence]:
    for envelope, event in zip(recorded, said, strict=False):
        was, comes = _fact(envelope), _said(event)
        if envelope.body != event.body or was["type"] != comes["type"] or was != comes:
            expected, actual = difference(was, comes)
            if expected or actual:
                yield _found(delivery, envelope.id, expected, actual)
    for envelope in recorded[len(said) :]:
        yield _found(delivery, envelope.id, _fact(envelope), "nothing is said")
    for event in said[len(recorded) :]:
        yield _found(delivery, delivery.cause, "nothing more is said", _said(event))


def _leftovers(
    delivery: RecordedDelivery, entry: InboxEntry, done: Rehearsed
) -> Iterator[Divergence]:
    """Yield what was recorded of a handler beside its outputs and did not happen again."""
    for key in done.unasked:
        yield _found(delivery, delivery.cause, f"effect {key}, as recorded", "it is not asked for")
    if entry.basis != done.basis:
        expected, actual = difference({"basis": entry.basis}, {"basis": done.basis})
        yield _found(delivery, delivery.cause, expected, actual)


def _fact(envelope: Envelope) -> dict[str, Json]:
    """Return what is compared of a recorded event, in today's schema."""
    return {"type": envelope.type, "stream": envelope.stream, "data": fact_data(envelope.fact)}


def _said(event: NewEvent) -> dict[str, Json]:
    return {"type": event.type, "stream": event.fact.stream, "data": fact_data(event.fact)}


def _found(delivery: RecordedDelivery, event: str, expected: Json, actual: Json) -> Divergence:
    return Divergence(event=event, expected=expected, actual=actual, delivery=delivery)
