"""The checkpointer fulfils LangGraph's contract, and no run notices when its file is lost."""

import asyncio
import operator
import re
import sqlite3
import tempfile
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Annotated, Any, TypedDict

import psycopg
import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.runnables import RunnableConfig
from langgraph.channels.delta import DeltaChannel
from langgraph.checkpoint.base import BaseCheckpointSaver, empty_checkpoint
from langgraph.checkpoint.conformance import checkpointer_test, validate
from langgraph.checkpoint.conformance.capabilities import Capability
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph
from langgraph.types import Command, Send, interrupt
from pydantic import BaseModel

from envwright.agents.checkpointer import Checkpointer
from envwright.events.errors import UnknownSchemaError
from support.postgres_server import database

CONFIG: RunnableConfig = {"configurable": {"thread_id": "t"}}


@checkpointer_test(name="Checkpointer")
async def fresh_checkpointer() -> AsyncIterator[Checkpointer]:
    with (
        tempfile.TemporaryDirectory() as folder,
        Checkpointer(f"sqlite:///{folder}/checkpoints.sqlite") as saver,
    ):
        yield saver


@pytest.mark.parametrize("capability", [each.value for each in Capability])
async def test_every_capability_of_the_conformance_suite_passes(capability: str) -> None:
    report = await validate(fresh_checkpointer, capabilities={capability})
    result = report.results[capability]
    assert (result.detected, result.failures) == (True, [])
    assert result.passed is True and result.tests_passed > 0


def test_the_conformance_suite_has_the_eight_capabilities_that_are_gated_here() -> None:
    assert len(Capability) == 8


@pytest.fixture
def server_validation(postgres_server_url: str) -> Any:
    @checkpointer_test(name="CheckpointerOnPostgres")
    async def fresh() -> AsyncIterator[Checkpointer]:
        with database(postgres_server_url) as url, Checkpointer(url) as saver:
            yield saver

    return fresh


@pytest.mark.postgres
@pytest.mark.parametrize("capability", [each.value for each in Capability])
async def test_every_capability_passes_on_a_server(server_validation: Any, capability: str) -> None:
    report = await validate(server_validation, capabilities={capability})
    result = report.results[capability]
    assert (result.detected, result.failures) == (True, [])
    assert result.passed is True and result.tests_passed > 0


class State(TypedDict, total=False):
    topic: str
    notes: Annotated[list[str], operator.add]
    steps: int


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "checkpoints.sqlite"


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def place(request: pytest.FixtureRequest, path: Path) -> Path | str:
    """Where checkpoints are kept, on each engine."""
    if request.param == "sqlite":
        return path
    return str(request.getfixturevalue("postgres_url"))


@pytest.fixture
def saver(place: Path | str) -> Iterator[Checkpointer]:
    with Checkpointer(place) as opened:
        yield opened


def loop_graph(
    saver: BaseCheckpointSaver[str], rounds: int, between: Callable[[int], None] = lambda _: None
) -> Any:
    """Count to `rounds`; `between` runs in every superstep; `topic` never changes."""

    def step(state: State) -> State:
        number = state.get("steps", 0) + 1
        between(number)
        return {"notes": [f"n{number}"], "steps": number}

    def route(state: State) -> str:
        return END if state.get("steps", rounds) >= rounds else "step"

    graph = StateGraph(State)
    graph.add_node("step", step)
    graph.add_edge(START, "step")
    graph.add_conditional_edges("step", route)
    return graph.compile(checkpointer=saver)


def asking_graph(saver: BaseCheckpointSaver[str]) -> Any:
    """Fan out to two tasks, then ask a person."""

    def work(state: State) -> State:
        return {"notes": [f"worked on {state['topic']}"]}

    def ask(state: State) -> State:
        return {"notes": [f"told {interrupt('what now?')}"]}

    graph = StateGraph(State)
    graph.add_node("work", work)
    graph.add_node("ask", ask)
    graph.add_conditional_edges(
        START, lambda _: [Send("work", {"topic": "a"}), Send("work", {"topic": "b"})], ["work"]
    )
    graph.add_edge("work", "ask")
    return graph.compile(checkpointer=saver)


def damage(place: Path | str, statement: str) -> None:
    if isinstance(place, str):
        with psycopg.connect(place) as server:
            server.execute(re.sub(r"x'(\w+)'", r"'\\x\1'", statement).encode())
        return
    with sqlite3.connect(place) as connection:
        connection.execute(statement)
    connection.close()


TOLD = ["worked on a", "worked on b", "told stop"]


def test_a_graph_goes_on_in_another_process_after_an_interrupt(place: Path | str) -> None:
    with Checkpointer(place) as first:
        assert "__interrupt__" in asking_graph(first).invoke({"topic": "x"}, CONFIG)
    with Checkpointer(place) as second:
        result = asking_graph(second).invoke(Command(resume="stop"), CONFIG)
    assert result["notes"] == TOLD


async def test_a_graph_goes_on_after_an_interrupt_asynchronously(saver: Checkpointer) -> None:
    graph = asking_graph(saver)
    await graph.ainvoke({"topic": "x"}, CONFIG)
    assert (await graph.ainvoke(Command(resume="stop"), CONFIG))["notes"] == TOLD
    history = [state async for state in graph.aget_state_history(CONFIG)]
    assert [state.metadata["step"] for state in history] == [2, 1, 0, -1]


async def test_asynchronous_calls_do_not_hold_up_the_event_loop(saver: Checkpointer) -> None:
    seen: list[str] = []
    original = saver.get_tuple

    def watched(config: RunnableConfig) -> Any:
        seen.append(threading.current_thread().name)
        return original(config)

    saver.get_tuple = watched  # type: ignore[method-assign]
    await asyncio.gather(*[saver.aget_tuple(CONFIG) for _ in range(3)])
    assert len(seen) == 3 and threading.main_thread().name not in seen


@pytest.mark.parametrize("durability", ["sync", "async", "exit"])
def test_a_saved_history_equals_that_of_the_memory_saver(
    saver: Checkpointer, durability: str
) -> None:
    def history(of: BaseCheckpointSaver[str]) -> list[Any]:
        graph = loop_graph(of, 3)
        graph.invoke({"topic": "x"}, CONFIG, durability=durability)
        return [(state.values, state.metadata) for state in graph.get_state_history(CONFIG)]

    assert history(saver) == history(InMemorySaver())


TABLES = ("graph_checkpoints", "graph_channels", "graph_writes")


def lose_file(place: Path | str) -> None:
    if isinstance(place, str):
        damage(place, f"DROP TABLE IF EXISTS {TABLES[0]}")
    else:
        place.unlink(missing_ok=True)


def lose_files(place: Path | str) -> None:
    if isinstance(place, str):
        for table in TABLES:  # One by one: together they would wait for each other's readers.
            damage(place, f"DROP TABLE IF EXISTS {table}")
        return
    for found in place.parent.glob(place.name + "*"):
        found.unlink()


def lose_rows(place: Path | str) -> None:
    for table in TABLES:
        damage(place, f"DELETE FROM {table}")


LOSSES: dict[str, Callable[[Path | str], None]] = {
    "the file": lose_file,
    "every file": lose_files,
    "all rows": lose_rows,
    "all values": lambda place: damage(place, "DELETE FROM graph_channels"),
    "a table": lambda place: damage(place, "DROP TABLE IF EXISTS graph_checkpoints"),
}


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("durability", ["sync", "async", "exit"])
def test_losing_the_checkpoints_in_mid_run_changes_nothing(
    saver: Checkpointer, place: Path | str, loss: str, durability: str
) -> None:
    saver.get_tuple(CONFIG)

    def lose(step: int) -> None:
        if step in (2, 3, 5):
            LOSSES[loss](place)

    graph = loop_graph(saver, 6, lose)
    result = graph.invoke({"topic": "kept"}, CONFIG, durability=durability)
    assert result == {"topic": "kept", "steps": 6, "notes": [f"n{n}" for n in range(1, 7)]}
    assert graph.get_state(CONFIG).values == result


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM graph_channels WHERE channel = 'topic'",
        "UPDATE graph_channels SET value = x'c1' WHERE channel = 'topic'",
        "UPDATE graph_checkpoints SET body = x'c1'",
        "UPDATE graph_checkpoints SET body = x'01'",
        "UPDATE graph_checkpoints SET metadata = x'c1'",
    ],
)
def test_a_damaged_checkpoint_counts_as_none(
    saver: Checkpointer, place: Path | str, statement: str
) -> None:
    graph = loop_graph(saver, 2)
    graph.invoke({"topic": "x"}, CONFIG)
    damage(place, statement)
    assert saver.get_tuple(CONFIG) is None
    assert all("topic" not in found.checkpoint["channel_values"] for found in saver.list(CONFIG))
    assert graph.invoke({"topic": "again"}, CONFIG)["notes"] == ["n1", "n2"]


def test_forks_from_one_checkpoint_keep_their_own_values(saver: Checkpointer) -> None:
    graph = loop_graph(saver, 1)
    graph.invoke({"topic": "x"}, CONFIG)
    start = list(graph.get_state_history(CONFIG))[-1].config
    left = graph.update_state(start, {"topic": "left"}, as_node="step")
    right = graph.update_state(start, {"topic": "right"}, as_node="step")
    assert graph.get_state(left).values["topic"] == "left"
    assert graph.get_state(right).values["topic"] == "right"


@given(st.none() | st.integers(0, 10**9) | st.floats(0, 1e9), st.integers(1, 12))
def test_versions_rise_and_never_repeat(current: Any, times: int) -> None:
    saver = Checkpointer("unused.sqlite")
    versions = [saver.get_next_version(current, None)]
    for _ in range(times):
        versions.append(saver.get_next_version(versions[-1], None))
    assert versions == sorted(set(versions))
    assert saver.get_next_version(current, None) != versions[0]


class Log(TypedDict):
    lines: Annotated[
        list[str], DeltaChannel(lambda state, writes: state + sum(writes, []), snapshot_frequency=4)
    ]


def delta_graph(saver: BaseCheckpointSaver[str], rounds: int) -> Any:
    graph = StateGraph(Log)
    graph.add_node("add", lambda state: {"lines": [f"l{len(state['lines'])}"]})
    graph.add_edge(START, "add")
    graph.add_conditional_edges(
        "add", lambda state: END if len(state["lines"]) % rounds == 0 else "add"
    )
    return graph.compile(checkpointer=saver)


@pytest.mark.parametrize("rounds", [1, 3, 4, 11])
def test_a_delta_channel_is_rebuilt_even_after_pruning(saver: Checkpointer, rounds: int) -> None:
    expected = [f"l{number}" for number in range(rounds)]
    graph = delta_graph(saver, rounds)
    graph.invoke({"lines": []}, CONFIG)
    assert graph.get_state(CONFIG).values["lines"] == expected
    before = len(list(saver.list(CONFIG)))
    saver.prune(["t"])
    assert len(list(saver.list(CONFIG))) <= min(before, 6)
    assert graph.get_state(CONFIG).values["lines"] == expected


def test_delta_histories_equal_those_of_the_memory_saver(saver: Checkpointer) -> None:
    def histories(of: BaseCheckpointSaver[str]) -> list[Any]:
        delta_graph(of, 7).invoke({"lines": []}, CONFIG)
        found = [
            of.get_delta_channel_history(config=each.config, channels=["lines", "unknown"])
            for each in of.list(CONFIG)
        ]
        return [
            {
                name: (entry.get("seed"), [w[1:] for w in entry["writes"]])
                for name, entry in h.items()
            }
            for h in found
        ]

    assert histories(saver) == histories(InMemorySaver())


async def test_delta_histories_are_the_same_asynchronously(saver: Checkpointer) -> None:
    await delta_graph(saver, 6).ainvoke({"lines": []}, CONFIG)
    asked: Any = {"config": CONFIG, "channels": ["lines"]}
    found = await saver.aget_delta_channel_history(**asked)
    assert found == saver.get_delta_channel_history(**asked)
    assert await saver.aget_delta_channel_history(config=CONFIG, channels=[]) == {}


def test_a_delta_channel_that_lost_its_history_is_not_rebuilt_as_empty(
    saver: Checkpointer, place: Path | str
) -> None:
    delta_graph(saver, 2).invoke({"lines": []}, CONFIG)
    oldest = list(saver.list(CONFIG))[-1].checkpoint["id"]
    damage(place, f"DELETE FROM graph_checkpoints WHERE checkpoint = '{oldest}'")
    assert saver.get_tuple(CONFIG) is None


class Note(BaseModel):
    text: str


class NoteState(TypedDict):
    note: Any


def note_graph(saver: BaseCheckpointSaver[str]) -> Any:
    graph = StateGraph(NoteState)
    graph.add_node("write", lambda _: {"note": Note(text="new")})
    graph.add_edge(START, "write")
    return graph.compile(checkpointer=saver)


def test_state_of_an_unknown_type_is_refused(saver: Checkpointer) -> None:
    with pytest.raises(UnknownSchemaError, match="Note' is not on the checkpointer's allow-list"):
        note_graph(saver).invoke({"note": Note(text="old")}, CONFIG)


def test_state_of_an_allowed_class_is_kept(place: Path | str) -> None:
    with Checkpointer(place, allowed=[Note]) as saver:
        note_graph(saver).invoke({"note": Note(text="old")}, CONFIG)
        assert note_graph(saver).get_state(CONFIG).values == {"note": Note(text="new")}


def test_listing_filters_by_metadata_and_counts_only_what_it_yields(saver: Checkpointer) -> None:
    loop_graph(saver, 3).invoke({"topic": "x"}, CONFIG)
    found = list(saver.list(CONFIG, filter={"source": "loop"}, limit=2))
    assert [each.metadata["step"] for each in found] == [3, 2]
    before = list(saver.list(None, before=found[1].config, limit=1))
    assert [each.metadata["step"] for each in before] == [1]
    assert list(saver.list(CONFIG, limit=0)) == []


def test_an_unknown_pruning_strategy_is_refused(saver: Checkpointer) -> None:
    with pytest.raises(ValueError, match="known are"):
        saver.prune(["t"], strategy="keep_some")


def test_nul_characters_are_taken_out_of_metadata(saver: Checkpointer) -> None:
    config: RunnableConfig = {"configurable": {"thread_id": "t", "checkpoint_ns": "", "who": "a\0"}}
    stored = saver.put(config, empty_checkpoint(), {"source": "input", "step": -1}, {})
    found = saver.get_tuple(stored)
    assert found is not None
    assert found.metadata == {"source": "input", "step": -1, "who": "a"}
