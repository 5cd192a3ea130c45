"""The publisher on Kafka: one transaction per batch, under the one id that fences stale leaders."""

import contextlib
from collections.abc import Sequence
from typing import Any

from kafka.errors import KafkaError, KafkaTimeoutError

from envwright.events.errors import FencedError, InfrastructureError
from envwright.events.kafka.address import KafkaAddress
from envwright.events.kafka.clients import producer
from envwright.events.kafka.failures import FENCED, translated
from envwright.events.kafka.tail import last_published
from envwright.events.ports import Message, Published

TRANSACTION_SECONDS = 60.0
"""After so long the broker aborts what a dead leader left open."""

_CLOSE_SECONDS = 2.0
_BATCH_BYTES = 262_144


class KafkaPublisher:
    """Publishes batches to Kafka; see `envwright.events.ports.Publisher` for the contract.

    The producer is disposable: after any error it is thrown away, and `lead` makes another.

    Args:
        address: the brokers and names.
        timeout: seconds that one call waits for the brokers at most.
    """

    def __init__(self, address: KafkaAddress, *, timeout: float = 30.0) -> None:
        self._address = address
        self._timeout = timeout
        self._producer: Any = None

    def lead(self) -> Published:
        """Fence every earlier leader, and say where its last committed batch ended."""
        self.close()
        try:
            self._producer = producer(self._address, **self._settings())
            self._producer.init_transactions()
        except (KafkaError, OSError) as error:
            self.close()
            raise translated(error, self._address, "the relay could not take the lead") from error
        return last_published(self._address)

    def publish(self, messages: Sequence[Message]) -> None:
        """Publish all messages in one transaction."""
        leading = self._producer
        if leading is None:
            raise InfrastructureError("there is no producer: lead first")
        sent: list[Any] = []
        try:
            leading.begin_transaction()
            for topic, key, headers, value in messages:
                sent.append(leading.send(topic, value=value, key=key, headers=list(headers)))
            # A batch that failed may be gone although its transaction could still be committed.
            leading.flush(timeout=self._timeout)
            if failure := _first_failure(sent):
                raise failure
            self._commit(leading)
        except (KafkaError, OSError) as error:
            cause = _first_failure(sent) or error
            self.close()
            raise self._explained(cause) from error

    def close(self) -> None:
        """Drop the producer and what it has not committed."""
        used, self._producer = self._producer, None
        if used is None:
            return
        try:
            used.close(timeout=_CLOSE_SECONDS)
        except KafkaError:
            # kafka-python leaves its thread and sockets to a producer that could not deliver.
            used._sender.force_close()
            used._sender.join(_CLOSE_SECONDS)
            with contextlib.suppress(KafkaError):
                used.close(timeout=0)

    def _commit(self, leading: Any) -> None:
        # What `commit_transaction` does; that has no timeout, and waits for ever for a broker.
        result = leading._transaction_manager.begin_commit()
        leading._sender.wakeup()
        if not result.wait(timeout_ms=int(self._timeout * 1000)):
            raise KafkaTimeoutError("the transaction was not committed in time")

    def _explained(self, error: Exception) -> Exception:
        if isinstance(error, FENCED):
            return FencedError("another relay leads by now; this one's batch was not published")
        return translated(error, self._address, "a batch may not have been published")

    def _settings(self) -> dict[str, Any]:
        milliseconds = int(self._timeout * 1000)
        return {
            "transactional_id": self._address.transactional_id,
            "batch_size": _BATCH_BYTES,
            "linger_ms": 5,
            "max_block_ms": milliseconds,
            "request_timeout_ms": milliseconds,
            "delivery_timeout_ms": 2 * milliseconds,
            "transaction_timeout_ms": int(TRANSACTION_SECONDS * 1000),
        }


def _first_failure(sent: Sequence[Any]) -> Exception | None:
    """Return why the first message failed: the transaction's own error only says that one did."""
    failures = (future.exception for future in sent if future.failed())
    return next(failures, None)
