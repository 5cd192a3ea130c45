"""Graphs: what all six roles' graphs share, and the hand-over of one delivery to one of them."""

from collections.abc import Mapping
from typing import Any, TypedDict, cast

from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Durability
from langsmith import tracing_context

from envwright.agents.context import Context

_STEPS = 1_000_000
"""No bound of ours: the settings of the run bound each loop of a graph."""


class Progress(TypedDict, total=False):
    """What a graph checkpoints: plain JSON for inspection; live handles stay on the desk."""

    step: str
    index: int
    detail: dict[str, Any]


Graph = CompiledStateGraph[Any, Any, Any, Any]


def run_graph(graph: Graph, desk: object, ctx: Context) -> Mapping[str, Any]:
    """Run a role's graph from the top on one delivery.

    The thread id is the claim, so that a takeover never continues another holder's thread:
    recovery rests on the journal alone and checkpoints are for inspection.
    """
    thread = f"{ctx.claim.work.work}/{ctx.claim.token}"
    config: Any = {"configurable": {"thread_id": thread}, "recursion_limit": _STEPS}
    start: Progress = {"step": ctx.cause.type, "index": 0}
    durability: Durability | None = "exit" if graph.checkpointer else None
    # LangGraph would send traces to a hosted service if the user's environment asked for it.
    with tracing_context(enabled=False):
        result = graph.invoke(start, config=config, context=desk, durability=durability)
    return cast(Mapping[str, Any], result)
