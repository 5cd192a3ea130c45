"""What all graphs share: one thread of checkpoints for each claim, no bound, nothing sent away."""

from pathlib import Path
from typing import Any

import pytest
from langgraph.graph import END, START, StateGraph
from langsmith.utils import tracing_is_enabled

from envwright.agents.checkpointer import Checkpointer
from envwright.agents.context import Context
from envwright.agents.graph import Graph, Progress, run_graph
from support.office import Office


def counting(turns: int, checkpointer: Checkpointer | None = None) -> tuple[Graph, list[Any]]:
    """Return a graph that goes round so often, and the desks that it saw."""
    seen: list[Any] = []

    def turn(state: Progress, runtime: Any) -> Progress:
        seen.append(runtime.context)
        return {"step": state["step"], "index": state["index"] + 1}

    graph = StateGraph(Progress, context_schema=object)
    graph.add_node("turn", turn)
    graph.add_edge(START, "turn")
    graph.add_conditional_edges("turn", lambda s: "turn" if s["index"] < turns else END)
    return graph.compile(checkpointer=checkpointer), seen


@pytest.fixture
def ctx(office: Office) -> Context:
    run = office.request()
    return office.context(next(iter(office.runtime.log.read(f"run/{run}"))))


def test_a_graph_begins_with_the_type_of_its_cause_and_has_the_desk(ctx: Context) -> None:
    graph, seen = counting(3)
    assert run_graph(graph, "the desk", ctx) == {"step": "run.requested", "index": 3}
    assert seen == ["the desk"] * 3


def test_an_attempt_may_have_more_turns_than_a_graph_has_steps_by_default(ctx: Context) -> None:
    graph, seen = counting(1200)
    assert run_graph(graph, None, ctx)["index"] == 1200


def test_each_claim_has_a_thread_of_its_own(office: Office, tmp_path: Path) -> None:
    run = office.request()
    cause = next(iter(office.runtime.log.read(f"run/{run}")))
    with Checkpointer(tmp_path / "checkpoints.sqlite") as saver:
        graph, seen = counting(2, saver)
        run_graph(graph, None, office.context(cause))
        office.die()
        again = office.context(cause)
        assert run_graph(graph, None, again)["index"] == 2
        threads = {saved.config["configurable"]["thread_id"] for saved in saver.list(None)}
    assert threads == {f"{again.claim.work.work}/{token}" for token in (1, 2)}
    assert len(seen) == 4


def test_no_trace_is_sent_to_a_hosted_service(
    ctx: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANGSMITH_TRACING", "true")
    enabled: list[object] = []

    def ask(state: Progress) -> Progress:
        enabled.append(tracing_is_enabled())
        return {"step": "asked"}

    graph = StateGraph(Progress, context_schema=object)
    graph.add_node("ask", ask)
    graph.add_edge(START, "ask")
    graph.add_edge("ask", END)
    run_graph(graph.compile(), None, ctx)
    assert enabled == [False]
