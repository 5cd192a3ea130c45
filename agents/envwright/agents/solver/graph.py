"""The Solver's graph: open, act until an answer or the last turn, finish."""

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime

from envwright.agents.graph import Graph, Progress
from envwright.agents.solver.desk import SolverDesk


def _open(state: Progress, runtime: Runtime[SolverDesk]) -> Progress:
    runtime.context.open()
    return {"step": "opened", "index": 0}


def _act(state: Progress, runtime: Runtime[SolverDesk]) -> Progress:
    more = runtime.context.act()
    return {"step": "more" if more else "done", "index": state["index"] + 1}


def _finish(state: Progress, runtime: Runtime[SolverDesk]) -> Progress:
    runtime.context.finish()
    return {"step": "finished"}


def solver_graph(checkpointer: BaseCheckpointSaver[str] | None = None) -> Graph:
    """Compile the Solver's graph."""
    graph = StateGraph(Progress, context_schema=SolverDesk)
    graph.add_node("open", _open)
    graph.add_node("act", _act)
    graph.add_node("finish", _finish)
    graph.add_edge(START, "open")
    graph.add_edge("open", "act")
    graph.add_conditional_edges("act", lambda state: "act" if state["step"] == "more" else "finish")
    graph.add_edge("finish", END)
    return graph.compile(checkpointer=checkpointer)
