"""A leader that sends a batch, says so, and commits when it is told to: `URL`."""

import sys
from typing import Any

from envwright.events.catalog import RunPaused
from envwright.events.errors import EnvwrightError
from envwright.events.kafka import KafkaAddress, KafkaPublisher
from envwright.events.messages import Announcer
from support.facts import recorded


class Waiting:
    """A producer that waits for a word before it commits."""

    def __init__(self, producer: Any) -> None:
        self._producer = producer

    def __getattr__(self, name: str) -> Any:
        return getattr(self._producer, name)

    def flush(self, timeout: float | None = None) -> None:
        self._producer.flush(timeout=timeout)
        print("sent", flush=True)
        sys.stdin.readline()


def main() -> None:
    address = KafkaAddress.parse(sys.argv[1])
    publisher = KafkaPublisher(address)
    publisher.lead()
    publisher._producer = Waiting(publisher._producer)
    events = recorded([RunPaused(run="r", cause="user") for _ in range(50)])
    try:
        publisher.publish(Announcer(lambda _: None, prefix=address.prefix).messages(events))
        print("published", flush=True)
    except EnvwrightError as error:
        print(type(error).__name__, flush=True)


if __name__ == "__main__":
    main()
