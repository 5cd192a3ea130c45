"""Conformance suite of the world port: every kind's test class inherits it."""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from envwright.events import encode
from envwright.events.errors import BadInputError, InfrastructureError
from envwright.events.values import ToolCall
from envwright.sandbox.worlds import CallResult, World

SEED = 7

OF_TYPE: dict[str, Any] = {
    "string": "text",
    "integer": 3,
    "number": 2.5,
    "boolean": True,
    "null": None,
    "object": {"a": 1},
    "array": [1],
}


UNKNOWN_TOOLS: dict[str, Any] = {
    "unknown": "no_such_tool",
    "empty": "",
    "huge": "x" * 10**6,
    "null": None,
    "number": 10**5000,
    "list": ["get"],
}

NO_OBJECTS: dict[str, Any] = {
    "null": None,
    "text": "text",
    "number": 10**5000,
    "list": [1],
    "nothing": object(),
}

NO_JSON: dict[str, Any] = {
    "NaN": math.nan,
    "infinity": -math.inf,
    "object": object(),
    "set": {1, 2},
    "bytes": b"bytes",
    "number as key": {1: 2},
    "too deep": [],
    "in itself": [],
}
NO_JSON["in itself"].append(NO_JSON["in itself"])
for _ in range(5000):
    NO_JSON["too deep"] = [NO_JSON["too deep"]]

EXTREMES: dict[str, Any] = {
    "ten megabytes": "x" * 10**7,
    "lone surrogate": "\ud800",
    "NUL": "\x00",
    "5000 digits": 10**5000,
    "400 digits": -(10**400),
    "large float": 1e308,
    "wide": [0] * 200_000,
}


@dataclass(frozen=True)
class WorldCase:
    """A world to examine, and calls that are known to read, to write and to be refused."""

    open: Callable[[], World]
    """Opens an instance; all instances are of one environment."""
    reads: tuple[ToolCall, ...]
    """Each succeeds in the first state."""
    writes: tuple[ToolCall, ...]
    """They succeed one after another from the first state on, and each changes the state."""
    refused: tuple[ToolCall, ...]
    """Each is refused in the first state, by the tool itself."""

    def opened(self, seed: int = SEED) -> World:
        """Return a new instance at the first state of a seed."""
        world = self.open()
        world.reset(seed)
        return world

    def written(self) -> World:
        """Return a new instance on which all writes were made."""
        world = self.opened()
        for call in self.writes:
            assert run(world, call).ok
        return world


def run(world: World, call: ToolCall) -> CallResult:
    """Make a call."""
    return world.call(call.name, call.arguments)


def wrong_types(world: World, call: ToolCall) -> Iterator[dict[str, Any]]:
    """Yield the arguments of a call with one of them of a type that its schema excludes."""
    schema = next(tool for tool in world.tools() if tool.name == call.name).parameters
    for name, part in schema["properties"].items():
        allowed = part.get("type")
        if isinstance(allowed, str):
            fits = {allowed, "integer" if allowed == "number" else allowed}
            for value in (value for kind, value in OF_TYPE.items() if kind not in fits):
                yield {**call.arguments, name: value}


def spoil(value: Any) -> None:
    """Change every object and list inside a value."""
    if isinstance(value, dict):
        for part in list(value.values()):
            spoil(part)
        value["spoilt"] = True
    if isinstance(value, list):
        for part in value:
            spoil(part)
        value.append("spoilt")


class WorldConformance(ABC):
    """What every kind of world must do; a subclass says how to open one and what to call."""

    @abstractmethod
    def case(self) -> WorldCase:
        """Return the world and its calls."""

    # Resets

    def test_two_resets_with_one_seed_give_one_state(self) -> None:
        world = self.case().written()
        world.reset(SEED)
        first = world.digest(), encode(world.state())
        world.reset(SEED + 1)
        world.reset(SEED)
        assert (world.digest(), encode(world.state())) == first

    def test_two_instances_with_one_seed_have_one_state(self) -> None:
        one, other = self.case().opened(), self.case().opened()
        assert one.digest() == other.digest()
        assert encode(one.state()) == encode(other.state())

    def test_the_seed_is_part_of_the_state(self) -> None:
        assert self.case().opened(1).digest() != self.case().opened(2).digest()

    # Calls

    def test_tools_are_sorted_by_name(self) -> None:
        names = [tool.name for tool in self.case().open().tools()]
        assert names == sorted(set(names))

    def test_a_caller_that_changes_a_tool_changes_it_for_nobody(self) -> None:
        world, other = self.case().opened(), self.case().opened()
        before = [tool.model_dump() for tool in other.tools()]
        for tool in world.tools():
            spoil(tool.parameters)
        assert [tool.model_dump() for tool in world.tools()] == before
        assert [tool.model_dump() for tool in other.tools()] == before
        assert [tool.model_dump() for tool in self.case().open().tools()] == before

    def test_reads_leave_the_state_as_it_is(self) -> None:
        world = self.case().opened()
        before = world.digest()
        for call in self.case().reads:
            result = run(world, call)
            assert result.ok and not result.writes
            assert world.digest() == before

    def test_writes_change_the_digest_and_say_what_they_wrote(self) -> None:
        world = self.case().opened()
        for call in self.case().writes:
            before = world.digest()
            result = run(world, call)
            assert result.ok and result.writes
            assert world.digest() != before

    def test_the_same_calls_lead_to_the_same_state_and_results(self) -> None:
        one, other = self.case().opened(), self.case().opened()
        for call in (*self.case().writes, *self.case().reads):
            assert run(one, call) == run(other, call)
        assert one.digest() == other.digest()

    def test_who_asks_for_the_digest_in_between_does_not_change_it(self) -> None:
        asked = self.case().opened()
        for call in self.case().writes:
            asked.digest()
            run(asked, call)
        assert asked.digest() == self.case().written().digest()

    def test_a_caller_that_changes_a_result_or_a_state_does_not_change_the_world(self) -> None:
        world = self.case().opened()
        for call in (*self.case().reads, *self.case().writes):
            result = run(world, call)
            digest, state = world.digest(), encode(world.state())
            spoil(result.value)
            spoil(world.state())
            assert (world.digest(), encode(world.state())) == (digest, state)
        assert world.digest() == self.case().written().digest()

    def test_a_caller_that_changes_its_arguments_later_does_not_change_the_world(self) -> None:
        world = self.case().opened()
        for call in self.case().writes:
            arguments = call.model_copy(deep=True).arguments
            world.call(call.name, arguments)
            spoil(arguments)
        assert encode(world.state()) == encode(self.case().written().state())

    # Snapshots

    def test_a_snapshot_restores_exactly_in_the_same_instance(self) -> None:
        world = self.case().opened()
        for call in self.case().writes:
            before = world.digest(), encode(world.state()), world.snapshot()
            result = run(world, call)
            after = world.digest()
            world.restore(before[2])
            assert (world.digest(), encode(world.state()), world.snapshot()) == before
            assert run(world, call) == result
            assert world.digest() == after

    def test_a_snapshot_restores_exactly_in_another_instance(self) -> None:
        world, other = self.case().written(), self.case().opened(SEED + 1)
        run(other, self.case().writes[0])
        other.restore(world.snapshot())
        assert other.digest() == world.digest()
        assert encode(other.state()) == encode(world.state())
        assert other.snapshot() == world.snapshot()
        for call in (*self.case().reads, *self.case().refused):
            assert run(other, call) == run(world, call)

    def test_a_restored_instance_goes_its_own_way(self) -> None:
        world, other = self.case().opened(), self.case().opened()
        other.restore(world.snapshot())
        before = world.digest()
        run(other, self.case().writes[0])
        assert world.digest() == before

    @pytest.mark.parametrize("snapshot", [b"", b"{}", b"null", b"\xff\xfe", b"[" * 5000])
    def test_what_is_no_snapshot_is_bad_input_and_changes_nothing(self, snapshot: bytes) -> None:
        world = self.case().written()
        before = world.digest()
        with pytest.raises(BadInputError):
            world.restore(snapshot)
        assert world.digest() == before

    def test_half_a_snapshot_is_bad_input(self) -> None:
        world = self.case().written()
        with pytest.raises(BadInputError):
            world.restore(world.snapshot()[:-1])

    # Isolation

    def test_instances_never_see_each_other(self) -> None:
        case = self.case()
        calls = (*case.reads, *case.writes, *case.refused)
        steps = st.tuples(st.integers(0, 1), st.sampled_from(calls))

        @settings(max_examples=25)
        @given(st.lists(steps, max_size=12))
        def interleaved(plan: list[tuple[int, ToolCall]]) -> None:
            together = case.opened(), case.opened()
            results = [(who, run(together[who], call)) for who, call in plan]
            for who, world in enumerate(together):
                alone = case.opened()
                assert [run(alone, call) for whose, call in plan if whose == who] == [
                    result for whose, result in results if whose == who
                ]
                assert alone.digest() == world.digest()

        interleaved()

    # Bad input

    def refuses(self, world: World, name: Any, arguments: Any) -> None:
        """Assert that a call is a clean error that leaves the state."""
        before = world.digest(), world.snapshot()
        result = world.call(name, arguments)
        assert not result.ok and not result.writes
        assert isinstance(result.value, str) and result.value
        assert len(result.value) < 1000
        assert (world.digest(), world.snapshot()) == before

    def test_what_a_tool_refuses_leaves_the_state_as_it_is(self) -> None:
        world = self.case().opened()
        for call in self.case().refused:
            self.refuses(world, call.name, call.arguments)

    @pytest.mark.parametrize("what", UNKNOWN_TOOLS)
    def test_an_unknown_tool_is_refused(self, what: str) -> None:
        self.refuses(self.case().written(), UNKNOWN_TOOLS[what], {})

    @pytest.mark.parametrize("what", NO_OBJECTS)
    def test_arguments_that_are_no_object_are_refused(self, what: str) -> None:
        for call in self.case().writes:
            self.refuses(self.case().opened(), call.name, NO_OBJECTS[what])

    def test_a_missing_argument_is_refused(self) -> None:
        world = self.case().opened()
        required = {tool.name: tool.parameters.get("required", ()) for tool in world.tools()}
        for call in (*self.case().reads, *self.case().writes):
            for name in required[call.name]:
                others = {n: value for n, value in call.arguments.items() if n != name}
                self.refuses(world, call.name, others)

    def test_an_unknown_argument_is_refused(self) -> None:
        world = self.case().opened()
        for call in (*self.case().reads, *self.case().writes):
            self.refuses(world, call.name, {**call.arguments, "no such argument": 1})

    def test_an_argument_of_a_wrong_type_is_refused(self) -> None:
        world = self.case().opened()
        for call in (*self.case().reads, *self.case().writes):
            for arguments in wrong_types(world, call):
                self.refuses(world, call.name, arguments)

    @pytest.mark.parametrize("what", NO_JSON)
    def test_what_is_no_json_is_refused(self, what: str) -> None:
        world = self.case().opened()
        for call in self.case().writes:
            for name in call.arguments:
                self.refuses(world, call.name, {**call.arguments, name: NO_JSON[what]})

    @pytest.mark.parametrize("what", EXTREMES)
    def test_an_extreme_value_never_breaks_the_world(self, what: str) -> None:
        for call in (*self.case().reads, *self.case().writes):
            for name in call.arguments:
                world = self.case().opened()
                before = world.digest()
                result = world.call(call.name, {**call.arguments, name: EXTREMES[what]})
                assert result.ok or world.digest() == before
                other = self.case().opened()
                other.restore(world.snapshot())
                assert other.digest() == world.digest()

    # Close

    def test_a_closed_world_refuses_all_use(self) -> None:
        world = self.case().written()
        snapshot = world.snapshot()
        world.close()
        world.close()
        uses: list[Callable[[], object]] = [
            lambda: world.call("no_such_tool", {}),
            lambda: world.reset(SEED),
            lambda: world.restore(snapshot),
            world.digest,
            world.state,
            world.snapshot,
            world.tools,
        ]
        for use in uses:
            with pytest.raises(InfrastructureError):
                use()

    def test_closing_one_instance_leaves_the_others(self) -> None:
        one, other = self.case().written(), self.case().written()
        one.close()
        assert other.digest() == self.case().written().digest()
