"""The Builder's graph: make (draft or repair), then keep."""

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime

from envwright.agents.builder.desk import BuilderDesk
from envwright.agents.graph import Graph, Progress


def _make(state: Progress, runtime: Runtime[BuilderDesk]) -> Progress:
    return {"step": "made" if runtime.context.make() else "no_task"}


def _keep(state: Progress, runtime: Runtime[BuilderDesk]) -> Progress:
    runtime.context.keep()
    return {"step": "kept"}


def builder_graph(checkpointer: BaseCheckpointSaver[str] | None = None) -> Graph:
    """Compile the Builder's graph."""
    graph = StateGraph(Progress, context_schema=BuilderDesk)
    graph.add_node("make", _make)
    graph.add_node("keep", _keep)
    graph.add_edge(START, "make")
    graph.add_conditional_edges("make", lambda state: "keep" if state["step"] == "made" else END)
    graph.add_edge("keep", END)
    return graph.compile(checkpointer=checkpointer)
