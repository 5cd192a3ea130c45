"""The store's adapters with Kafka as the bus: a relay runs, and polls wait for what has rung."""

import threading
from collections.abc import Collection, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from kafka import KafkaConsumer, TopicPartition

from envwright.events.kafka import Hearing, KafkaAddress, KafkaBus, KafkaPublisher, ensure_topics
from envwright.events.messages import doorbell_topic
from envwright.events.ports import Delivery, Subscription
from envwright.store.relay import Relay
from support.kafka_broker import SMALL, fresh_address
from support.store_adapters import SqliteAdapters
from support.waiting import waited

HEARING = Hearing(poll_seconds=0.05, session_seconds=6.0, review_seconds=60.0)
RESCUE = 60.0
"""So long that no test of the suite passes by a rescue."""


class KafkaAdapters(SqliteAdapters):
    """An embedded home whose events travel over Kafka, carried by a relay of its own."""

    def __init__(
        self,
        home: Path,
        address: KafkaAddress,
        *,
        leads: bool = True,
        rescue: float = RESCUE,
        hearing: Hearing = HEARING,
    ) -> None:
        super().__init__(home)
        self.address = address
        self._buses: list[KafkaBus] = []
        self.kafka = KafkaBus(
            address,
            truth=self.store.bus,
            log=self.log,
            leases=self.leases,
            rescue=rescue,
            hearing=hearing,
        )
        self._buses.append(self.kafka)
        self.bus = SettledBus(self)
        self.relay = Relay(
            self.log,
            KafkaPublisher(address, timeout=5.0),
            group="group",
            prefix=address.prefix,
            patience=0,
        )
        self._stop = threading.Event()
        self._relaying = threading.Thread(target=self.relay.run, args=(self._stop,))
        if leads:
            self._relaying.start()

    def again(self) -> "KafkaAdapters":
        other = KafkaAdapters(self.home, self.address, leads=False)
        other.store.database.clock_offset = self.store.database.clock_offset
        self._others.append(other)
        self._buses.append(other.kafka)
        other._buses = self._buses
        return other

    def relayed(self) -> None:
        """Wait until everything in the log has been published."""
        waited(lambda: self.log.cursor(f"relay/{self.address.prefix}") >= self.log.head())

    def settle(self) -> None:
        """Wait until every doorbell that was rung has been heard by some member."""
        self.relayed()
        ends = end_offsets(self.address, {ear.role for bus in self._buses for ear in bus.ears})

        def heard() -> bool:
            groups: dict[str, dict[TopicPartition, int]] = {}
            for ear in (ear for bus in self._buses for ear in bus.ears):
                places = {each: ear.position(each) for each in ear.assigned}
                groups.setdefault(ear.group_id, {}).update(places)
            return all(
                places.get(partition, -1) >= end
                for places in groups.values()
                for partition, end in ends.items()
                if any(each.topic == partition.topic for each in places) or not places
            )

        waited(heard)

    def close(self) -> None:
        self._stop.set()
        if self._relaying.ident is not None:
            self._relaying.join()
        self.kafka.close()
        super().close()


def end_offsets(address: KafkaAddress, roles: Collection[str]) -> dict[TopicPartition, int]:
    """Return where the doorbell topics of some roles end."""
    with closing(KafkaConsumer(**address.client, isolation_level="read_committed")) as consumer:
        partitions = [
            TopicPartition(topic, number)
            for topic in (doorbell_topic(role, address.prefix) for role in roles)
            for number in consumer.partitions_for_topic(topic) or ()
        ]
        return dict(consumer.end_offsets(partitions)) if partitions else {}


class SettledBus:
    """The Kafka bus; a poll that does not wait looks when all that was rung has been heard."""

    def __init__(self, adapters: KafkaAdapters) -> None:
        self._adapters = adapters

    def subscribe(
        self, group: str, roles: Collection[str], *, run_id: str | None = None
    ) -> "SettledSubscription":
        inner = self._adapters.kafka.subscribe(group, roles, run_id=run_id)
        return SettledSubscription(self._adapters, inner)

    def lag(self, group: str, roles: Collection[str]) -> dict[str, int]:
        return self._adapters.kafka.lag(group, roles)

    def notify(self) -> None:
        self._adapters.kafka.notify()


class SettledSubscription:
    """A subscription that settles before a poll without patience."""

    def __init__(self, adapters: KafkaAdapters, inner: Subscription) -> None:
        self._adapters = adapters
        self._inner = inner

    def poll(self, *, limit: int, timeout: float) -> list[Delivery]:
        if timeout == 0:
            self._adapters.settle()
        return self._inner.poll(limit=limit, timeout=timeout)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)


class OnKafka:
    """Runs the suite that it is mixed into with Kafka as the bus."""

    @pytest.fixture
    def adapters(self, tmp_path: Path) -> Iterator[KafkaAdapters]:
        address = fresh_address()
        ensure_topics(address, SMALL)
        adapters = KafkaAdapters(tmp_path / "home", address)
        yield adapters
        adapters.close()
