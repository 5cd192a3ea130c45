"""Knowledge: what the results of calls taught a policy, and which values belong together."""

from collections import defaultdict
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from envwright.agents.solver.policies.parameters import Place
from envwright.agents.solver.policies.shape import is_scalar, text_of, value_key
from envwright.agents.solver.policies.vocabulary import GENERIC, raw_words, stem, stems
from envwright.events import Json
from envwright.events.values import Observation, ToolCall

_CUT = ("by", "from", "for", "with", "of")
_THINGS = frozenset(
    stem(word) for word in ["details", "info", "information", "status", "all", "list"]
)
_MOST_TEXTS = 400
_LISTED_TOGETHER = 0.5
_LONGEST_TEXT = 200
_DEEPEST = 40


@dataclass(frozen=True)
class Finding:
    """A value in a result."""

    value: Json
    name: str
    """The field that holds it; for an item of a list, the list's field."""
    labels: frozenset[str]
    """Stems that say what the value is."""
    within: frozenset[str]
    """Stems of the fields that it lies in."""
    record: int
    """The record that it is a field of."""
    order: int
    """Its place among all findings."""
    listed: bool = False
    """Whether it is one of a list."""
    place: Place | None = None
    """Where in the results of its tool it stands; None for an argument of the call."""


class Described(NamedTuple):
    """A text that describes something, with the field that holds it."""

    field: str
    text: str


@dataclass
class Record:
    """A JSON object in a result, with the texts that describe it."""

    parent: int | None
    result: int
    texts: list[Described] = field(default_factory=list)


def _noun(tool: str) -> tuple[str, ...]:
    """Return the stems of what a tool gives: the user id in `find_user_id_by_email`."""
    words: list[str] = []
    for word in raw_words(tool)[1:]:
        if word in _CUT:
            break
        words.append(word)
    telling = tuple(part for part in stems(" ".join(words)) if part not in _THINGS)
    return telling or stems(tool)


@dataclass
class Knowledge:
    """All results so far: their values as findings, their objects as records.

    `heard` are the stems that matter to the task; texts without any of them describe nothing.
    """

    heard: frozenset[str] = frozenset()

    findings: list[Finding] = field(default_factory=list)
    records: list[Record] = field(default_factory=list)
    results: list[tuple[ToolCall, Observation]] = field(default_factory=list)
    _by_value: dict[str, list[Finding]] = field(default_factory=lambda: defaultdict(list))
    _fetched_with: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    _result_texts: list[list[Described]] = field(default_factory=list)
    _lines: dict[int, frozenset[int]] = field(default_factory=dict)

    def learn(self, call: ToolCall, observation: Observation) -> None:
        """Take in the result of a call; an error teaches no values."""
        index = len(self.results)
        self.results.append((call, observation))
        self._result_texts.append([])
        if not observation.ok:
            return
        for argument in call.arguments.values():
            if is_scalar(argument):
                self._fetched_with[value_key(argument)].append(index)
        root = self._record(None, index)
        for name, argument in sorted(call.arguments.items()):
            if is_scalar(argument):
                self._find(argument, _Spot(name, (), frozenset(), root))
        noun, place = _noun(call.name), Place(call.name, ())
        spot = _Spot(" ".join(noun), noun, frozenset(), root, place=place)
        self._walk(observation.value, spot)

    def about(self, value: Json) -> list[Finding]:
        """Return the findings of a value."""
        return self._by_value.get(value_key(value), [])

    def descriptions(self, value: Json) -> tuple[set[Described], set[Described]]:
        """Return what describes a value itself, and what only the records that it lies in.

        A value is described by its own record, and by whatever it was used to look up.
        """
        own: set[Described] = set()
        above: set[Described] = set()
        for finding in self.about(value):
            own.update(self.records[finding.record].texts)
            for record in self.line(finding.record):
                above.update(self.records[record].texts)
        for index in self._fetched_with.get(value_key(value), ()):
            own.update(self._result_texts[index])
        return own, above - own

    def entries(self, value: Json, result: int) -> set[Described]:
        """Return what describes a value in the records of other results that hold it."""
        records = (self.records[finding.record] for finding in self.about(value))
        return {text for record in records if record.result != result for text in record.texts}

    def related(self, value: Json, other: Json) -> float:
        """Say from 0 to 1 how closely two values were seen together, one in the other's record."""
        return max(
            (
                _LISTED_TOGETHER if above.listed else 1.0
                for first, second in ((value, other), (other, value))
                for finding in self.about(first)
                for above in self.about(second)
                if above.record in self.line(finding.record)
            ),
            default=0.0,
        )

    def line(self, record: int) -> frozenset[int]:
        """Return a record with all that it lies in."""
        if record not in self._lines:
            parent = self.records[record].parent
            above = frozenset() if parent is None else self.line(parent)
            self._lines[record] = above | {record}
        return self._lines[record]

    def texts_of(self, result: int) -> list[Described]:
        """Return what describes anything in a result."""
        return self._result_texts[result]

    def _record(self, parent: int | None, result: int) -> int:
        self.records.append(Record(parent, result))
        return len(self.records) - 1

    def _find(self, value: Json, spot: "_Spot") -> None:
        order = len(self.findings)
        where = (spot.labels, spot.within, spot.record, order, spot.listed, spot.place)
        finding = Finding(value, spot.name, *where)
        self.findings.append(finding)
        self._by_value[value_key(value)].append(finding)
        if is_scalar(value):
            self._describe(Described(spot.name, text_of(value)), spot.record)

    def _describe(self, described: Described, record: int) -> None:
        telling = self.heard.intersection(stems(described.text))
        if not telling or len(described.text) > _LONGEST_TEXT:
            return
        entry = self.records[record]
        entry.texts.append(described)
        whole = self._result_texts[entry.result]
        if len(whole) < _MOST_TEXTS:
            whole.append(described)

    def _walk(self, value: Json, spot: "_Spot") -> None:
        if isinstance(value, dict) and spot.depth < _DEEPEST:
            self._walk_object(value, spot)
        elif isinstance(value, list) and spot.depth < _DEEPEST:
            self._find(value, spot)
            for item in value:
                tree = isinstance(item, dict | list)
                inner = spot.under(self._child(spot)) if tree else spot
                self._walk(item, replace(inner, listed=True, place=spot.step("*")))
        elif is_scalar(value):
            self._find(value, spot)

    def _walk_object(self, value: dict[str, Any], spot: "_Spot") -> None:
        keyed = len(value) > 0 and all(isinstance(item, dict) for item in value.values())
        for key in sorted(value):
            if keyed and _is_identifier(key):
                child = replace(spot.under(self._child(spot)), place=spot.step("*"))
                self._find(key, child)
                self._walk(value[key], child)
            elif isinstance(value[key], dict):
                child = spot.field(key).under(self._child(spot))
                self._walk(value[key], child)
                # An object inside, such as an address, describes its owner too.
                self.records[spot.record].texts += [
                    Described(f"{key} {inside.field}", inside.text)
                    for inside in self.records[child.record].texts
                ]
            else:
                self._walk(value[key], spot.field(key))

    def _child(self, spot: "_Spot") -> int:
        return self._record(spot.record, self.records[spot.record].result)


@dataclass(frozen=True)
class _Spot:
    """Where in a result the walk through it is."""

    name: str
    above: tuple[str, ...]
    """Stems of what the object is called that holds the field."""
    within: frozenset[str]
    record: int
    listed: bool = False
    depth: int = 0
    place: Place | None = None

    @property
    def labels(self) -> frozenset[str]:
        """What the field says of its value; a mere `id` or `name` also says whose it is."""
        own = stems(self.name)
        return frozenset(own) if set(own) - GENERIC else frozenset((*own, *self.above[-1:]))

    def field(self, key: str) -> "_Spot":
        """Return the spot of a field of the object here."""
        above = stems(self.name) or self.above
        within = self.within | frozenset(above)
        place = self.step(key)
        return _Spot(key, above, within, self.record, depth=self.depth + 1, place=place)

    def step(self, name: str) -> Place | None:
        """Return the place one step further in."""
        return self.place and Place(self.place.tool, (*self.place.path, name))

    def under(self, record: int) -> "_Spot":
        """Return the same spot as part of another record."""
        return replace(self, record=record, listed=False, depth=self.depth + 1)


def _is_identifier(key: str) -> bool:
    return any(character.isdigit() for character in key)
