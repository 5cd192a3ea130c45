"""The Planner's graph: inherit or ingest → mine, then open a round; or decide → open or end."""

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime

from envwright.agents.graph import Graph, Progress
from envwright.agents.planner.desk import PlannerDesk

_NODES = {"run.requested": "ingest", "run.forked": "inherit", "round.settled": "decide"}


def _inherit(state: Progress, runtime: Runtime[PlannerDesk]) -> Progress:
    return {"step": "mined" if runtime.context.inherit() else "unknown"}


def _ingest(state: Progress, runtime: Runtime[PlannerDesk]) -> Progress:
    return {"step": "ingested" if runtime.context.ingest() else "failed"}


def _mine(state: Progress, runtime: Runtime[PlannerDesk]) -> Progress:
    return {"step": "mined" if runtime.context.mine() else "failed"}


def _decide(state: Progress, runtime: Runtime[PlannerDesk]) -> Progress:
    return {"step": runtime.context.decide()}


def _open_round(state: Progress, runtime: Runtime[PlannerDesk]) -> Progress:
    return {"step": "opened" if runtime.context.open_round() else "failed"}


def planner_graph(checkpointer: BaseCheckpointSaver[str] | None = None) -> Graph:
    """Compile the Planner's graph."""
    graph = StateGraph(Progress, context_schema=PlannerDesk)
    graph.add_node("inherit", _inherit)
    graph.add_node("ingest", _ingest)
    graph.add_node("mine", _mine)
    graph.add_node("decide", _decide)
    graph.add_node("open_round", _open_round)
    graph.add_conditional_edges(START, lambda state: _NODES[state["step"]])
    graph.add_conditional_edges(
        "inherit", lambda state: "open_round" if state["step"] == "mined" else "ingest"
    )
    graph.add_conditional_edges(
        "ingest", lambda state: "mine" if state["step"] == "ingested" else END
    )
    graph.add_conditional_edges(
        "mine", lambda state: "open_round" if state["step"] == "mined" else END
    )
    graph.add_conditional_edges(
        "decide", lambda state: "open_round" if state["step"] == "open_round" else END
    )
    graph.add_edge("open_round", END)
    return graph.compile(checkpointer=checkpointer)
