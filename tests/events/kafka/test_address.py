"""Addresses of Kafka deployments."""

import pytest

from envwright.events.errors import BadInputError
from envwright.events.kafka import KafkaAddress


def test_an_address_names_servers_prefix_and_options():
    address = KafkaAddress.parse("kafka://one:9093,two/staging?security_protocol=SSL&ssl_cafile=a")
    assert address.servers == ("one:9093", "two:9092")
    assert address.prefix == "staging"
    assert address.client == {
        "bootstrap_servers": ["one:9093", "two:9092"],
        "security_protocol": "SSL",
        "ssl_cafile": "a",
    }
    assert address.transactional_id == "staging.relay"


def test_the_prefix_begins_the_names_of_groups():
    plain = KafkaAddress.parse("kafka://one")
    assert plain.prefix == "envwright"
    assert plain.group_id("envwright.judge", None) == "envwright.judge"
    assert plain.group_id("other.judge", None) == "envwright.other.judge"
    assert plain.group_id("envwright.judge", "run-7") == "envwright.judge.run-7"
    assert KafkaAddress.parse("kafka://one/b").group_id("envwright.judge", None) == (
        "b.envwright.judge"
    )


def test_a_password_is_not_shown():
    address = KafkaAddress.parse("kafka://one?sasl_plain_password=secret")
    assert "secret" not in repr(address)


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("kafka://", "is no bus"),
        ("amqp://one", "expected kafka://HOST:9092"),
        ("one:9092", "is no bus"),
        ("kafka://one/a b", "prefix 'a b'"),
        ("kafka://one?acks=0", "no option .acks."),
    ],
)
def test_what_is_no_address_is_refused_with_what_is_expected(url, told):
    with pytest.raises(BadInputError, match=told):
        KafkaAddress.parse(url)
