"""Topics: made with the settings that the design rests on, and checked before anything relies."""

from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from kafka.admin import ConfigResource, NewTopic
from kafka.errors import TopicAlreadyExistsError

from envwright.events.errors import BadInputError, InfrastructureError
from envwright.events.kafka.address import KafkaAddress
from envwright.events.kafka.clients import MESSAGE_BYTES, admin
from envwright.events.kafka.failures import explained
from envwright.events.messages import dead_topic, events_topic, topics

_DAY = 24 * 60 * 60 * 1000
_SECONDS_FOR_NEW = 30.0


@dataclass(frozen=True)
class TopicSettings:
    """How topics are made; the defaults are ours.

    The numbers of partitions are fixed once and for all: another number would send a key to
    another partition, and its order would be lost.
    """

    event_partitions: int = 12
    work_partitions: int = 12
    """Of each role's doorbells: at most so many processes of a role hear their own."""
    replication: int | None = None
    """None is three, or as many as there are brokers."""
    event_days: int | None = None
    """Days for which facts are kept; None keeps them for ever."""
    work_days: int = 7
    dead_days: int = 30


@dataclass(frozen=True)
class TopicPlan:
    """What one topic must be."""

    name: str
    partitions: int
    replication: int
    settings: Mapping[str, str]


def topic_plans(
    address: KafkaAddress, settings: TopicSettings, brokers: int
) -> tuple[TopicPlan, ...]:
    """Return the plan of every topic of a deployment on so many brokers."""
    replication = settings.replication or min(3, brokers)

    def plan(name: str, partitions: int, days: int | None) -> TopicPlan:
        kept = {
            "cleanup.policy": "delete",
            "max.message.bytes": str(MESSAGE_BYTES),
            "min.insync.replicas": str(2 if replication > 2 else 1),
            "retention.bytes": "-1",
            "retention.ms": str(-1 if days is None else days * _DAY),
        }
        return TopicPlan(name, partitions, replication, kept)

    facts, *bells = topics(address.prefix)
    assert facts == events_topic(address.prefix)
    return (
        plan(facts, settings.event_partitions, settings.event_days),
        *(plan(bell, settings.work_partitions, settings.work_days) for bell in bells),
        *(plan(dead_topic(bell), 1, settings.dead_days) for bell in bells),
    )


def ensure_topics(address: KafkaAddress, settings: TopicSettings | None = None) -> None:
    """Make the topics that are missing, then check every one of them and the brokers.

    Raises:
        BadInputError: a topic or broker is not as it must be; the message names each setting,
            what was expected and the command that mends it.
        InfrastructureError: no broker can be reached.
    """
    with (
        explained(address, "the topics could not be checked"),
        closing(admin(address)) as client,
    ):
        brokers = [str(each["broker_id"]) for each in client.describe_cluster()["brokers"]]
        plans = topic_plans(address, settings or TopicSettings(), len(brokers))
        wrong = list(_small_brokers(client, brokers))
        if not wrong:
            _make_missing(client, plans)
            wrong = list(_differences(client, plans, address))
    if wrong:
        raise BadInputError("Kafka is not set up as Envwright needs it:\n- " + "\n- ".join(wrong))


def _make_missing(client: Any, plans: tuple[TopicPlan, ...]) -> None:
    known = set(client.list_topics())
    missing = [plan for plan in plans if plan.name not in known]
    for plan in missing:
        new = NewTopic(
            plan.name, plan.partitions, plan.replication, topic_configs=dict(plan.settings)
        )
        try:
            client.create_topics([new])
        except TopicAlreadyExistsError:
            continue  # Another process was quicker; the check sees to it.
    if missing:
        client.wait_for_topics([plan.name for plan in missing], int(_SECONDS_FOR_NEW * 1000))


def _small_brokers(client: Any, brokers: list[str]) -> Iterator[str]:
    """Yield what is wrong with brokers that would refuse our messages."""
    for broker in brokers:
        resource = ConfigResource("broker", broker, configs=["message.max.bytes"])
        found = client.describe_configs([resource], config_filter="all")["broker"][broker]
        size = int(found["message.max.bytes"]["value"])
        if size < MESSAGE_BYTES:
            yield (
                f"broker {broker} has message.max.bytes={size}, expected at least {MESSAGE_BYTES}; "
                f"kafka-configs.sh --alter --entity-type brokers --entity-name {broker} "
                f"--add-config message.max.bytes={MESSAGE_BYTES}"
            )


def _differences(client: Any, plans: tuple[TopicPlan, ...], address: KafkaAddress) -> Iterator[str]:
    described = {each["name"]: each for each in client.describe_topics([p.name for p in plans])}
    resources = [ConfigResource("topic", plan.name) for plan in plans]
    settings = client.describe_configs(resources, config_filter="all")["topic"]
    for plan in plans:
        partitions = described[plan.name]["partitions"]
        if not partitions:
            raise InfrastructureError(f"topic {plan.name} is not there yet; try again")
        if len(partitions) != plan.partitions:
            yield (
                f"topic {plan.name} has {len(partitions)} partitions, expected {plan.partitions}; "
                "say so in the settings, or use another topic prefix: partitions cannot change"
            )
        copies = min(len(each["replica_nodes"]) for each in partitions)
        if copies < plan.replication:
            yield (
                f"topic {plan.name} has {copies} replicas, expected {plan.replication}; "
                "reassign it with kafka-reassign-partitions.sh"
            )
        yield from _wrong_settings(plan, settings[plan.name], address)


def _wrong_settings(
    plan: TopicPlan, found: Mapping[str, Mapping[str, str]], address: KafkaAddress
) -> Iterator[str]:
    for name, expected in plan.settings.items():
        actual = found[name]["value"]
        enough = name in ("max.message.bytes", "min.insync.replicas")
        if actual == expected or (enough and int(actual) >= int(expected)):
            continue
        yield (
            f"topic {plan.name} has {name}={actual}, expected {expected}; "
            f"kafka-configs.sh --bootstrap-server {address.servers[0]} --alter "
            f"--entity-type topics --entity-name {plan.name} --add-config {name}={expected}"
        )
