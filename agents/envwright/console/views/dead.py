"""Dead letters as JSON: deliveries that are parked, and what a broker's topics hold of them."""

from collections.abc import Iterable

from envwright.agents import Runtime, is_past
from envwright.agents.bootstrap import DeadMessage
from envwright.events.canonical import Json
from envwright.events.catalog import DeliveryParked
from envwright.events.cloudevents import cloud_event
from envwright.events.envelope import Envelope

_SHOWN = 4000
"""Characters of a message that are shown."""


def parked_view(runtime: Runtime, run_id: str | None = None) -> list[dict[str, Json]]:
    """Return the deliveries that are parked, of a run or of all, in the order of their parking."""
    newest: dict[str, Envelope] = {}
    for envelope in runtime.log.read_all(run_id=run_id, types=("delivery.parked",)):
        newest[envelope.stream] = envelope
    return [_row(runtime, each) for each in newest.values() if _still(runtime, each)]


def delivery_view(runtime: Runtime, row: dict[str, Json]) -> dict[str, Json]:
    """Return a parked delivery with the event that it is about."""
    cause = runtime.log.get(str(row["cause"]))
    return {**row, "event": None if cause is None else cloud_event(cause)}


def stray_view(messages: Iterable[DeadMessage]) -> list[dict[str, Json]]:
    """Return what a broker's dead letters hold that is no delivery, oldest first of each topic."""
    return [
        {"place": each.place, **each.reasons, "bytes": len(each.value)}
        for each in messages
        if "work" not in each.reasons
    ]


def message_view(message: DeadMessage) -> dict[str, Json]:
    """Return a dead letter with the beginning of its body as text."""
    text = message.value.decode("utf-8", "backslashreplace")
    return {"place": message.place, **message.reasons, "value": text[:_SHOWN]}


def _still(runtime: Runtime, envelope: Envelope) -> bool:
    """Say whether what was parked is parked; of the past, whether nothing came after it."""
    if is_past(runtime):
        return runtime.log.version(envelope.stream) == envelope.sequence
    return runtime.leases.state(envelope.stream.removeprefix("work/")) == "parked"


def _row(runtime: Runtime, envelope: Envelope) -> dict[str, Json]:
    fact = envelope.fact
    assert isinstance(fact, DeliveryParked)
    cause = runtime.log.get(fact.cause)
    return {
        "work": fact.work,
        "run": envelope.run_id,
        "role": fact.group.rpartition(".")[2],
        "type": "" if cause is None else cause.type,
        "stream": "" if cause is None else cause.stream,
        "cause": fact.cause,
        "failures": fact.failures,
        "error": fact.error,
        "position": envelope.position,
    }
