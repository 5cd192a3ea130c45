"""Topics: made as they must be, and whatever is not is named with what mends it."""

from contextlib import closing

import pytest
from kafka.admin import ConfigResource, NewTopic

from envwright.events import ROLES
from envwright.events.errors import BadInputError, InfrastructureError
from envwright.events.kafka import KafkaAddress, TopicSettings, ensure_topics
from envwright.events.kafka.clients import admin
from envwright.events.kafka.topics import topic_plans
from envwright.events.messages import dead_topic, doorbell_topic, events_topic
from support.kafka_broker import SMALL, fresh_address

DAY = 24 * 60 * 60 * 1000


def test_a_plan_says_what_every_topic_must_be():
    address = KafkaAddress(("h:1",))
    plans = {plan.name: plan for plan in topic_plans(address, TopicSettings(), brokers=5)}
    facts = plans["envwright.events.v1"]
    assert (facts.partitions, facts.replication) == (12, 3)
    assert facts.settings == {
        "cleanup.policy": "delete",
        "max.message.bytes": "1048576",
        "min.insync.replicas": "2",
        "retention.bytes": "-1",
        "retention.ms": "-1",
    }
    assert plans["envwright.work.solver.v1"].settings["retention.ms"] == str(7 * DAY)
    assert plans["envwright.work.solver.v1.dead"].partitions == 1
    assert len(plans) == 1 + 2 * len(ROLES)


@pytest.mark.parametrize(("brokers", "replication", "in_sync"), [(1, 1, "1"), (2, 2, "1")])
def test_few_brokers_hold_fewer_replicas(brokers, replication, in_sync):
    plans = topic_plans(KafkaAddress(("h:1",)), TopicSettings(), brokers)
    assert {plan.replication for plan in plans} == {replication}
    assert {plan.settings["min.insync.replicas"] for plan in plans} == {in_sync}


@pytest.mark.kafka
def test_topics_are_made_once_with_their_settings(address):
    ensure_topics(address, SMALL)
    ensure_topics(address, SMALL)
    names = [events_topic(address.prefix), doorbell_topic("judge", address.prefix)]
    with closing(admin(address)) as client:
        found = {each["name"]: each for each in client.describe_topics(names)}
        resource = ConfigResource("topic", names[1])
        settings = client.describe_configs([resource], config_filter="all")["topic"][names[1]]
        assert dead_topic(names[1]) in client.list_topics()
    assert [len(found[name]["partitions"]) for name in names] == [3, 4]
    assert settings["retention.ms"]["value"] == str(7 * DAY)
    assert settings["max.message.bytes"]["value"] == "1048576"


@pytest.mark.kafka
def test_what_is_wrong_is_named_with_its_remedy(address):
    facts = events_topic(address.prefix)
    bell = doorbell_topic("judge", address.prefix)
    settings = {"cleanup.policy": "compact", "max.message.bytes": "1000"}
    with closing(admin(address)) as client:
        client.create_topics([NewTopic(facts, 5, 1), NewTopic(bell, 4, 1, topic_configs=settings)])
    with pytest.raises(BadInputError) as refused:
        ensure_topics(address, SMALL)
    told = str(refused.value).splitlines()
    assert any(f"{facts} has 5 partitions, expected 3" in line for line in told)
    assert any("partitions cannot change" in line for line in told)
    assert any(
        f"{bell} has cleanup.policy=compact, expected delete; kafka-configs.sh" in line
        and "--add-config cleanup.policy=delete" in line
        for line in told
    )
    assert any(f"{bell} has max.message.bytes=1000, expected 1048576" in line for line in told)
    assert any(f"{facts} has retention.ms=604800000, expected -1" in line for line in told)


@pytest.mark.kafka
def test_more_than_is_needed_is_no_fault(address):
    bell = doorbell_topic("judge", address.prefix)
    ensure_topics(address, SMALL)
    with closing(admin(address)) as client:
        client.alter_configs([ConfigResource("topic", bell, {"max.message.bytes": "2000000"})])
    ensure_topics(address, SMALL)


@pytest.mark.kafka
@pytest.mark.slow
def test_a_broker_that_takes_smaller_messages_is_refused_at_start(tmp_path):
    from support.kafka_broker import new_cluster

    cluster = new_cluster(tmp_path / "small", message_max_bytes=500_000)
    cluster.start()
    try:
        address = fresh_address(cluster.bootstrap)
        with pytest.raises(
            BadInputError, match="message.max.bytes=500000, expected at least 1048"
        ) as told:
            ensure_topics(address, SMALL)
        assert "--add-config message.max.bytes=1048576" in str(told.value)
        with closing(admin(address)) as client:
            assert client.list_topics() == []
    finally:
        cluster.stop()


def test_no_broker_is_an_infrastructure_error():
    with pytest.raises(InfrastructureError, match=r"no broker listens at 127\.0\.0\.1:1"):
        ensure_topics(KafkaAddress(("127.0.0.1:1",)))
