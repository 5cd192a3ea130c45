"""Reading: every event that can still be read, of a log that somebody may have altered."""

from collections.abc import Callable, Iterator
from contextlib import suppress

from envwright.agents.audit.findings import Check
from envwright.events import Envelope, Fact
from envwright.events.errors import EnvwrightError, IntegrityError, UnknownSchemaError
from envwright.events.ports import Log


def readable_events(
    log: Log,
    run_id: str | None,
    check: Check,
    passed_over: Callable[[int], None] = lambda position: None,
) -> Iterator[Envelope]:
    """Yield the events of a log, or of one run, in position order.

    Unreadable ones are failures, and `passed_over` is told their positions.
    """
    after, head = 0, log.head()
    while True:
        try:
            for envelope in log.read_all(after=after, up_to=head, run_id=run_id):
                after = envelope.position
                check.checked += 1
                if _is_object(envelope, check):
                    yield envelope
                else:
                    passed_over(after)
            return
        except IntegrityError as error:
            position = _unreadable(log, run_id, after, head)
            check.checked += 1
            check.fail_at(f"position {position}", position, "an event that can be read", error)
            passed_over(position)
            after = position


def stream_events(log: Log, stream: str) -> list[Envelope]:
    """Return the events of a stream as far as they can be read."""
    events: list[Envelope] = []
    with suppress(IntegrityError):  # The pass over all events names it.
        events.extend(log.read(stream))
    return events


def fact_of(envelope: Envelope, check: Check) -> Fact | None:
    """Return the fact of an event; None, and a failure, where it fits no schema."""
    try:
        return envelope.fact
    except (IntegrityError, UnknownSchemaError) as error:
        check.fail(envelope, f"a fact of type {envelope.type}", error)
        return None


def _is_object(envelope: Envelope, check: Check) -> bool:
    try:
        envelope.data  # noqa: B018 -- kept with the envelope, for all who look at it
    except (ValueError, TypeError) as error:
        check.fail(envelope, "a payload that is a JSON object", error)
        return False
    return True


def _unreadable(log: Log, run_id: str | None, after: int, head: int) -> int:
    """Return the position of the first event behind `after`, which cannot be read."""
    low, high = after + 1, head
    while low < high:
        middle = (low + high) // 2
        if _fails(log, run_id, after, middle):
            high = middle
        else:
            low = middle + 1
    return low


def _fails(log: Log, run_id: str | None, after: int, up_to: int) -> bool:
    try:
        list(log.read_all(after=after, up_to=up_to, run_id=run_id, limit=1))
    except EnvwrightError:
        return True
    return False
