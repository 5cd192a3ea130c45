"""Kafka: the relay, a typed reader and the bus, over kafka-python's own producer and consumer.

Run it by hand: `python tests/benchmarks/bench_kafka.py [--events N] [--rounds R]`. It uses the
broker in KAFKA_BOOTSTRAP_SERVERS, else one of its own. The baselines carry the same bytes with the
same settings: one transaction per batch, and a poll loop that only counts. Rounds are interleaved.
"""

import argparse
import logging
import sys
import threading
import time
from collections.abc import Callable
from contextlib import closing
from itertools import islice
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from kafka import TopicPartition

from envwright.events.cloudevents import from_message
from envwright.events.kafka import KafkaAddress, KafkaBus, KafkaPublisher, ensure_topics
from envwright.events.kafka.clients import consumer
from envwright.events.messages import Announcer, events_topic
from envwright.events.ports import Message
from envwright.store import Store, open_store
from envwright.store.relay import Relay
from support.kafka_broker import fresh_address
from support.store_events import GROUP, commit, drafted, finishing, gate

BATCH = 1000
TEXT = "what the gate saw, call by call; " * 24
"""With its header fields an event of about 1 KiB."""


def fill(store: Store, count: int) -> None:
    """Commit events that ring nobody, a hundred at a time."""
    for start in range(0, count, 100):
        keys = range(start, min(start + 100, count))
        store.log.commit(commit(*(gate(str(key), f"p{start // 100}", detail=TEXT) for key in keys)))


def rate(count: int, work: Callable[[], None]) -> float:
    """Return events per second."""
    started = time.perf_counter()
    work()
    return count / (time.perf_counter() - started)


def bare_produce(address: KafkaAddress, messages: list[Message]) -> float:
    """kafka-python's transactional producer with the relay's settings, and messages made before."""
    publisher = KafkaPublisher(address)
    publisher.lead()
    sender = publisher._producer

    def work() -> None:
        for start in range(0, len(messages), BATCH):
            sender.begin_transaction()
            for topic, key, headers, value in messages[start : start + BATCH]:
                sender.send(topic, value=value, key=key, headers=headers)
            sender.commit_transaction()

    # The library wants lists; making them is not its work.
    messages = [message._replace(headers=list(message.headers)) for message in messages]  # type: ignore[arg-type]
    found = rate(len(messages), work)
    publisher.close()
    return found


def relayed(address: KafkaAddress, store: Store, count: int) -> float:
    """The relay: read, encode, publish in transactions, move the cursor."""
    publisher = KafkaPublisher(address)
    relay = Relay(store.log, publisher, prefix=address.prefix, batch=BATCH)
    relay.lead()

    def work() -> None:
        while relay.step():
            pass

    found = rate(count, work)
    publisher.close()
    return found


def consumed(address: KafkaAddress, count: int, handle: Callable[[object], object]) -> float:
    """Read a topic from the beginning; `handle` sees each record."""
    topic = events_topic(address.prefix)
    with closing(consumer(address)) as reader:
        numbers = reader.partitions_for_topic(topic)
        reader.assign([TopicPartition(topic, number) for number in numbers])

        def work() -> None:
            seen = 0
            while seen < count:
                for records in reader.poll(timeout_ms=1000).values():
                    for record in records:
                        handle(record)
                    seen += len(records)

        return rate(count, work)


def decoded(record: object) -> object:
    """What a typed reader does with each record."""
    return from_message(record.headers, record.value)  # type: ignore[attr-defined]


def latencies(address: KafkaAddress, store: Store, count: int) -> list[float]:
    """Seconds from a commit's return to its handler, at some twenty commits a second."""
    publisher = KafkaPublisher(address)
    relay = Relay(store.log, publisher, group=GROUP, prefix=address.prefix, patience=0)
    bus = KafkaBus(address, truth=store.bus, log=store.log, leases=store.leases)
    stop, committed, handled = threading.Event(), {}, {}
    relaying = threading.Thread(target=relay.run, args=(stop,))
    subscription = bus.subscribe(GROUP, ["tester"])

    def work() -> None:
        while not stop.is_set():
            for delivery in subscription.poll(limit=4, timeout=0.2):
                claim = store.leases.claim(delivery.work, holder="bench", ttl=30)
                if claim is not None:
                    handled[delivery.envelope.idempotency_key] = time.perf_counter()
                    store.log.commit(finishing(claim))
                    subscription.ack(delivery)

    working = threading.Thread(target=work)
    for thread in (relaying, working):
        thread.start()
    for number in range(-5, count):
        store.log.commit(commit(drafted(f"d{number}", f"d{number}")))
        committed[f"d{number}"] = time.perf_counter()
        while number < 0 and f"d{number}" not in handled:
            time.sleep(0.05)
        time.sleep(0.05)
    while len(handled) < len(committed):
        time.sleep(0.05)
    stop.set()
    for thread in (relaying, working):
        thread.join()
    bus.close()
    publisher.close()
    return sorted(handled[key] - committed[key] for key in committed if not key.startswith("d-"))


def measure(count: int, rounds: int, folder: Path) -> dict[str, list[float]]:
    """Return the rates of each round, a new deployment for each case."""
    store = open_store(folder / "home")
    fill(store, count)
    found: dict[str, list[float]] = {}
    for number in range(rounds + 1):
        bare, ours = fresh_address(), fresh_address()
        for address in (bare, ours):
            ensure_topics(address)
        messages = Announcer(store.log.get, prefix=bare.prefix).messages(
            islice(store.log.read_all(), count)
        )
        rates = {
            "produce, bare": bare_produce(bare, messages),
            "relay": relayed(ours, store, count),
            "consume, bare": consumed(bare, count, lambda record: None),
            "consume, typed": consumed(ours, count, decoded),
        }
        if number:  # The first warms the broker up.
            for name, value in rates.items():
                found.setdefault(name, []).append(value)
    store.close()
    return found


def main() -> None:
    """Measure, and print rates and ratios."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--events", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--commits", type=int, default=200)
    options = parser.parse_args()
    logging.getLogger("kafka").setLevel(logging.CRITICAL)
    with TemporaryDirectory() as folder:
        found = measure(options.events, options.rounds, Path(folder))
        for name, rates in found.items():
            print(f"{name:16} {median(rates):9,.0f}/s  ({min(rates):,.0f} to {max(rates):,.0f})")
        for ours, base in (("relay", "produce, bare"), ("consume, typed", "consume, bare")):
            ratios = [mine / theirs for mine, theirs in zip(found[ours], found[base], strict=True)]
            print(f"{ours} / {base}: {median(ratios):.2f}  (goal 0.6)")
        address = fresh_address()
        ensure_topics(address)
        store = open_store(Path(folder) / "latency")
        took = latencies(address, store, options.commits)
        store.close()
        middle, late = took[len(took) // 2], took[int(len(took) * 0.99)]
        print(f"commit to handler: p50 {middle * 1000:.0f} ms, p99 {late * 1000:.0f} ms")


if __name__ == "__main__":
    main()
