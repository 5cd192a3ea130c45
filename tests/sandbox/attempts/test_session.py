"""The sealed session."""

import pickle

import pytest

from envwright.sandbox.attempts import open_attempt, sealed_session
from envwright.sandbox.worlds import CallResult
from support.packages import desk_bundle


class Recorder:
    """A world that keeps what it is called with, and gives back one list of its own."""

    def __init__(self):
        self.asked = []
        self.rows = ["mine"]

    def call(self, name, arguments):
        self.asked.append((name, arguments))
        return CallResult(ok=True, value=self.rows)


def reachable(start):
    """Yield everything that attributes lead to, but for Python's own underscored ones."""
    seen, open_ = [], [start]
    while open_:
        thing = open_.pop()
        if any(thing is other for other in seen):
            continue
        seen.append(thing)
        yield thing
        names = [name for name in dir(thing) if not name.startswith("__")]
        open_ += [getattr(thing, name) for name in names]


def test_a_session_has_call_alone():
    with open_attempt(desk_bundle(), 0) as attempt:
        assert [name for name in dir(attempt.session) if not name.startswith("__")] == ["call"]
        assert not hasattr(attempt.session, "__dict__")


def test_no_attribute_leads_to_the_world_the_trace_or_the_package():
    with open_attempt(desk_bundle(), 0) as attempt:
        kinds = (type(attempt), type(attempt.world), list)
        assert not [thing for thing in reachable(attempt.session) if isinstance(thing, kinds)]


def test_a_session_cannot_be_given_another_call_or_packed():
    with open_attempt(desk_bundle(), 0) as attempt:
        with pytest.raises(AttributeError):
            attempt.session.call = print
        with pytest.raises((AttributeError, pickle.PicklingError, TypeError)):
            pickle.dumps(attempt.session)


def test_an_observation_tells_nothing_of_what_was_read_or_written():
    with open_attempt(desk_bundle(), 0) as attempt:
        arguments = {"ticket_id": "T-1002", "outcome": "repaired"}
        observation = attempt.session.call("close_ticket", arguments)
        assert set(observation.model_dump()) == {"ok", "value"}
        assert attempt.trace[0][1].writes


def test_arguments_that_change_later_change_nothing():
    world, trace = Recorder(), []
    arguments = {"items": ["a"]}
    sealed_session(world, trace).call("add", arguments)
    arguments["items"].append("b")
    assert world.asked == [("add", {"items": ["a"]})]
    assert trace[0][0].arguments == {"items": ["a"]}


def test_the_record_is_no_way_into_the_world():
    world, trace = Recorder(), []
    sealed_session(world, trace).call("add", {"items": ["a"]})
    trace[0][0].arguments["items"].append("b")
    assert world.asked == [("add", {"items": ["a"]})]


def test_a_value_that_the_solver_changes_is_its_own():
    world = Recorder()
    sealed_session(world, []).call("get", {}).value.append("yours")
    assert world.rows == ["mine"]


def test_numbers_reach_the_world_as_a_record_will_give_them_back():
    world = Recorder()
    sealed_session(world, []).call("add", {"amount": 25.0})
    assert repr(world.asked) == "[('add', {'amount': 25})]"


def deep():
    value = []
    for _ in range(100_000):
        value = [value]
    return value


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("add", {"a": float("nan")}),
        ("add", {"a": object()}),
        ("add", {1: "a"}),
        ("add", {"a": deep()}),
        ("add", [1]),
        ("add", None),
        (7, {}),
    ],
    ids=["NaN", "object", "number as key", "too deep", "list", "none", "number as name"],
)
def test_a_call_that_is_not_json_is_an_observation_and_never_reaches_the_world(name, arguments):
    world, trace = Recorder(), []
    observation = sealed_session(world, trace).call(name, arguments)
    assert not observation.ok
    assert observation.value.startswith("Error: ")
    assert not world.asked
    assert len(trace) == 1
