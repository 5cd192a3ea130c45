"""Messages: which topics hear of an event, under which key, and what a dead letter says."""

from envwright.events import Fact, work_id
from envwright.events.catalog import DeliveryParked, GateEvaluated, PackageDrafted, RunPaused
from envwright.events.cloudevents import from_message, to_headers
from envwright.events.messages import (
    Announcer,
    dead_letter,
    dead_topic,
    doorbell_topic,
    events_topic,
    topics,
)
from envwright.events.ports import Message
from envwright.events.values import GateResult
from support.facts import recorded
from support.store_events import NO_BUNDLE

DRAFTED = PackageDrafted(
    package="p",
    round=1,
    ordinal=1,
    revision="a" * 64,
    bundle=NO_BUNDLE.model_copy(),
    gate_set=(),
    gate_set_digest="c" * 64,
)
GATE = GateEvaluated(
    package="p", revision="a" * 64, result=GateResult(gate="g", version="1", verdict="pass")
)


def parked(cause: str, *, group: str = "envwright.tester", error: str = "ValueError: odd") -> Fact:
    return DeliveryParked(work="w1", group=group, cause=cause, error=error, failures=4)


def test_topics_have_the_names_that_the_choreography_gives_them():
    assert events_topic() == "envwright.events.v1"
    assert doorbell_topic("solver") == "envwright.work.solver.v1"
    assert dead_topic(doorbell_topic("solver")) == "envwright.work.solver.v1.dead"
    assert events_topic("staging") == "staging.events.v1"
    assert doorbell_topic("solver", "staging") == "staging.work.solver.v1"
    assert topics("b")[0] == "b.events.v1" and "b.work.planner.v1" in topics("b")


def test_a_fact_is_keyed_by_what_it_is_about_and_a_doorbell_by_its_work():
    drafted, gate = recorded([DRAFTED, GATE])
    fact, bell, second = Announcer(lambda _: None).messages([drafted, gate])
    assert (fact.topic, fact.key) == ("envwright.events.v1", b"p")
    assert second.topic == fact.topic and second.key == fact.key
    assert bell.topic == "envwright.work.tester.v1"
    assert bell.key.decode() == work_id("envwright.tester", drafted.id)
    assert (bell.headers, bell.value) == (fact.headers, fact.value)
    assert from_message(fact.headers, fact.value) == drafted


def test_another_group_has_other_keys_and_another_prefix_other_topics():
    [drafted] = recorded([DRAFTED])
    fact, bell = Announcer(lambda _: None, group="b", prefix="staging").messages([drafted])
    assert fact.topic == "staging.events.v1" and bell.topic == "staging.work.tester.v1"
    assert bell.key.decode() == work_id("b.tester", drafted.id)


def test_a_parked_delivery_sends_the_bytes_of_its_doorbell_to_the_dead_letters():
    [drafted] = recorded([DRAFTED])
    told = recorded([parked(drafted.id)])
    fact, letter = Announcer({drafted.id: drafted}.get).messages(told)
    assert fact.topic == "envwright.events.v1"
    assert letter.topic == "envwright.work.tester.v1.dead"
    assert letter.value == drafted.payload
    assert letter.headers[: len(to_headers(drafted))] == to_headers(drafted)
    reasons = {name: value for name, value in letter.headers if name.startswith("dead-")}
    assert reasons == {
        "dead-error-class": b"ValueError",
        "dead-error": b"ValueError: odd",
        "dead-attempts": b"4",
        "dead-topic": b"envwright.work.tester.v1",
        "dead-work": b"w1",
        "dead-group": b"envwright.tester",
    }


def test_a_parked_delivery_of_no_known_role_or_cause_travels_as_a_fact_only():
    [drafted] = recorded([DRAFTED])
    strange = recorded([parked(drafted.id, group="envwright.painter")])
    assert len(Announcer({drafted.id: drafted}.get).messages(strange)) == 1
    assert len(Announcer(lambda _: None).messages(recorded([parked("gone")]))) == 1


def test_a_parked_delivery_of_a_newer_version_travels_as_a_fact_only():
    [told] = recorded([parked("e")])
    newer = told.model_copy(update={"schema_version": 99})
    assert len(Announcer(lambda _: None).messages([newer])) == 1


def test_a_dead_letter_names_where_it_came_from_and_keeps_what_it_had():
    message = Message("t", b"k", (("a", b"1"),), b"v")
    letter = dead_letter(message, error="\ud800 no class", attempts=1, partition=0, offset=17)
    assert letter.topic == "t.dead" and letter.value == b"v" and letter.key == b"k"
    reasons = dict(letter.headers)
    assert reasons["a"] == b"1" and "dead-error-class" not in reasons
    assert reasons["dead-error"] == b"\\ud800 no class"
    assert (reasons["dead-partition"], reasons["dead-offset"]) == (b"0", b"17")
    assert len(
        dict(dead_letter(message, error="x" * 10_000, attempts=1).headers)["dead-error"]
    ) == (4000)


def test_what_rings_nobody_has_no_doorbell():
    assert (
        len(Announcer(lambda _: None).messages(recorded([RunPaused(run="r", cause="user")]))) == 1
    )
