"""The Tester's graph: load, one gate after another, conclude."""

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime

from envwright.agents.graph import Graph, Progress
from envwright.agents.tester.desk import TesterDesk


def _load(state: Progress, runtime: Runtime[TesterDesk]) -> Progress:
    runtime.context.load()
    return {"step": "loaded", "index": 0}


def _evaluate(state: Progress, runtime: Runtime[TesterDesk]) -> Progress:
    more = runtime.context.evaluate(state["index"])
    return {"step": "more" if more else "done", "index": state["index"] + 1}


def _conclude(state: Progress, runtime: Runtime[TesterDesk]) -> Progress:
    runtime.context.conclude()
    return {"step": "concluded"}


def tester_graph(checkpointer: BaseCheckpointSaver[str] | None = None) -> Graph:
    """Compile the Tester's graph."""
    graph = StateGraph(Progress, context_schema=TesterDesk)
    graph.add_node("load", _load)
    graph.add_node("evaluate", _evaluate)
    graph.add_node("conclude", _conclude)
    graph.add_edge(START, "load")
    graph.add_edge("load", "evaluate")
    graph.add_conditional_edges(
        "evaluate", lambda state: "evaluate" if state["step"] == "more" else "conclude"
    )
    graph.add_edge("conclude", END)
    return graph.compile(checkpointer=checkpointer)
