"""Parts: how lists and objects among a call's arguments are put together."""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from envwright.agents.solver.policies.evidence import Candidate
from envwright.agents.solver.policies.filling import Filling
from envwright.agents.solver.policies.focus import Focus
from envwright.agents.solver.policies.instruction import Clause
from envwright.agents.solver.policies.labels import label_of_finding, label_of_mention
from envwright.agents.solver.policies.parameters import Slot
from envwright.agents.solver.policies.shape import value_key
from envwright.agents.solver.policies.vocabulary import raw_words
from envwright.events import Json

_EVERYTHING = frozenset(("all", "every", "both", "each", "everything", "whole", "entire"))
_ONE = re.compile(r"\bthe ones?\b", re.IGNORECASE)
_LEAST_SCORE, _LEAST_TOLD, _NAMED = 1.0, 0.2, 0.5
_OBJECT_FLOOR = 0.5


def part_for(slot: Slot, filling: Filling) -> Any:
    """Return a list or an object for the slot, or None if there is nothing to make it of."""
    value = _written(slot, filling)
    if value is None and slot.item is not None and not slot.fields:
        value = _items(slot, slot.item, filling)
    if value is None and slot.fields:
        value = _rows(slot, filling) if slot.item is not None else _object(slot, filling)
    return value


def _written(slot: Slot, filling: Filling) -> Any:
    """Return a value that the instruction gives in full."""
    fitting = [
        mention
        for mention in filling.focus.mentions
        if slot.fitted(mention.value) is not None
        and value_key(mention.value) not in filling.used
        and not filling.is_banned(slot, mention.value)
    ]
    best = max(fitting, key=lambda mention: label_of_mention(slot, mention), default=None)
    return best.value if best else None


def _items(slot: Slot, item: Slot, filling: Filling) -> list[Json] | None:
    """Return the values that the instruction names, or else those that it describes one by one."""
    ranked = [
        candidate
        for candidate in filling.weighed(item)
        if candidate.score >= _LEAST_SCORE and value_key(candidate.value) not in filling.used
    ]
    view = filling.focus.of(slot)
    named = [c for c in ranked if c.mentioned and c.label >= _NAMED]
    if named:
        places = {value_key(mention.value): mention.start for mention in reversed(view.mentions)}
        chosen = sorted(named, key=lambda c: places.get(value_key(c.value), 0))
        return [candidate.value for candidate in chosen]
    linked = [c for c in ranked if filling.links(c.value) > 0] or ranked
    if _EVERYTHING & set(raw_words(view.text)):
        return [candidate.value for candidate in linked] or None
    described = list(_described(linked, view, filling))
    if described or not slot.required:
        return described or None
    return [candidate.value for candidate in linked[:1]] or None


def _described(linked: list[Candidate], view: Focus, filling: Filling) -> Iterator[Json]:
    values = [candidate.value for candidate in linked]
    left = list(values)
    for part in _descriptions(view):
        told = filling.evidence.relevance.among(values, part)
        best = max(left, key=lambda value: told[value_key(value)], default=None)
        if best is not None and told[value_key(best)] >= _LEAST_TOLD:
            left.remove(best)
            yield best


def _descriptions(view: Focus) -> Iterator[Focus]:
    """Yield the parts that describe one thing each: `the one whose …`, or else each value."""
    spans: list[tuple[int, int]] = []
    for clause in view.clauses:
        starts = [clause.start + match.start() for match in _ONE.finditer(clause.text)]
        spans += pairwise([*starts, clause.end])
    if not spans:
        spans = [(mention.start, mention.end) for mention in view.mentions]
    for start, end in spans:
        text = view.instruction.text[start:end]
        yield Focus(view.tool, view.instruction, (Clause(text, "", start, end),), strict=True)


def _rows(slot: Slot, filling: Filling) -> list[Json] | None:
    """Return a list that was seen in a result, cut to the fields that the slot wants."""
    wanted = {part.name for part in slot.fields if part.required}
    fitting = [
        finding
        for finding in filling.evidence.knowledge.findings
        if isinstance(finding.value, list)
        and finding.value
        and all(isinstance(row, dict) and wanted <= row.keys() for row in finding.value)
        and label_of_finding(slot, finding) > 0
    ]
    if fitting:
        best = max(fitting, key=lambda finding: (label_of_finding(slot, finding), -finding.order))
        names = [part.name for part in slot.fields]
        return [{name: row[name] for name in names if name in row} for row in best.value]
    made = _object(slot, filling)
    return None if made is None else [made]


def _object(slot: Slot, filling: Filling) -> dict[str, Any] | None:
    inner = filling.inside()
    complete = inner.fill_scalars(slot.fields, _OBJECT_FLOOR)
    return inner.settled if complete and inner.settled else None
