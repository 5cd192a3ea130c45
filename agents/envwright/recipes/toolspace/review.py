"""The review: what reading a package shows, without running it: contract, quotes, ambiguity."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from envwright.events.canonical import Json, equal
from envwright.recipes.recipe import Finding
from envwright.recipes.toolspace.tasks.blueprint import recorded_steps, steps_of
from envwright.sandbox.packages import BlueprintFact, Bundle, find_canaries
from envwright.sandbox.worlds import CASSETTES

AMBIGUOUS = "AMBIGUOUS_REFERENCE"
"""Reason of a description that fits several things, or none."""

SHORTEST_QUOTE = 20
"""Fewest characters of a quote that a criterion rests on, as in NVIDIA's Skill2Env."""


def review(bundle: Bundle) -> tuple[Finding, ...]:
    """Return what is wrong with a package as far as reading it tells."""
    return (
        *_contract(bundle),
        *_boundary(bundle),
        *_quotes(bundle),
        *_ambiguity(bundle),
    )


def _contract(bundle: Bundle) -> Iterator[Finding]:
    tools = {tool.name: tool.parameters for tool in bundle.package.tools}
    for call in bundle.solution.calls:
        declared = tools.get(call.name, {}).get("properties", {})
        unknown = sorted(call.arguments.keys() - declared.keys())
        if call.name not in tools or unknown:
            what = f"argument {unknown[0]!r} of " if call.name in tools else ""
            detail = f"the solution uses {what}{call.name!r}, which the package does not declare"
            yield Finding(reason="CONTRACT_BROKEN", artifact="solution", detail=detail)
    held = bundle.assertions
    if not held.state and not held.answer:
        detail = "no assertion says what must change or be answered"
        yield Finding(reason="UNPINNED_TASK", artifact="verifier", detail=detail)
    framed = {str(frame.path[1]) for frame in held.frames if len(frame.path) > 1}
    loose = sorted(bundle.json("environment/tables.json").keys() - framed)
    if loose:
        detail = f"no frame holds table {loose[0]!r}"
        yield Finding(reason="UNFRAMED_TABLE", artifact="verifier", detail=detail)


def _boundary(bundle: Bundle) -> Iterator[Finding]:
    shown = [bundle.instruction, *(bundle.text(name) for name in bundle.package.boundary)]
    for found in find_canaries(shown):
        yield Finding(reason="CANARY_LEAK", artifact="instruction", detail=found)
    for name in bundle.package.boundary:
        if not name.startswith("files/"):
            detail = f"{name!r} is offered to solvers and does not stand in files/"
            yield Finding(reason="BOUNDARY_LEAK", artifact="environment", detail=detail)


def _quotes(bundle: Bundle) -> Iterator[Finding]:
    text = _spaced(bundle.instruction)
    for criterion in bundle.blueprint.criteria:
        quote = _spaced(criterion.quote)
        if len(quote) < SHORTEST_QUOTE or quote not in text:
            detail = f"criterion {criterion.id!r} rests on words that the instruction lacks"
            yield Finding(reason="UNMAPPED_METRIC", artifact="instruction", detail=detail)


def _spaced(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()


class _Told(NamedTuple):
    """A hidden value that the instruction describes, and the traits that it gives of it."""

    fact: BlueprintFact
    steps: list[str]
    traits: list[tuple[list[str], Json]]


def _ambiguity(bundle: Bundle) -> Iterator[Finding]:
    tables = _rows(bundle)
    for told in _told(bundle):
        fitting = _fitting(tables, told)
        if fitting != {str(told.fact.value)}:
            detail = f"{len(fitting)} values fit what is said of {told.fact.id!r}"
            yield Finding(reason=AMBIGUOUS, artifact="instruction", detail=detail)


def _told(bundle: Bundle) -> Iterator[_Told]:
    facts = bundle.blueprint.facts
    for fact in facts:
        steps = _steps(fact.location)
        found_in_row = steps is not None and len(steps) > 3
        if fact.visibility == "hidden" and steps is not None and found_in_row:
            stem = fact.id.removesuffix(".key")
            traits = [
                (place, other.value)
                for other in facts
                if other.id.startswith(f"{stem}.trait-")
                and (place := _steps(other.location)) is not None
            ]
            yield _Told(fact, steps, traits)


_ANSWERS = "answers of "
"""How the answers of a recorded tool stand beside the tables, each under the key of its call."""


def _rows(bundle: Bundle) -> dict[str, Json]:
    """Return all that facts may be found in: the tables, and the recorded answers like tables."""
    found = dict(bundle.json("environment/tables.json"))
    if f"environment/{CASSETTES}" in bundle.files:
        tapes = bundle.json(f"environment/{CASSETTES}")
        found |= {f"{_ANSWERS}{tool}": {"rows": tapes[tool]} for tool in tapes}
    return found


def _steps(location: str) -> list[str] | None:
    recorded = recorded_steps(location)
    if recorded is None:
        return steps_of(location)
    return [f"{_ANSWERS}{recorded[0]}", "rows", *recorded[1:]]


def _fitting(tables: Json, told: _Told) -> set[str]:
    """Return the values, found where the hidden one was found, that have all the traits."""
    table, _, key, *path = told.steps
    row = tables[table]["rows"][key]
    fitting = set()
    for place, value in _alternatives(row, path):
        if all(_has(tables, told.steps[:3], place, value, trait) for trait in told.traits):
            fitting.add(str(value))
    return fitting


def _alternatives(row: Json, path: list[str]) -> Iterator[tuple[list[str], Json]]:
    """Yield what stands at a path where every position, and every key of a mapping, is open."""
    if not path:
        yield [], row
        return
    for step, inner in _open(row, path[0], last=len(path) == 1):
        for rest, value in _alternatives(inner, path[1:]):
            yield [step, *rest], value


def _open(value: Json, step: str, last: bool) -> Iterator[tuple[str, Json]]:
    if isinstance(value, list):
        yield from ((str(index), item) for index, item in enumerate(value))
    elif isinstance(value, dict):
        mapping = not last and len(value) > 1 and all(isinstance(v, dict) for v in value.values())
        yield from ((name, item) for name, item in sorted(value.items()) if mapping or name == step)


def _has(
    tables: Json, owner: list[str], place: list[str], value: Json, trait: tuple[list[str], Json]
) -> bool:
    steps, wanted = trait
    if steps[:3] == owner:
        # The trait is of the element beside the value, inside the same row.
        table, _, key = owner
        element, rest = place[:-1], steps[3 + len(place) - 1 :]
        inner = _at(tables[table]["rows"][key], element)
    else:
        inner, rest = tables[steps[0]]["rows"].get(str(value)), steps[3:]
    return any(equal(found, wanted) for _, found in _alternatives(inner, rest))


def _at(value: Json, path: list[str]) -> Json:
    for step in path:
        value = value[int(step)] if isinstance(value, list) else value[step]
    return value
