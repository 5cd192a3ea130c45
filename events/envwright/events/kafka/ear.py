"""The ear: hears one role's doorbells in a thread that never works, and keeps them until done."""

import logging
import threading
import time
from collections.abc import Callable, Collection, Iterable
from contextlib import closing
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from kafka import OffsetAndMetadata, TopicPartition
from kafka.coordinator.assignors.cooperative_sticky import CooperativeStickyAssignor
from kafka.errors import KafkaError

from envwright.events import ROLES, Envelope
from envwright.events.cloudevents import from_message
from envwright.events.errors import InfrastructureError, UndecodableError
from envwright.events.kafka.address import KafkaAddress
from envwright.events.kafka.clients import consumer
from envwright.events.kafka.dead_letters import DeadLetterOffice
from envwright.events.messages import dead_letter, doorbell_topic
from envwright.events.ports import Message

logger = logging.getLogger(__name__)

_REVIEWED = 20
"""Doorbells of a partition that one review looks at."""


@dataclass(frozen=True)
class Hearing:
    """How an ear listens; the defaults are ours."""

    poll_seconds: float = 0.2
    session_seconds: float = 10.0
    """A member that is silent for so long has lost its partitions."""
    max_poll_seconds: float = 300.0
    """The thread polls all the time; a handler never takes from this."""
    most: int = 1000
    """Doorbells kept before the ear pauses its partitions."""
    review_seconds: float = 5.0
    """Between two looks at whether what was heard long ago has been done elsewhere."""


@dataclass
class _Partition:
    """What was heard of one partition: the doorbells that are not done, in their order."""

    rung: dict[int, Envelope] = field(default_factory=dict)
    """Offset to event."""
    next: int = 0
    """Where the consumer reads on."""
    committed: int = -1

    @property
    def done(self) -> int:
        """The offset before which everything is done."""
        return next(iter(self.rung), self.next)


class Ear:
    """A member of a role's consumer group.

    A doorbell is kept until its work is done, and only then is its offset committed; a member
    that dies leaves its doorbells to the others. What is no doorbell of a recorded event goes to
    the dead letters.

    Args:
        address: the brokers and names.
        role: whose doorbells.
        group_id: name of the consumer group.
        known: says of a decoded event why it is no doorbell (text), or None where it is.
        settled: says of an event whether nothing is left to do about it here.
        office: where dead letters go.
        rang: called, in the thread, when something was heard.
        deaf: called, in the thread, with what keeps it from hearing.
        hearing: how it listens.
    """

    def __init__(
        self,
        address: KafkaAddress,
        role: str,
        group_id: str,
        *,
        known: Callable[[Envelope], str | None],
        settled: Callable[[Envelope], bool],
        office: DeadLetterOffice,
        rang: Callable[[], None],
        deaf: Callable[[str], None],
        hearing: Hearing,
    ) -> None:
        self.role = role
        self.subscribers = 0
        """Subscriptions that listen through this ear."""
        self._address = address
        self._topic = doorbell_topic(role, address.prefix)
        self.group_id = group_id
        self._known, self._settled = known, settled
        self._office, self._rang, self._hearing = office, rang, hearing
        self._deaf = deaf
        self._partitions: dict[TopicPartition, _Partition] = {}
        self._places: dict[str, tuple[TopicPartition, int]] = {}
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._reviewed = time.monotonic()
        self._assigned: frozenset[TopicPartition] = frozenset()
        self._thread = threading.Thread(target=self._listen, name=f"ear-{role}", daemon=True)
        self._thread.start()

    @property
    def assigned(self) -> frozenset[TopicPartition]:
        """The partitions that this member hears."""
        return self._assigned

    def rung(self) -> Collection[str]:
        """Return the ids of the events whose doorbells were heard and are not done."""
        with self._lock:
            return set(self._places)

    def position(self, partition: TopicPartition) -> int:
        """Return where the ear reads on in a partition."""
        with self._lock:
            return self._partitions[partition].next if partition in self._partitions else 0

    def done(self, event_id: str) -> None:
        """Forget a doorbell: its offset may be committed."""
        with self._lock:
            place = self._places.pop(event_id, None)
            if place is not None:
                self._partitions[place[0]].rung.pop(place[1], None)

    def close(self) -> None:
        """Leave the group."""
        self._stop.set()
        self._thread.join()

    def _listen(self) -> None:
        failures = 0
        while not self._stop.is_set():
            try:
                with closing(self._member()) as member:
                    member.subscribe([self._topic])
                    self._learn(member)
                    while not self._stop.is_set():
                        self._turn(member)
                        failures = 0
                    self._commit(member, wait=True)
            except (KafkaError, OSError, InfrastructureError) as error:
                failures += 1
                delay = min(10.0, 0.1 * 2**failures)
                self._deaf(f"{self._topic} is not heard: {error}")
                self._stop.wait(delay)
            except Exception:
                failures += 1
                logger.exception("the ear of %s failed", self._topic)
                self._stop.wait(min(10.0, 0.1 * 2**failures))
            finally:
                self._keep(())

    def _member(self) -> Any:
        hearing = self._hearing
        return consumer(
            self._address,
            group_id=self.group_id,
            partition_assignment_strategy=[CooperativeStickyAssignor],
            session_timeout_ms=int(hearing.session_seconds * 1000),
            heartbeat_interval_ms=int(hearing.session_seconds * 1000 / 5),
            max_poll_interval_ms=int(hearing.max_poll_seconds * 1000),
        )

    def _learn(self, member: Any) -> None:
        """Learn of the topic's partitions before joining.

        A member of kafka-python that leads its group and does not know them assigns none, and
        sometimes nobody asks again.
        """
        if not member.partitions_for_topic(self._topic):
            raise InfrastructureError(f"there is no topic {self._topic}; see ensure_topics")

    def _turn(self, member: Any) -> None:
        polled = member.poll(timeout_ms=int(self._hearing.poll_seconds * 1000))
        self._keep(member.assignment())
        for partition, kept in self._partitions.items():
            for record in polled.get(partition, ()):
                self._hear(partition, record)
            kept.next = member.position(partition, timeout_ms=0) or kept.next
        if polled:
            self._rang()
        self._review()
        self._commit(member)
        if len(self._places) >= self._hearing.most:
            member.pause(*member.assignment())
        elif member.paused():
            member.resume(*member.paused())

    def _keep(self, assigned: Iterable[TopicPartition]) -> None:
        """Forget what was heard of partitions that are another member's by now.

        The assignment is compared after each poll: a listener would run where heartbeats do.
        """
        kept = frozenset(assigned)
        with self._lock:
            for partition in [each for each in self._partitions if each not in kept]:
                for envelope in self._partitions.pop(partition).rung.values():
                    del self._places[envelope.id]
            for partition in kept - self._partitions.keys():
                self._partitions[partition] = _Partition()
            self._assigned = kept

    def _hear(self, partition: TopicPartition, record: Any) -> None:
        try:
            envelope = from_message(record.headers, record.value)
            if envelope.type not in ROLES[self.role]:
                raise UndecodableError(f"{envelope.type!r} rings no {self.role}")
            reason = self._known(envelope)
            if reason:
                raise UndecodableError(reason)
        except UndecodableError as error:
            self._bury(record, error)
            return
        if self._settled(envelope):
            return
        place = (partition, record.offset)
        with self._lock:
            # Of an event that rings twice the first place is kept, and holds the offset.
            if self._places.setdefault(envelope.id, place) == place:
                self._partitions[partition].rung[record.offset] = envelope

    def _bury(self, record: Any, error: UndecodableError) -> None:
        place = f"{record.topic}/{record.partition}/{record.offset}"
        logger.warning("%s is no doorbell, and goes to the dead letters: %s", place, error)
        headers = tuple((name, value or b"") for name, value in record.headers)
        self._office.send(
            dead_letter(
                Message(record.topic, record.key or b"", headers, record.value or b""),
                error=f"{type(error).__name__}: {error}",
                attempts=1,
                partition=record.partition,
                offset=record.offset,
            )
        )

    def _review(self) -> None:
        """Forget what was done or parked by others; the oldest first, a part at a time."""
        if time.monotonic() - self._reviewed < self._hearing.review_seconds:
            return
        self._reviewed = time.monotonic()
        with self._lock:
            oldest = [
                envelope
                for kept in self._partitions.values()
                for envelope in islice(kept.rung.values(), _REVIEWED)
            ]
        for envelope in oldest:
            if self._settled(envelope):
                self.done(envelope.id)

    def _commit(self, member: Any, *, wait: bool = False) -> None:
        with self._lock:
            moved = {
                partition: kept.done
                for partition, kept in self._partitions.items()
                if kept.done > kept.committed and kept.next
            }
            for partition, offset in moved.items():
                self._partitions[partition].committed = offset
        if not moved:
            return
        offsets = {each: OffsetAndMetadata(offset, "", -1) for each, offset in moved.items()}
        if wait:
            member.commit(offsets, timeout_ms=2000)
        else:
            member.commit_async(offsets)
