"""The Critic's graph: collect findings, route them."""

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime

from envwright.agents.critic.desk import CriticDesk
from envwright.agents.graph import Graph, Progress


def _collect(state: Progress, runtime: Runtime[CriticDesk]) -> Progress:
    runtime.context.collect()
    return {"step": "collected", "index": len(runtime.context.findings)}


def _route(state: Progress, runtime: Runtime[CriticDesk]) -> Progress:
    runtime.context.route()
    return {"step": "routed"}


def critic_graph(checkpointer: BaseCheckpointSaver[str] | None = None) -> Graph:
    """Compile the Critic's graph."""
    graph = StateGraph(Progress, context_schema=CriticDesk)
    graph.add_node("collect", _collect)
    graph.add_node("route", _route)
    graph.add_edge(START, "collect")
    graph.add_edge("collect", "route")
    graph.add_edge("route", END)
    return graph.compile(checkpointer=checkpointer)
