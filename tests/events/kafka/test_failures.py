"""What kafka-python raises, as our errors."""

import pytest
from kafka import errors

from envwright.events.errors import BadInputError, FencedError, InfrastructureError
from envwright.events.kafka import KafkaAddress
from envwright.events.kafka.failures import explained

ADDRESS = KafkaAddress(("one:9092", "two:9092"))


@pytest.mark.parametrize(
    ("raised", "expected", "told"),
    [
        (errors.ProducerFencedError(), FencedError, "uses 'envwright.relay' by now"),
        (errors.InvalidProducerEpochError(), FencedError, "envwright.relay"),
        (errors.MessageSizeTooLargeError("1 MB"), BadInputError, "raise max.message.bytes"),
        (errors.TopicAuthorizationFailedError(), BadInputError, "its rights on one:9092,two:9092"),
        (errors.KafkaTimeoutError("late"), InfrastructureError, "a broker at one:9092,two:9092"),
        (errors.NotEnoughReplicasError(), InfrastructureError, "NotEnoughReplicasError"),
        (ConnectionResetError("gone"), InfrastructureError, "what: ConnectionResetError: gone"),
    ],
)
def test_every_error_says_what_to_do(raised, expected, told):
    with pytest.raises(expected) as caught, explained(ADDRESS, "what"):
        raise raised
    assert told in str(caught.value) and caught.value.__cause__ is raised


def test_other_errors_pass():
    with pytest.raises(ZeroDivisionError), explained(ADDRESS, "what"):
        raise ZeroDivisionError
