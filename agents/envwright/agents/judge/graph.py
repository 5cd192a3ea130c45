"""The Judge's graph: one node for each event that rings its doorbell."""

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime

from envwright.agents.graph import Graph, Progress
from envwright.agents.judge.desk import JudgeDesk

_NODES = {
    "review.completed": "review",
    "package.abandoned": "abandon",
    "attempt.finished": "score",
    "package.candidate": "admit",
    "package.inherited": "admit",
}


def _review(state: Progress, runtime: Runtime[JudgeDesk]) -> Progress:
    runtime.context.review()
    return {"step": "reviewed"}


def _abandon(state: Progress, runtime: Runtime[JudgeDesk]) -> Progress:
    runtime.context.abandon()
    return {"step": "abandoned"}


def _score(state: Progress, runtime: Runtime[JudgeDesk]) -> Progress:
    runtime.context.score()
    return {"step": "scored"}


def _admit(state: Progress, runtime: Runtime[JudgeDesk]) -> Progress:
    runtime.context.admit()
    return {"step": "admitted"}


def judge_graph(checkpointer: BaseCheckpointSaver[str] | None = None) -> Graph:
    """Compile the Judge's graph."""
    graph = StateGraph(Progress, context_schema=JudgeDesk)
    graph.add_node("review", _review)
    graph.add_node("abandon", _abandon)
    graph.add_node("score", _score)
    graph.add_node("admit", _admit)
    graph.add_conditional_edges(START, lambda state: _NODES[state["step"]])
    for node in dict.fromkeys(_NODES.values()):
        graph.add_edge(node, END)
    return graph.compile(checkpointer=checkpointer)
