"""Trails: what led from call to call in each trace, the raw material of the tool graph.

A value's trail starts at its earliest producer, whatever lies between; a value that the user typed,
or that a call was given before anything gave it back, has none.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from envwright.events.canonical import Json
from envwright.recipes.toolspace.calls import Call, Trace
from envwright.recipes.toolspace.mining.domains import Domains
from envwright.recipes.toolspace.mining.effects import Effect
from envwright.recipes.toolspace.mining.history import History
from envwright.recipes.toolspace.values import (
    ANY,
    Leaf,
    Pattern,
    identity,
    is_key_value,
    key_text,
    leaves,
    words,
)

SHORTEST = 4
"""Fewest characters of a value that identifies something (ours)."""

RARE = 0.05
"""Largest share of traces in which such a value may occur (ours), unless it keys a table."""

CLOSE = 0.5
"""Least share of its arguments that a failed call's retry keeps (ours): one of two is enough."""

_NUMBERS_NAMED = frozenset({"id", "no", "code"})


class Step(NamedTuple):
    """One way in which a call led to a later one."""

    kind: Literal["data", "state", "retry"]
    source: str
    target: str
    output: Pattern = ()
    input: Pattern = ()
    error_class: str = ""
    changed_paths: tuple[Pattern, ...] = ()


@dataclass
class Trail:
    """What led to what in one trace."""

    trace: str
    """Digest of the trace: a trace that stands in two files counts once."""
    steps: set[Step] = field(default_factory=set)


def follow_trails(
    history: History,
    effects: dict[str, Effect],
    domains: Domains,
    maps: dict[str, frozenset[Pattern]],
) -> Iterator[Trail]:
    """Yield the trail of every trace; `maps` are the mappings by id in the results of tools."""
    values = _Values(history, maps)
    for trace in history.traces:
        yield _Follower(trace, effects, domains, values).trail()


class _Values:
    """The leaves of calls, and in how many traces each value occurs."""

    def __init__(self, history: History, maps: dict[str, frozenset[Pattern]]) -> None:
        self._maps = maps
        traces: Counter[str] = Counter()
        for trace in history.traces:
            seen = {
                key_text(leaf.value)
                for call in trace.calls
                for part in (call.arguments, call.value)
                for leaf in leaves(part)
                if is_key_value(leaf.value)
            }
            traces.update(seen)
        most = max(1.0, RARE * len(history.traces))
        self._common = {text for text, count in traces.items() if count > most}

    def outputs(self, call: Call) -> Iterator[Leaf]:
        """Yield the leaves of a result that may name something."""
        for leaf in leaves(call.value, self._maps.get(call.tool, frozenset())):
            if _names_something(leaf):
                yield leaf

    def inputs(self, call: Call) -> Iterator[Leaf]:
        """Yield the leaves of the arguments that may name something."""
        return (leaf for leaf in leaves(call.arguments) if _names_something(leaf))

    def is_rare(self, value: Json) -> bool:
        """Say whether a value occurs in few traces."""
        return key_text(value) not in self._common


def _names_something(leaf: Leaf) -> bool:
    value = leaf.value
    if not is_key_value(value) or len(key_text(value)) < SHORTEST:
        return False
    name = next((step for step in reversed(leaf.pattern) if step != ANY), "")
    return isinstance(value, str) or words(name)[-1:] in ([n] for n in _NUMBERS_NAMED)


class _Follower:
    """Follows one trace from its first call to its last."""

    def __init__(
        self, trace: Trace, effects: dict[str, Effect], domains: Domains, values: _Values
    ) -> None:
        self._trace = trace
        self._effects = effects
        self._domains = domains
        self._values = values
        self._steps: set[Step] = set()
        self._given: set[object] = set()
        self._origin: dict[object, tuple[str, Pattern]] = {}
        self._written: dict[tuple[str, str], str] = {}
        self._failed: dict[object, int] = {}
        self._last_write: tuple[int, str] = (-1, "")

    def trail(self) -> Trail:
        """Return what led to what."""
        calls = self._trace.calls
        for place, call in enumerate(calls):
            before = calls[place - 1] if place else None
            retry = _retry(before, call) if before is not None else None
            if retry is not None:
                self._steps.add(retry)
            else:
                self._data(call)
                self._state(place, call)
            self._note(place, call)
        return Trail(self._trace.identity(), self._steps)

    def _data(self, call: Call) -> None:
        for leaf in self._values.inputs(call):
            origin = self._origin.get(identity(leaf.value))
            keyed = (call.tool, str(leaf.path[0])) in self._domains
            if origin is None or not (keyed or self._values.is_rare(leaf.value)):
                continue
            if key_text(leaf.value) not in self._trace.said:
                source, output = origin
                self._steps.add(Step("data", source, call.tool, output, leaf.pattern))

    def _state(self, place: int, call: Call) -> None:
        if not call.ok:
            return
        for resource in self._resources(call):
            if resource in self._written:
                self._steps.add(Step("state", self._written[resource], call.tool))
        failed = self._failed.get(_marks(call))
        written, writer = self._last_write
        # What was refused before a write and works after it was waiting for the write.
        if failed is not None and written > failed:
            self._steps.add(Step("state", writer, call.tool))

    def _resources(self, call: Call) -> set[tuple[str, str]]:
        return {
            (self._domains[call.tool, name], key_text(value))
            for name, value in call.arguments.items()
            if (call.tool, name) in self._domains and is_key_value(value)
        }

    def _note(self, place: int, call: Call) -> None:
        self._given |= {identity(leaf.value) for leaf in self._values.inputs(call)}
        if not call.ok:
            self._failed[_marks(call)] = place
            return
        if self._effects.get(call.tool) in ("write", "suspect"):
            self._last_write = (place, call.tool)
            for resource in self._resources(call):
                self._written[resource] = call.tool
        for leaf in self._values.outputs(call):
            mark = identity(leaf.value)
            if mark not in self._given:
                self._origin.setdefault(mark, (call.tool, leaf.pattern))


def _marks(call: Call) -> object:
    return call.tool, identity(call.arguments)


def _retry(before: Call, call: Call) -> Step | None:
    """Return the step from a failed call to another try of it."""
    if before.ok or before.tool != call.tool:
        return None
    kind = "transient" if before.transient else "rejected"
    if identity(before.arguments) == identity(call.arguments):
        again = Step("retry", call.tool, call.tool, error_class=kind)
        return again if before.transient else None
    old, new = _by_pattern(before), _by_pattern(call)
    shared = sum((old[p] & new[p]).total() for p in old.keys() & new.keys())
    total = max(sum(values.total() for values in part.values()) for part in (old, new))
    # A call with one argument has nothing to keep but its place.
    if shared < CLOSE * total and not (total == 1 and old.keys() == new.keys()):
        return None
    changed = tuple(sorted(p for p in old.keys() | new.keys() if old[p] != new[p]))
    return Step("retry", call.tool, call.tool, error_class=kind, changed_paths=changed)


def _by_pattern(call: Call) -> dict[Pattern, Counter[object]]:
    found: dict[Pattern, Counter[object]] = defaultdict(Counter)
    for leaf in leaves(call.arguments):
        found[leaf.pattern][identity(leaf.value)] += 1
    return found
