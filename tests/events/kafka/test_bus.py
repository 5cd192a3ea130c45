"""The Kafka bus, against a real broker."""

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from envwright.events.errors import EnvwrightError
from envwright.events.kafka import ensure_topics, read_dead_letters
from envwright.events.kafka.clients import producer
from envwright.events.messages import doorbell_topic, events_topic
from envwright.events.ports import Delivery
from support.kafka_adapters import HEARING, KafkaAdapters, OnKafka
from support.kafka_broker import SMALL, fresh_address
from support.kafka_reading import positions, read_topic
from support.store_conformance_bus import BusConformance, keys, serve
from support.store_events import GROUP, commit, drafted, finishing, gate
from support.waiting import waited

pytestmark = [pytest.mark.kafka]

TTL = 30.0

Open = Callable[..., KafkaAdapters]


class TestKafkaBus(OnKafka, BusConformance):
    pass


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Open]:
    """Opens adapters with settings of the test's own."""
    made: list[KafkaAdapters] = []

    def open_adapters(servers: str | None = None, **settings: Any) -> KafkaAdapters:
        address = fresh_address(servers)
        ensure_topics(address, SMALL)
        made.append(KafkaAdapters(tmp_path / "home", address, **settings))
        return made[-1]

    yield open_adapters
    for each in made:
        each.close()


def ring(adapters: KafkaAdapters, value: bytes, headers: list[tuple[str, bytes]]) -> None:
    """Write something to the Tester's doorbells that no relay has written."""
    with closing(producer(adapters.address)) as sender:
        topic = doorbell_topic("tester", adapters.address.prefix)
        sender.send(topic, value, b"key", headers).get(timeout=20)


def worker(
    adapters: KafkaAdapters,
    served: list[str],
    stop: threading.Event,
    handle: Callable[[Delivery], None] = lambda delivery: None,
) -> threading.Thread:
    """Run what a worker does: poll, claim, handle, commit, acknowledge."""
    subscription = adapters.kafka.subscribe(GROUP, ["tester"])

    def work() -> None:
        while not stop.is_set():
            for delivery in subscription.poll(limit=2, timeout=0.1):
                claim = adapters.leases.claim(delivery.work, holder=str(id(served)), ttl=TTL)
                if claim is None:
                    continue
                handle(delivery)
                adapters.log.commit(finishing(claim, gate(f"out-{claim.work.work}", "outputs")))
                served.append(delivery.envelope.idempotency_key)
                subscription.ack(delivery)
        subscription.close()

    thread = threading.Thread(target=work)
    thread.start()
    return thread


def test_a_lost_doorbell_is_served_after_the_rescue_time(opened):
    adapters = opened(leads=False, rescue=1.0)
    adapters.log.commit(commit(drafted("1")))
    subscription = adapters.kafka.subscribe(GROUP, ["tester"])
    started = time.monotonic()
    assert subscription.poll(limit=5, timeout=0) == []
    [delivery] = subscription.poll(limit=5, timeout=20)
    assert 0.9 < time.monotonic() - started < 10
    assert [each.work for each in subscription.poll(limit=5, timeout=0)] == [delivery.work]
    assert serve(adapters, delivery)
    subscription.ack(delivery)
    assert subscription.poll(limit=5, timeout=1.5) == []


def test_what_is_reissued_rings_nowhere_and_is_rescued(opened):
    adapters = opened(rescue=1.0, hearing=replace(HEARING, review_seconds=0.1))
    adapters.log.commit(commit(drafted("1")))
    subscription = adapters.kafka.subscribe(GROUP, ["tester"])
    [delivery] = subscription.poll(limit=1, timeout=20)
    subscription.park(delivery, error="ValueError: odd")
    [ear] = adapters.kafka.ears
    waited(ear.rung, lambda found: found == set())
    adapters.leases.reissue("run-1")
    [again] = subscription.poll(limit=1, timeout=20)
    assert again.work == delivery.work


def test_a_handler_slower_than_the_poll_interval_keeps_its_partitions_and_runs_once(opened):
    adapters = opened(hearing=replace(HEARING, max_poll_seconds=1.0))
    served: list[str] = []
    runs: Counter[str] = Counter()
    stop = threading.Event()

    def slowly(delivery: Delivery) -> None:
        runs[delivery.work.work] += 1
        time.sleep(3.0)

    thread = worker(adapters, served, stop, slowly)
    try:
        [ear] = adapters.kafka.ears
        waited(lambda: ear.assigned)
        before = ear.assigned
        adapters.log.commit(commit(drafted("1")))
        adapters.log.commit(commit(drafted("2", "q")))
        waited(lambda: runs, lambda seen: len(seen) == 1)
        for _ in range(20):
            assert ear.assigned == before
            time.sleep(0.1)
        waited(lambda: served, lambda done: sorted(done) == ["1", "2"])
    finally:
        stop.set()
        thread.join()
    assert set(runs.values()) == {1}


def test_a_doorbell_that_rings_again_is_served_once(opened):
    adapters = opened()
    served: list[str] = []
    stop = threading.Event()
    adapters.log.commit(commit(drafted("1")))
    thread = worker(adapters, served, stop)
    try:
        waited(lambda: served)
        topic = doorbell_topic("tester", adapters.address.prefix)
        [bell] = read_topic(adapters.address, topic)
        for _ in range(5):
            ring(adapters, bell.value, list(bell.headers))
        adapters.settle()
        adapters.log.commit(commit(drafted("2")))
        waited(lambda: served, lambda done: len(done) > 1)
        assert served == ["1", "2"]
    finally:
        stop.set()
        thread.join()
    assert list(read_dead_letters(adapters.address)) == []


def test_poison_in_the_topic_is_buried_and_the_rest_is_served(opened):
    adapters = opened()
    adapters.log.commit(commit(drafted("1")))
    subscription = adapters.kafka.subscribe(GROUP, ["tester"])
    ring(adapters, b"\x00\xff", [("ce_id", b"1")])
    [delivery] = subscription.poll(limit=5, timeout=20)
    assert delivery.envelope.idempotency_key == "1"
    [letter] = waited(lambda: list(read_dead_letters(adapters.address)))
    assert letter.message.value == b"\x00\xff"
    assert letter.reasons["error-class"] == "UndecodableError"


class Unreadable(str):
    """A header name that is no UTF-8 on the wire."""

    def encode(self, encoding: str = "utf-8", errors: str = "strict") -> bytes:
        return b"\xff\xfe"


def test_a_record_that_the_client_cannot_read_slows_its_role_and_loses_nothing(opened):
    adapters = opened(rescue=1.0)
    ring(adapters, b"v", [(Unreadable("x"), b"1")])
    for number in range(8):
        adapters.log.commit(commit(drafted(str(number), f"p{number}")))
    served: list[str] = []
    stop = threading.Event()
    thread = worker(adapters, served, stop)
    waited(lambda: served, lambda done: len(done) == 8)
    stop.set()
    thread.join(20)
    assert not thread.is_alive()


def test_an_event_that_the_log_does_not_hold_is_no_doorbell(opened):
    adapters = opened()
    adapters.log.commit(commit(drafted("1")))
    adapters.relayed()
    [bell] = read_topic(adapters.address, doorbell_topic("tester", adapters.address.prefix))
    headers = dict(bell.headers)
    ring(adapters, bell.value, list({**headers, "ce_id": b"forged"}.items()))
    ring(
        adapters, bell.value, list({**headers, "ce_runid": b"forged", "ce_hash": b"f" * 64}.items())
    )
    subscription = adapters.kafka.subscribe(GROUP, ["tester"])
    letters = waited(
        lambda: list(read_dead_letters(adapters.address)), lambda found: len(found) == 2
    )
    reasons = sorted(letter.reasons["error"] for letter in letters)
    assert "holds no event 'forged'" in reasons[1] and "with another hash" in reasons[0]
    subscription.close()


def test_a_handler_that_cannot_know_the_version_parks_it_in_the_dead_letters(opened):
    """Bounded retries, then the dead letters; only its own stream and group wait for it."""
    adapters = opened()
    unknown = drafted("1")
    fact = unknown.fact.model_copy(update={"schema_version": 99})
    adapters.log.commit(commit(unknown.model_copy(update={"fact": fact})))
    adapters.log.commit(commit(drafted("2")))
    adapters.log.commit(commit(drafted("3", "q")))
    subscription = adapters.bus.subscribe(GROUP, ["tester"])
    other = adapters.bus.subscribe("other", ["tester"])
    tries = 0
    while "1" in keys(subscription):
        delivery = subscription.poll(limit=1, timeout=0)[0]
        claim = adapters.leases.claim(delivery.work, holder="w", ttl=TTL)
        assert claim is not None
        try:
            _ = delivery.envelope.fact
        except EnvwrightError as error:
            tries += 1
            told = f"{type(error).__name__}: {error}"
            if claim.failures < 3:
                adapters.leases.retry(claim, delay=0.0)
            else:
                adapters.leases.park(claim, error=told)
        subscription.ack(delivery)
    assert tries == 4
    assert keys(subscription) == ["3"] and keys(other) == ["1", "2", "3"]
    adapters.relayed()
    [letter] = read_dead_letters(adapters.address)
    assert letter.reasons["error-class"] == "UnknownSchemaError"
    assert "schema version 99" in letter.reasons["error"]
    assert letter.reasons["attempts"] == "4"
    assert letter.reasons["group"] == "group.tester"
    [original] = [
        each
        for each in read_topic(adapters.address, doorbell_topic("tester", adapters.address.prefix))
        if dict(each.headers)["ce_idempotencykey"] == b"1"
    ]
    assert letter.message.value == original.value
    assert list(letter.message.headers) == list(original.headers)
    adapters.leases.reissue("run-1")
    assert keys(subscription) == ["1", "2", "3"]


def test_members_share_the_work_and_a_member_that_leaves_loses_none(opened):
    adapters = opened()
    other = adapters.again()
    served: tuple[list[str], list[str]] = ([], [])
    stops = (threading.Event(), threading.Event())
    threads = [
        worker(place, done, stop, lambda _: time.sleep(0.02))
        for place, done, stop in zip((adapters, other), served, stops, strict=True)
    ]
    try:
        waited(
            lambda: [len(ear.assigned) for place in (adapters, other) for ear in place.kafka.ears],
            lambda counts: counts == [2, 2],
        )
        for number in range(40):
            adapters.log.commit(commit(drafted(str(number), f"p{number}")))
        waited(lambda: served, lambda done: len(done[0]) > 2 and len(done[1]) > 2)
        stops[1].set()
        threads[1].join()
        waited(lambda: served, lambda done: len(done[0]) + len(done[1]) >= 40)
    finally:
        for thread, stop in zip(threads, stops, strict=True):
            stop.set()
            thread.join()
    assert sorted(map(int, served[0] + served[1])) == list(range(40))


@pytest.mark.filterwarnings("ignore:unclosed <socket:ResourceWarning")
@pytest.mark.slow
@pytest.mark.timeout(240)
def test_a_killed_broker_costs_time_and_nothing_else(opened, cluster):
    adapters = opened(cluster.bootstrap, rescue=2.0)
    served: list[str] = []
    stop = threading.Event()
    thread = worker(adapters, served, stop)
    try:
        for number in range(10):
            adapters.log.commit(commit(drafted(str(number), f"p{number}")))
        waited(lambda: served, lambda done: len(done) >= 5)
        cluster.kill(1)
        for number in range(10, 20):
            adapters.log.commit(commit(drafted(str(number), f"p{number}")))
        # The run goes on without the broker: the store knows what is open.
        waited(lambda: served, lambda done: len(done) == 20)
        cluster.start()
        for number in range(20, 30):
            adapters.log.commit(commit(drafted(str(number), f"p{number}")))
        waited(lambda: served, lambda done: len(done) == 30)
        adapters.relayed()
    finally:
        stop.set()
        thread.join()
    assert sorted(map(int, served)) == list(range(30))
    read = positions(adapters.address, events_topic(adapters.address.prefix))
    assert read == list(range(1, adapters.log.head() + 1))
    assert list(read_dead_letters(adapters.address)) == []
