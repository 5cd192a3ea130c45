"""Samples: every observed write with its row before and after, as far as the trace tells them."""

from collections import defaultdict
from collections.abc import Hashable
from dataclasses import dataclass, field
from functools import cached_property

from envwright.events.canonical import Json
from envwright.recipes.toolspace.calls import Call, Trace
from envwright.recipes.toolspace.mining.effects import Effect, named_in
from envwright.recipes.toolspace.mining.entities import MOSTLY
from envwright.recipes.toolspace.mining.history import History
from envwright.recipes.toolspace.mining.tables import Table
from envwright.recipes.toolspace.values import ABSENT, Path, identity, is_key_value, key_text

Index = dict[Hashable, list[Path]]
"""Value to the places where it stands, nearest first."""


@dataclass(eq=False)
class Sample:
    """One successful call of a tool on one row."""

    task: str
    arguments: dict[str, Json]
    key: str
    before: dict[str, Json] | None
    """The row before the call; None where there was none."""
    after: dict[str, Json] | None
    """The row after the call; None where the trace does not show it."""
    value: Json
    """What the call gave back."""
    known: dict[tuple[str, str], dict[str, Json]] = field(default_factory=dict, repr=False)
    """The rows that the trace had shown before the call, by table and key."""
    refused: bool = False
    """Whether the call failed; `value` is the error text then."""
    fresh: bool = True
    """Whether nothing was written before it in its trace: a write may change more than shows."""

    @cached_property
    def argument_places(self) -> Index:
        """Where each value stands in the arguments."""
        return _index(self.arguments)

    @cached_property
    def field_places(self) -> Index:
        """Where each value stands in the row before the call."""
        return _index(self.before or {})


@dataclass(frozen=True)
class Failure:
    """One failed call of a tool, with the row it was about if the trace had shown it."""

    key: str
    before: dict[str, Json] | None
    text: str
    task: str = ""
    arguments: dict[str, Json] = field(default_factory=dict)
    known: dict[tuple[str, str], dict[str, Json]] = field(default_factory=dict, repr=False)
    """The rows that the trace had shown before the call, by table and key."""

    def as_sample(self) -> Sample:
        """Return the call as a sample that changed nothing."""
        return Sample(
            self.task, self.arguments, self.key, self.before, None, self.text, self.known, True
        )


@dataclass(frozen=True)
class Binding:
    """The table that a tool writes to, and the argument that holds the key of the row."""

    table: str
    argument: str


@dataclass
class Evidence:
    """What the log shows of one writing tool."""

    binding: Binding
    samples: list[Sample] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)


def bind_writers(
    history: History, tables: dict[str, Table], effects: dict[str, Effect]
) -> dict[str, Binding]:
    """Return which row each writing tool is about; a tool that names no row is left out."""
    bindings: dict[str, Binding] = {}
    for tool in history.tools:
        if effects[tool] not in ("write", "suspect"):
            continue
        owner = next((t for t in tables.values() if tool in t.entity.tools), None)
        if owner is not None:
            bindings[tool] = Binding(owner.name, owner.entity.tools[tool])
        elif (best := _best_binding(history, tool, tables)) is not None:
            bindings[tool] = best
    return bindings


def _best_binding(history: History, tool: str, tables: dict[str, Table]) -> Binding | None:
    good = history.successes(tool)
    choices = []
    for name in sorted(tables):
        for argument in history.argument_names(tool):
            values = [moment.call.arguments.get(argument) for moment in good]
            hits = [v for v in values if is_key_value(v) and key_text(v) in tables[name].rows]
            if hits and len(hits) >= MOSTLY * len(good):
                other = argument != tables[name].entity.argument
                choices.append((other, name, argument))
    return Binding(*min(choices)[1:]) if choices else None


def gather(
    history: History,
    tables: dict[str, Table],
    effects: dict[str, Effect],
    bindings: dict[str, Binding],
) -> dict[str, Evidence]:
    """Return the evidence on every bound tool, trace by trace."""
    found = {tool: Evidence(binding) for tool, binding in bindings.items()}
    readers = {table.reader: table for table in tables.values()}
    writers = {tool for tool, effect in effects.items() if effect in ("write", "suspect")}
    for trace in history.traces:
        _Walk(trace, readers, writers, found).run()
    return found


class _Walk:
    """One pass over a trace that keeps the last known version of every row."""

    def __init__(
        self,
        trace: Trace,
        readers: dict[str, Table],
        writers: set[str],
        found: dict[str, Evidence],
    ) -> None:
        self._trace = trace
        self._readers = readers
        self._writers = writers
        self._found = found
        self._known: dict[tuple[str, str], dict[str, Json]] = {}
        self._fresh = True

    def run(self) -> None:
        """Note every call."""
        for index, call in enumerate(self._trace.calls):
            if call.tool in self._found:
                self._write(index, call, self._found[call.tool])
            elif call.ok and call.tool in self._readers:
                self._read(call, self._readers[call.tool])
            elif call.ok and call.tool in self._writers:
                self._fresh = False
                self._forget(call)

    def _read(self, call: Call, table: Table) -> None:
        key = table.entity.key(call.tool, call.arguments)
        if key is not None and isinstance(call.value, dict):
            self._known[table.name, key] = call.value

    def _write(self, index: int, call: Call, evidence: Evidence) -> None:
        argument = call.arguments.get(evidence.binding.argument)
        if not is_key_value(argument):
            return
        place = (evidence.binding.table, key_text(argument))
        before = self._known.get(place)
        if not call.ok:
            if not call.transient:
                evidence.failures.append(self._failure(call, place[1], before))
            return
        after = self._after(index, call, place)
        sample = Sample(
            self._trace.task,
            call.arguments,
            place[1],
            before,
            after,
            call.value,
            dict(self._known),
            fresh=self._fresh,
        )
        self._fresh = False
        evidence.samples.append(sample)
        self._forget(call)
        if after is not None:
            self._known[place] = after

    def _failure(self, call: Call, key: str, before: dict[str, Json] | None) -> Failure:
        known = dict(self._known)
        return Failure(key, before, str(call.value), self._trace.task, call.arguments, known)

    def _after(self, index: int, call: Call, place: tuple[str, str]) -> dict[str, Json] | None:
        for table in self._readers.values():
            if table.name == place[0] and call.tool in table.entity.tools:
                known = self._known.get(place, ABSENT)
                shown = table.entity.shown(call.tool, call.value, table.reader, known)
                if shown is not ABSENT:
                    return dict(shown)
        for later in self._trace.calls[index + 1 :]:
            if not later.ok:
                continue
            reader = self._readers.get(later.tool)
            if reader and (reader.name, reader.entity.key(later.tool, later.arguments)) == place:
                return later.value if isinstance(later.value, dict) else None
            if later.tool in self._writers and place[1] in named_in(later.arguments):
                return None
        return None

    def _forget(self, call: Call) -> None:
        # What a write names may have changed unseen; the row itself is noted again by the caller.
        named = named_in(call.arguments)
        for place in [place for place in self._known if place[1] in named]:
            del self._known[place]


def _index(value: Json) -> Index:
    places: Index = defaultdict(list)
    level: list[tuple[Path, Json]] = [((), value)]
    while level:
        below: list[tuple[Path, Json]] = []
        for path, item in level:
            if path:
                places[identity(item)].append(path)
            if isinstance(item, dict):
                below.extend(((*path, name), item[name]) for name in sorted(item))
            elif isinstance(item, list):
                below.extend(((*path, number), part) for number, part in enumerate(item))
        level = below
    return dict(places)
