"""The interpreter against a naive second one, on programs of all primitives."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from envwright.events import encode, equal
from envwright.events.values import ToolSchema
from envwright.sandbox.worlds import World, open_world
from support.any_program import ARGUMENTS, PROGRAMS, TABLES
from support.naive_interpreter import Refused, naive_call
from support.shop import shop_files

ANY = {"type": "object", "properties": {name: {} for name in "xy"}}
CIRCUMSTANCES = {"clock": "2024-05-15T15:00:00Z", "counters": {"c": 4}}


def opened(program: Any, world: Any) -> World:
    """Open a world with one tool, as the naive interpreter has it."""
    tables = {name: {"key": "id", "rows": rows} for name, rows in world["tables"].items()}
    circumstances = {name: world[name] for name in CIRCUMSTANCES}
    tool = ToolSchema(name="do", parameters=ANY)
    return open_world("tables", (tool,), shop_files(tables, {"do": program}, circumstances))


@settings(max_examples=120)
@given(TABLES, TABLES, PROGRAMS, st.lists(ARGUMENTS, min_size=1, max_size=2))
def test_the_interpreter_does_what_the_naive_one_does(first, second, program, calls):
    naive: Any = {"tables": {"t": first, "u": second}, **CIRCUMSTANCES}
    world = opened(program, naive)
    for arguments in calls:
        outcome = world.call("do", arguments)
        try:
            expected, naive = naive_call(program, arguments, naive)
        except Refused as refused:
            assert not outcome.ok
            assert outcome.value.startswith("Error") and str(refused) in outcome.value
        else:
            assert outcome.ok, outcome.value
            assert equal(outcome.value, expected)
        state = world.state()
        assert equal({name: state[name] for name in naive}, naive)
        assert world.digest() == opened(program, naive).digest()
        assert encode(state) == encode(state, nfc=True)
