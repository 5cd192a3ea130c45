"""Effects: which tools read and which write, from repeated and consistent evidence in the log.

Two sightings of one thing that differ put the blame on the calls between them. Whoever was there
just as often when nothing changed is innocent beside one whose presence always meant a change. A
call is a witness only where it is the one suspect left.
"""

from collections import defaultdict
from collections.abc import Iterator
from typing import Literal, NamedTuple

from envwright.events.canonical import Json
from envwright.recipes.toolspace.calls import Call, Trace
from envwright.recipes.toolspace.mining.entities import ALIKE, Entity, overlap
from envwright.recipes.toolspace.mining.history import History, Moment, tasks_of
from envwright.recipes.toolspace.mining.namespaces import split_key
from envwright.recipes.toolspace.values import identity, is_key_value, key_text, leaves, same

Effect = Literal["read", "write", "suspect", "unproven"]
"""`suspect`: it may write; `unproven`: nothing speaks for or against it."""

WITNESSES = 2
"""Distinct tasks that must show a change, or the lack of one (ours)."""

CONSISTENT = 0.8
"""Least share of changes among the sightings of a writer (ours)."""

CLEARLY = 0.2
"""How much more often a suspect must go with a change to clear another (ours)."""

_ROUNDS = 5


class _Thing(NamedTuple):
    """What is seen: a row by its key, or the result of one call."""

    kind: str
    """The entity, or the tool of the call."""
    key: object
    is_row: bool


class _Pair(NamedTuple):
    """Two sightings of one thing, one after the other, in one trace."""

    task: str
    kind: str
    changed: bool
    reader: str
    """The tool of the later sighting."""
    between: frozenset[str]
    """The tools that may have changed it."""


def mine_effects(history: History, entities: list[Entity]) -> dict[str, Effect]:
    """Return the effect of every tool that was called."""
    pairs = [pair for trace in history.traces for pair in _Pairs(trace, entities).found()]
    effects = _judged(history, pairs)
    readers = {tool for tool, effect in effects.items() if effect == "read"}
    gone = [pair for trace in history.traces for pair in _Pairs(trace, entities).gone(readers)]
    if gone:
        effects = _judged(history, [*pairs, *gone])
    for tool in _creators(history, entities, effects):
        effects[tool] = "suspect"
    for tool, declaration in history.declared.items():
        if tool in effects and declaration.effect in ("read", "write"):
            effects[tool] = "read" if declaration.effect == "read" else "write"
    return effects


def _judged(history: History, pairs: list[_Pair]) -> dict[str, Effect]:
    shares = _shares(pairs)
    return _judge(history, [_narrowed(pair, shares) for pair in pairs])


class _Pairs:
    """Finds the pairs of one trace."""

    def __init__(self, trace: Trace, entities: list[Entity]) -> None:
        self._trace = trace
        self._entities = entities
        self._arguments: dict[int, set[str]] = {}
        self._values: dict[int, set[str]] = {}

    def found(self) -> Iterator[_Pair]:
        """Yield each sighting of a thing together with the one before it."""
        last: dict[_Thing, tuple[int, Json]] = {}
        for place, call in enumerate(self._trace.calls):
            if not call.ok:
                continue
            for thing, seen in self._things(call):
                before = last.get(thing)
                if before is not None:
                    changed = _differs(before[1], seen, thing.is_row)
                    yield self._pair(thing, before[0], place, changed)
                last[thing] = (place, seen)

    def gone(self, readers: set[str]) -> Iterator[_Pair]:
        """Yield what a reader had shown together with its refusal to show it again."""
        last: dict[_Thing, int] = {}
        for place, call in enumerate(self._trace.calls):
            if call.tool not in readers or call.transient:
                continue
            thing = _Thing(call.tool, identity(call.arguments), is_row=False)
            if call.ok:
                last[thing] = place
            elif thing in last:
                yield self._pair(thing, last.pop(thing), place, changed=True)

    def _pair(self, thing: _Thing, before: int, now: int, changed: bool) -> _Pair:
        return _Pair(
            task=self._trace.task,
            kind=thing.kind,
            changed=changed,
            reader=self._trace.calls[now].tool,
            between=self._between(before, now),
        )

    def _things(self, call: Call) -> Iterator[tuple[_Thing, Json]]:
        yield _Thing(call.tool, identity(call.arguments), is_row=False), call.value
        for entity in self._entities:
            key = entity.key(call.tool, call.arguments)
            if key is not None:
                yield _Thing(entity.name, key, is_row=True), entity.part(call.tool, call.value)

    def _between(self, before: int, now: int) -> frozenset[str]:
        calls = self._trace.calls
        between = [
            place
            for place in range(before + 1, now + 1)
            if calls[place].ok and calls[place].tool != calls[before].tool
        ]
        if not between:
            return frozenset()
        named = self._argument_names(now) | self._value_names(before) | self._value_names(now)
        touching = [
            place
            for place in between
            # A call that names nothing, such as an undo, may be about anything.
            if not calls[place].arguments or named & self._argument_names(place)
        ]
        return frozenset(calls[place].tool for place in touching or between)

    def _argument_names(self, place: int) -> set[str]:
        if place not in self._arguments:
            self._arguments[place] = named_in(self._trace.calls[place].arguments)
        return self._arguments[place]

    def _value_names(self, place: int) -> set[str]:
        if place not in self._values:
            self._values[place] = named_in(self._trace.calls[place].value)
        return self._values[place]


def named_in(value: Json) -> set[str]:
    """Return every text and whole number in a value, as the text of a key."""
    return {key_text(leaf.value) for leaf in leaves(value) if is_key_value(leaf.value)}


def _differs(before: Json, after: Json, is_row: bool) -> bool:
    # Two tools may show different parts of one row: only what both show can differ.
    if is_row and isinstance(before, dict) and isinstance(after, dict):
        return any(not same(before[name], after[name]) for name in before.keys() & after.keys())
    return not same(before, after)


def _shares(pairs: list[_Pair]) -> dict[tuple[str, str], float]:
    """Return how often a thing of a kind had changed when a tool had been there, by task."""
    changed: dict[tuple[str, str], set[str]] = defaultdict(set)
    quiet: dict[tuple[str, str], set[str]] = defaultdict(set)
    for pair in pairs:
        for tool in pair.between:
            (changed if pair.changed else quiet)[tool, pair.kind].add(pair.task)
    return {
        key: len(changed[key]) / (len(changed[key]) + len(quiet[key]))
        for key in changed.keys() | quiet.keys()
    }


def _narrowed(pair: _Pair, shares: dict[tuple[str, str], float]) -> _Pair:
    if not pair.changed or not pair.between:
        return pair
    best = max(shares[tool, pair.kind] for tool in pair.between)
    left = [tool for tool in pair.between if shares[tool, pair.kind] >= best - CLEARLY]
    return pair._replace(between=frozenset(left))


def _judge(history: History, pairs: list[_Pair]) -> dict[str, Effect]:
    quiet: dict[str, set[str]] = defaultdict(set)
    for pair in pairs:
        if not pair.changed:
            quiet[pair.reader].add(pair.task)
    effects: dict[str, Effect] = dict.fromkeys(history.tools, "unproven")
    for _ in range(_ROUNDS):
        readers = {tool for tool, effect in effects.items() if effect == "read"}
        seen = _witnesses(pairs, readers)
        judged = {tool: _verdict(len(seen[tool]), len(quiet[tool])) for tool in history.tools}
        if judged == effects:
            break
        effects = judged
    for pair in pairs:
        left = {tool for tool in pair.between if effects[tool] != "read"}
        if pair.changed and not any(effects[tool] == "write" for tool in left):
            effects.update(dict.fromkeys(left, "suspect"))
    return effects


def _witnesses(pairs: list[_Pair], readers: set[str]) -> dict[str, set[str]]:
    seen: dict[str, set[str]] = defaultdict(set)
    for pair in pairs:
        left = pair.between - readers
        if pair.changed and len(left) == 1:
            seen[next(iter(left))].add(pair.task)
    return seen


def _verdict(changes: int, quiet: int) -> Effect:
    if changes >= WITNESSES and changes >= CONSISTENT * (changes + quiet):
        return "write"
    if quiet >= WITNESSES and changes <= (1 - CONSISTENT) * (changes + quiet):
        return "read"
    return "suspect" if changes else "unproven"


def _creators(
    history: History, entities: list[Entity], effects: dict[str, Effect]
) -> Iterator[str]:
    """Yield tools that may add rows: they give one back that repeats what they were given."""
    keys = {tool: argument for entity in entities for tool, argument in entity.tools.items()}
    shapes = {(entity.namespace, entity.fields) for entity in entities}
    for tool in history.tools:
        good = history.successes(tool)
        rows = [moment for moment in good if isinstance(moment.call.value, dict)]
        if effects[tool] != "unproven" or tasks_of(rows) < WITNESSES or len(rows) < len(good):
            continue
        fields = frozenset(rows[0].call.value)
        namespace, _ = split_key(tool)
        like_a_row = tool in keys or any(
            namespace == other and overlap(fields, shape) >= ALIKE for other, shape in shapes
        )
        if like_a_row and _echoed(history.argument_names(tool), rows) - {keys.get(tool, "")}:
            yield tool


def _echoed(names: list[str], rows: list[Moment]) -> set[str]:
    return {
        name
        for name in names
        if all(
            name in m.call.value and same(m.call.value[name], m.call.arguments.get(name))
            for m in rows
        )
    }
