"""The moment: a position of the log at which a person wants to see something as it was."""

from dataclasses import dataclass

from envwright.agents import Runtime, as_of, position_of
from envwright.console.identity import Identity, identify
from envwright.events.canonical import Json
from envwright.events.catalog import AttemptStarted
from envwright.events.envelope import Envelope
from envwright.events.errors import BadInputError


@dataclass(frozen=True)
class Moment:
    """A position, with the event that stands there."""

    position: int
    head: int
    """The position that the log has come to since."""
    event: str
    recorded_at: str

    def view(self) -> dict[str, Json]:
        """Return the moment as JSON."""
        return {
            "position": self.position,
            "head": self.head,
            "event": self.event,
            "recorded_at": self.recorded_at,
        }


def find_moment(runtime: Runtime, text: str) -> Moment:
    """Return the moment that a position, or an event's id or its unique beginning, names.

    Raises:
        BadInputError: there is no such position or event.
    """
    if not text.isdecimal():
        identity = identify(runtime, text)
        if identity.kind != "event":
            raise BadInputError(
                f"--at {text!r} is of the kind {identity.kind!r}; expected a position of the log "
                "or an event"
            )
        text = identity.id
    position = position_of(runtime, text)
    [envelope] = runtime.log.read_all(after=position - 1, up_to=position)
    return Moment(position, runtime.log.head(), envelope.id, envelope.recorded_at)


def at_moment(runtime: Runtime, identity: Identity, moment: Moment) -> Runtime:
    """Return the runtime as of a moment, at which something must have been there.

    Raises:
        BadInputError: it came later; the message says when.
    """
    began = _began(runtime, identity)
    if began is not None and began > moment.position:
        raise BadInputError(
            f"{identity.kind} {identity.id} was not there at position {moment.position}: it came "
            f"at position {began}"
        )
    return as_of(runtime, moment.position)


def _began(runtime: Runtime, identity: Identity) -> int | None:
    """Return the position of the first event about something; None of what has no beginning."""
    kind, name = identity
    first: Envelope | None
    if kind == "artifact":
        return None
    if kind == "event":
        first = runtime.log.get(name)
    elif kind == "trial":
        first = _naming(runtime, "trial.opened", "trial", name)
    else:
        stream = name if kind == "stream" else f"{kind}/{name}"
        first = next(runtime.log.read(stream, up_to=1), None)
        first = _ordered(runtime, identity, first) or first
    return first.position if first else None


def _ordered(runtime: Runtime, identity: Identity, first: Envelope | None) -> Envelope | None:
    """Return the event that asked for a package or an attempt, which stands on another stream."""
    if identity.kind == "package":
        events = (
            runtime.log.read_all(types=("brief.planned",))
            if first is None
            else runtime.log.read(f"run/{first.run_id}")
        )
        return next((e for e in events if _orders(e, identity.id)), None)
    if identity.kind == "attempt":
        if first is None or not isinstance(first.fact, AttemptStarted):
            return _naming(runtime, "attempt.requested", "attempt", identity.id)
        events = runtime.log.read(f"package/{first.fact.package}")
        wanted = (e for e in events if e.type == "attempt.requested")
        return next((e for e in wanted if e.data["attempt"] == identity.id), None)
    return None


def _orders(envelope: Envelope, package: str) -> bool:
    return envelope.type == "brief.planned" and envelope.correlation_id == package


def _naming(runtime: Runtime, event_type: str, field: str, name: str) -> Envelope | None:
    events = runtime.log.read_all(types=(event_type,))
    return next((e for e in events if e.data[field] == name), None)
