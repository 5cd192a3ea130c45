"""An event or a piece of work as JSON: CloudEvents with their place in the story."""

from envwright.agents import Runtime
from envwright.console.cloudevents import cloud_event
from envwright.events.canonical import Json
from envwright.events.errors import BadInputError


def event_view(runtime: Runtime, event_id: str) -> dict[str, Json]:
    """Return one event, and the events that answer it directly."""
    envelope = runtime.log.get(event_id)
    if envelope is None:
        raise BadInputError(f"no event {event_id!r} in {runtime.config.home}")
    answers = [
        {"event": e.id, "type": e.type, "stream": e.stream, "position": e.position}
        for e in runtime.log.read_all(run_id=envelope.run_id, after=envelope.position)
        if e.causation_id == event_id
    ]
    return {"event": cloud_event(envelope), "answers": answers}


def work_view(runtime: Runtime, work: str) -> dict[str, Json]:
    """Return the claims, effects and parkings of a piece of work."""
    events = list(runtime.log.read(f"work/{work}"))
    return {
        "work": work,
        "state": runtime.leases.state(work),
        "events": [cloud_event(envelope) for envelope in events],
    }
