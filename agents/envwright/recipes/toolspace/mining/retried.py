"""Retried tools: those that a log shows to be called again, and the error that passed."""

from collections import Counter

from envwright.recipes.toolspace.mining.graph import Graph
from envwright.recipes.toolspace.mining.history import History

UNAVAILABLE = "Error: 503 service temporarily unavailable, please try again"
"""The error of a tool whose log holds no transient one (ours)."""

_LONGEST = 500


def mine_retried(history: History, graph: Graph) -> dict[str, str]:
    """Return every tool that a retry edge is about, with its most frequent transient error."""
    retried = {edge.source for edge in graph.edges if edge.kind == "retry"}
    return {tool: _error(history, tool) for tool in sorted(retried)}


def _error(history: History, tool: str) -> str:
    texts = Counter(
        moment.call.value
        for moment in history.moments(tool)
        if moment.call.transient and isinstance(moment.call.value, str) and moment.call.value
    )
    if not texts:
        return UNAVAILABLE
    return min(texts, key=lambda text: (-texts[text], text))[:_LONGEST]
