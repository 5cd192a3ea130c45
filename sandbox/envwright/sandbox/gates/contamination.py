"""Gate `not_held_out`: the reference is no task that was set aside for evaluation."""

from collections.abc import Sequence
from typing import NamedTuple

from envwright.events import Json, digest
from envwright.events.errors import BadInputError
from envwright.events.values import ToolCall
from envwright.sandbox.gates.gate import Examination, Finding, Gate

GRAM = 4
"""Consecutive calls that are compared as one."""

LIMIT = 0.8
"""Share of a reference's grams, found in the held-out set, from which on it is rejected."""

_SHOWN = 16


class Marks(NamedTuple):
    """What is kept of a sequence of calls, so that it can be recognised."""

    sequence: str
    """Digest of all calls in their order."""
    grams: tuple[str, ...]
    """Short digests of each four in a row; of all calls, where there are fewer."""


def mark_calls(calls: Sequence[ToolCall]) -> Marks:
    """Return the marks of calls: tools by bare name, arguments in canonical form."""
    plain: list[Json] = [[_bare(call.name), call.arguments] for call in calls]
    starts = range(max(1, len(plain) - GRAM + 1))
    grams = (digest(plain[start : start + GRAM])[:_SHOWN] for start in starts)
    return Marks(digest(plain), tuple(grams))


def _bare(name: str) -> str:
    """Return a tool's name without the namespace that tells it from another of the same name."""
    return name.rpartition("__")[2].casefold()


def _check(examination: Examination) -> Finding:
    sequences = _texts(examination, "sequences")
    held_out = _texts(examination, "grams")
    marks = mark_calls(examination.bundle.solution.calls)
    found = sum(gram in held_out for gram in marks.grams)
    share = found / len(marks.grams)
    evidence: dict[str, Json] = {
        "sequence": marks.sequence,
        "grams": len(marks.grams),
        "held_out": found,
        "held_out_sequences": len(sequences),
    }
    if marks.sequence in sequences or share >= LIMIT:
        detail = f"{found} of {len(marks.grams)} runs of {GRAM} calls stand in the held-out set"
        return Finding(passed=False, evidence=evidence, reason="HELD_OUT", detail=detail)
    return Finding(passed=True, evidence=evidence)


def _texts(examination: Examination, name: str) -> frozenset[str]:
    value = examination.settings.get(name)
    if not isinstance(value, list | tuple) or not all(isinstance(item, str) for item in value):
        raise BadInputError(f"setting `{name}` is {value!r:.80}; expected a list of digests")
    return frozenset(value)


GATE = Gate(
    id="not_held_out",
    proves="the reference calls are not those of a task that was set aside for evaluation",
    blames="solution",
    cost=15,
    check=_check,
    reasons={"HELD_OUT": "the reference repeats a held-out task"},
)
