"""An event, a stream or a piece of work as JSON: CloudEvents with their place in the story."""

from envwright.agents import Runtime, is_past
from envwright.events.canonical import Json
from envwright.events.cloudevents import cloud_event
from envwright.events.errors import BadInputError


def event_view(runtime: Runtime, event_id: str) -> dict[str, Json]:
    """Return one event, and the events that answer it directly."""
    envelope = runtime.log.get(event_id)
    if envelope is None:
        raise BadInputError(f"no event {event_id!r} in {runtime.config.place}")
    answers = [
        {"event": e.id, "type": e.type, "stream": e.stream, "position": e.position}
        for e in runtime.log.read_all(run_id=envelope.run_id, after=envelope.position)
        if e.causation_id == event_id
    ]
    return {"event": cloud_event(envelope), "answers": answers}


def stream_view(runtime: Runtime, stream: str) -> dict[str, Json]:
    """Return the events of a stream, in order."""
    events = [cloud_event(envelope) for envelope in runtime.log.read(stream)]
    return {"stream": stream, "version": len(events), "events": events}


def work_view(runtime: Runtime, work: str) -> dict[str, Json]:
    """Return the claims, effects and parkings of a piece of work.

    Its state is that of its lease, which keeps no past: of an earlier moment it is the last of
    claimed, expired and parked that had happened.
    """
    events = [cloud_event(envelope) for envelope in runtime.log.read(f"work/{work}")]
    turns = [_TURNS[event["type"]] for event in events if event["type"] in _TURNS]
    then = turns[-1] if turns else None
    return {
        "work": work,
        "state": then if is_past(runtime) else runtime.leases.state(work),
        "events": events,
    }


_TURNS = {"work.claimed": "claimed", "work.expired": "expired", "delivery.parked": "parked"}
