"""Failures: what goes wrong with a broker, as one of our errors that says what to do."""

from collections.abc import Iterator
from contextlib import contextmanager

from kafka.errors import (
    AuthorizationError,
    InvalidProducerEpochError,
    KafkaError,
    MessageSizeTooLargeError,
    ProducerFencedError,
    RecordListTooLargeError,
    SaslAuthenticationFailedError,
)

from envwright.events.errors import BadInputError, FencedError, InfrastructureError
from envwright.events.kafka.address import KafkaAddress

FENCED = (ProducerFencedError, InvalidProducerEpochError)
_TOO_LARGE = (MessageSizeTooLargeError, RecordListTooLargeError)


@contextmanager
def explained(address: KafkaAddress, what: str) -> Iterator[None]:
    """Turn the errors of kafka-python into ours.

    Raises:
        FencedError: another producer uses the transactional id by now.
        BadInputError: the broker refuses this for good: too large, or not allowed.
        InfrastructureError: anything else; it may work later.
    """
    try:
        yield
    except (KafkaError, OSError) as error:
        raise translated(error, address, what) from error


def translated(error: Exception, address: KafkaAddress, what: str) -> Exception:
    """Return our error for one of kafka-python's."""
    where = ",".join(address.servers)
    told = f"{type(error).__name__}: {error}"
    if isinstance(error, FENCED):
        return FencedError(f"{what}: another producer uses {address.transactional_id!r} by now")
    if isinstance(error, _TOO_LARGE):
        return BadInputError(
            f"{what}: {told}; raise max.message.bytes of the topic and message.max.bytes of {where}"
        )
    if isinstance(error, (AuthorizationError, SaslAuthenticationFailedError)):
        return BadInputError(f"{what}: {told}; check the user and its rights on {where}")
    return InfrastructureError(f"{what}: {told}; is there a broker at {where}?")
