"""The tool graph: which tools feed, enable or retry which, weighted by distinct traces."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from math import log
from typing import Literal

from envwright.events.canonical import Json
from envwright.events.values import Value
from envwright.recipes.toolspace.mining.trails import Trail
from envwright.recipes.toolspace.values import Pattern

Kind = Literal["data", "state", "retry"]

BETA: dict[Kind, float] = {"data": 1.0, "state": 0.8, "retry": 0.0}
"""How much an edge of each kind counts in a walk (ours): retries never lead one on."""

LEAST_SUPPORT = 2
"""Fewest distinct traces that an edge rests on (ours)."""

_DIGITS = 12


class Transfer(Value):
    """A place in the results of one tool whose values went to a place in another's arguments."""

    output: Pattern
    input: Pattern
    support: int


class Edge(Value):
    """That one tool leads to another."""

    kind: Kind
    source: str
    target: str
    support: int
    """Distinct traces that show it."""
    weight: float
    transfers: tuple[Transfer, ...] = ()
    """What a data edge carries."""
    error_class: str = ""
    """Of a retry: `transient` or `rejected`."""
    changed_paths: tuple[Pattern, ...] = ()
    """Of a retry: the arguments that were given another value."""


class Graph(Value):
    """All edges, sorted."""

    edges: tuple[Edge, ...] = ()


Ends = tuple[Kind, str, str, str, tuple[Pattern, ...]]


def draw_graph(trails: Iterable[Trail]) -> Graph:
    """Return the graph that the trails of all traces show, in whatever order they come."""
    traces: dict[Ends, set[str]] = defaultdict(set)
    carried: dict[Ends, dict[tuple[Pattern, Pattern], set[str]]] = defaultdict(dict)
    for trail in trails:
        for step in trail.steps:
            ends = (step.kind, step.source, step.target, step.error_class, step.changed_paths)
            traces[ends].add(trail.trace)
            if step.kind == "data":
                places = carried[ends].setdefault((step.output, step.input), set())
                places.add(trail.trace)
    kept = {ends: len(seen) for ends, seen in traces.items() if len(seen) >= LEAST_SUPPORT}
    totals: Counter[tuple[Kind, str]] = Counter()
    for ends, support in kept.items():
        totals[ends[0], ends[1]] += support
    edges = (
        _edge(ends, kept[ends], totals[ends[0], ends[1]], carried.get(ends, {}))
        for ends in sorted(kept)
    )
    return Graph(edges=tuple(edges))


def _edge(
    ends: Ends, support: int, total: int, carried: dict[tuple[Pattern, Pattern], set[str]]
) -> Edge:
    kind, source, target, error_class, changed = ends
    return Edge(
        kind=kind,
        source=source,
        target=target,
        support=support,
        # Rounded, so that no machine's logarithm reaches a digest.
        weight=round(BETA[kind] * support / total * log(1 + support), _DIGITS),
        transfers=tuple(
            Transfer(output=output, input=input_, support=len(seen))
            for (output, input_), seen in sorted(carried.items())
            if len(seen) >= LEAST_SUPPORT
        ),
        error_class=error_class,
        changed_paths=changed,
    )


def graph_json(graph: Graph) -> Json:
    """Return the content of `graph.json`."""
    return {"schema_version": 1, **graph.model_dump(mode="json")}
