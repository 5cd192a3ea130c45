"""Mixtures: a source that holds the logs of several domains, told apart where their tools conflict.

Two domains may each have a `get_user_details`, and one file may hold both logs. Traces belong
together that saw equal kinds of rows; parts stay apart only if a tool of one name gave them
different kinds of rows, so that a log of one domain is never cut.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from envwright.events.canonical import Json
from envwright.recipes.toolspace.calls import Call, Trace

ALIKE: Final = 0.6
"""Share of their fields that two results of one tool have in common if they are alike (ours)."""

_FEWEST = 2

Fields = frozenset[str]


class Kind(NamedTuple):
    """A kind of rows that a tool gives."""

    tool: str
    number: int


def parts_of(traces: Sequence[Trace]) -> tuple[tuple[Trace, ...], ...]:
    """Return the traces of each domain, in an order that does not depend on theirs."""
    kinds = _kinds(traces)
    if max((kind.number for kind in kinds.values()), default=0) == 0:
        return (tuple(traces),)
    seen = [_seen(trace, kinds) for trace in traces]
    groups = _grouped(_components(seen))
    if len(groups) == 1:
        return (tuple(traces),)
    found: list[list[Trace]] = [[] for _ in groups]
    for trace, own in zip(traces, seen, strict=True):
        found[_home(trace, own, groups)].append(trace)
    return tuple(tuple(part) for part in found if part)


def _fields(call: Call) -> Fields | None:
    """Return the fields of the rows in a result; None where it has no rows."""
    if not call.ok or call.service:
        return None
    value: Json = call.value
    row = value[0] if isinstance(value, list) and value else value
    return frozenset(row) if isinstance(row, dict) and len(row) >= _FEWEST else None


def _kinds(traces: Iterable[Trace]) -> dict[tuple[str, Fields], Kind]:
    """Number the kinds of rows of each tool: results that are alike, directly or by others."""
    shapes: dict[str, set[Fields]] = defaultdict(set)
    for trace in traces:
        for call in trace.calls:
            if (fields := _fields(call)) is not None:
                shapes[call.tool].add(fields)
    kinds: dict[tuple[str, Fields], Kind] = {}
    for tool, found in shapes.items():
        clusters: list[list[Fields]] = []
        for fields in sorted(found, key=sorted):
            near = [c for c in clusters if any(_alike(fields, other) for other in c)]
            clusters = [c for c in clusters if c not in near]
            clusters.append([fields, *(f for c in near for f in c)])
        for number, cluster in enumerate(clusters):
            kinds |= {(tool, fields): Kind(tool, number) for fields in cluster}
    return kinds


def _alike(left: Fields, right: Fields) -> bool:
    return len(left & right) >= ALIKE * len(left | right)


def _seen(trace: Trace, kinds: dict[tuple[str, Fields], Kind]) -> frozenset[Kind]:
    shown = ((call.tool, _fields(call)) for call in trace.calls)
    return frozenset(kinds[tool, fields] for tool, fields in shown if fields is not None)


def _components(seen: Iterable[frozenset[Kind]]) -> list[frozenset[Kind]]:
    """Join the kinds of rows that were seen in one trace, directly or by others."""
    components: list[frozenset[Kind]] = []
    for own in dict.fromkeys(kinds for kinds in seen if kinds):
        near = [c for c in components if c & own]
        components = [c for c in components if not c & own]
        components.append(own.union(*near))
    return sorted(components, key=lambda c: (-len(c), sorted(c)))


def _grouped(components: Sequence[frozenset[Kind]]) -> list[frozenset[Kind]]:
    """Join the components that no tool sets apart."""
    groups: list[frozenset[Kind]] = []
    for component in components:
        tools = _tools(component)
        home = next((n for n, group in enumerate(groups) if not tools & _tools(group)), None)
        if home is None:
            groups.append(component)
        else:
            groups[home] |= component
    return groups


def _home(trace: Trace, own: frozenset[Kind], groups: Sequence[frozenset[Kind]]) -> int:
    if own:
        return next(number for number, group in enumerate(groups) if own <= group)
    names = {call.tool for call in trace.calls}
    shared = [len(names & _tools(group)) for group in groups]
    return shared.index(max(shared))


def _tools(kinds: Iterable[Kind]) -> frozenset[str]:
    return frozenset(kind.tool for kind in kinds)
