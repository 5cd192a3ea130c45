"""Messages: what the bus carries of one event: the fact, the doorbells it rings, a dead letter."""

import re
from collections.abc import Callable, Iterable

from envwright.events.catalog import DeliveryParked
from envwright.events.choreography import EVENTS_TOPIC, ROLES, roles_for, work_topic
from envwright.events.cloudevents import Headers, to_headers
from envwright.events.envelope import Envelope
from envwright.events.errors import IntegrityError, UnknownSchemaError
from envwright.events.identifiers import work_id
from envwright.events.ports.publisher import Message

PREFIX = "envwright"
"""First part of every topic's name, unless a deployment chooses another."""

_ERROR_CLASS = re.compile(r"([A-Za-z_][A-Za-z0-9_.]*): ")
_LONGEST_ERROR = 4000

Find = Callable[[str], Envelope | None]
"""Finds an event by its id, as `Log.get` does."""


def topic_of(name: str, prefix: str = PREFIX) -> str:
    """Return the name that a topic of the choreography has in a deployment."""
    return name if prefix == PREFIX else prefix + name.removeprefix(PREFIX)


def events_topic(prefix: str = PREFIX) -> str:
    """Return the topic of all facts."""
    return topic_of(EVENTS_TOPIC, prefix)


def doorbell_topic(role: str, prefix: str = PREFIX) -> str:
    """Return the topic of a role's doorbells."""
    return topic_of(work_topic(role), prefix)


def dead_topic(topic: str) -> str:
    """Return the topic of a topic's dead letters."""
    return f"{topic}.dead"


def topics(prefix: str = PREFIX) -> tuple[str, ...]:
    """Return every topic that carries events: the facts, and the doorbells of each role."""
    return (events_topic(prefix), *(doorbell_topic(role, prefix) for role in ROLES))


class Announcer:
    """Turns recorded events into messages, in their order.

    Args:
        find: finds the cause of a parked delivery.
        group: the group whose work ids are the keys of doorbells; what another group hears is
            spread over its members by the same keys.
        prefix: first part of the topics' names.
    """

    def __init__(self, find: Find, *, group: str = PREFIX, prefix: str = PREFIX) -> None:
        self._find = find
        self._group = group
        self._prefix = prefix
        self._facts = events_topic(prefix)
        self._bells = {role: doorbell_topic(role, prefix) for role in ROLES}

    def messages(self, envelopes: Iterable[Envelope]) -> list[Message]:
        """Return the messages of some events: each one's fact before what it rings."""
        found: list[Message] = []
        for envelope in envelopes:
            headers = to_headers(envelope)
            key = envelope.correlation_id.encode("utf-8")
            found.append(Message(self._facts, key, headers, envelope.payload))
            for role in roles_for(envelope.type):
                found.append(self._doorbell(role, envelope, headers))
            if envelope.type == "delivery.parked":
                found.extend(self._dead_letters(envelope))
        return found

    def _doorbell(self, role: str, envelope: Envelope, headers: Headers) -> Message:
        key = work_id(f"{self._group}.{role}", envelope.id).encode("utf-8")
        return Message(self._bells[role], key, headers, envelope.payload)

    def _dead_letters(self, envelope: Envelope) -> Iterable[Message]:
        """Yield the dead letter of a parked delivery: the bytes of its doorbell, and why."""
        try:
            parked = envelope.fact
        except (UnknownSchemaError, IntegrityError):
            # Written by newer code: the fact travels, its dead letter is for a newer relay.
            return
        assert isinstance(parked, DeliveryParked)
        cause, role = self._find(parked.cause), parked.group.rpartition(".")[2]
        if cause is None or role not in self._bells:
            return
        letter = dead_letter(
            Message(
                self._bells[role], parked.work.encode("utf-8"), to_headers(cause), cause.payload
            ),
            error=parked.error,
            attempts=parked.failures,
        )
        work = (("dead-work", parked.work.encode("utf-8")), ("dead-group", parked.group.encode()))
        yield letter._replace(headers=letter.headers + work)


def dead_letter(
    message: Message,
    *,
    error: str,
    attempts: int,
    partition: int | None = None,
    offset: int | None = None,
) -> Message:
    """Return a message for the dead letters of its topic: its own bytes and headers, and why.

    Headers `dead-error-class`, `dead-error`, `dead-attempts` and `dead-topic` are added, and
    `dead-partition` and `dead-offset` where the message came from there.
    """
    named = _ERROR_CLASS.match(error)
    reasons = {
        "dead-error-class": named[1] if named else "",
        "dead-error": error[:_LONGEST_ERROR],
        "dead-attempts": str(attempts),
        "dead-topic": message.topic,
        "dead-partition": "" if partition is None else str(partition),
        "dead-offset": "" if offset is None else str(offset),
    }
    told = tuple(
        (name, text.encode("utf-8", "backslashreplace")) for name, text in reasons.items() if text
    )
    return message._replace(topic=dead_topic(message.topic), headers=message.headers + told)
