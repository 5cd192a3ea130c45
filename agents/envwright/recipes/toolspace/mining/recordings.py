"""Recordings: tools whose results depend on their arguments alone, and what they answered.

Without a manifest that says so it takes three calls with equal arguments and equal results, some of
them before and some after a write to the same service; whatever is unknown may have a state.
"""

from collections import defaultdict
from collections.abc import Hashable

from envwright.events.canonical import Json
from envwright.recipes.toolspace.mining.effects import Effect
from envwright.recipes.toolspace.mining.history import History
from envwright.recipes.toolspace.mining.namespaces import split_key
from envwright.recipes.toolspace.values import identity, same

OBSERVATIONS = 3
"""Fewest calls with equal arguments that show a tool to be stateless."""

Recordings = list[tuple[dict[str, Json], Json]]
"""Arguments and result of each distinct call."""


def find_stateless(history: History, effects: dict[str, Effect]) -> dict[str, Recordings]:
    """Return the recordings of every stateless tool that was called."""
    written = _written_before(history, effects)
    return {
        tool: recordings
        for tool in history.tools
        if effects.get(tool) not in ("write", "suspect")
        and (recordings := _recordings(history, tool, written)) is not None
    }


def _written_before(history: History, effects: dict[str, Effect]) -> set[tuple[int, int]]:
    """Return the places (trace, call) before which the trace had written to the call's service."""
    places = set()
    for number, trace in enumerate(history.traces):
        written: set[str] = set()
        for place, call in enumerate(trace.calls):
            namespace = split_key(call.tool)[0]
            if namespace in written:
                places.add((number, place))
            if call.ok and effects.get(call.tool) in ("write", "suspect"):
                written.add(namespace)
    return places


def _recordings(history: History, tool: str, written: set[tuple[int, int]]) -> Recordings | None:
    seen: dict[Hashable, tuple[dict[str, Json], Json]] = {}
    counts: dict[Hashable, list[bool]] = defaultdict(list)
    for moment in history.successes(tool):
        call = moment.call
        mark = identity(call.arguments)
        if not same(seen.setdefault(mark, (call.arguments, call.value))[1], call.value):
            return None
        counts[mark].append((moment.trace, moment.place) in written)
    declared = history.declared.get(tool)
    spanning = any(len(c) >= OBSERVATIONS and len(set(c)) == 2 for c in counts.values())
    if not spanning and not (declared is not None and declared.effect == "stateless"):
        return None
    return [seen[mark] for mark in sorted(seen, key=repr)]
