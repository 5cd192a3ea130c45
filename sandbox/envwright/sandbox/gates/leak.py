"""Gate `no_leak`: what a solver sees holds no canary, tool name, hidden fact or solution."""

import re
import unicodedata
from collections.abc import Iterator
from typing import NamedTuple

from envwright.events import Json, digest, encode
from envwright.events.values import ToolSchema
from envwright.sandbox.attempts import task_view
from envwright.sandbox.gates.gate import Examination, Finding, Gate
from envwright.sandbox.packages import Blueprint, BlueprintFact, Bundle, find_canaries
from envwright.sandbox.verifiers import mentions

SHORTEST = 4
"""Texts and numbers with fewer characters identify nothing and are not looked for."""

INSTRUCTION = "instruction.md"
TOOLS = "tools"


class Leak(NamedTuple):
    """Something hidden, and where a solver sees it."""

    place: str
    reason: str
    what: str


def _check(examination: Examination) -> Finding:
    bundle = examination.bundle
    places = _visible(bundle)
    leaks = [
        *_canary_leaks(bundle, places),
        *_tool_names(places[INSTRUCTION], bundle.package.tools),
        *_fact_leaks(bundle.blueprint, places),
        *_solution_leaks(bundle, places),
    ]
    evidence: dict[str, Json] = {
        "places": {name: digest(text) for name, text in places.items()},
        "leaks": [leak._asdict() for leak in leaks],
        "not_looked_for": [
            fact.id for fact in bundle.blueprint.facts if not any(_telling(fact.value))
        ],
    }
    if not leaks:
        return Finding(passed=True, evidence=evidence)
    first = leaks[0]
    return Finding(
        passed=False,
        evidence=evidence,
        reason=first.reason,
        detail="; ".join(f"{leak.what} in {leak.place}" for leak in leaks[:5]),
        blames="instruction" if first.place == INSTRUCTION else "environment",
    )


def _visible(bundle: Bundle) -> dict[str, str]:
    """Return the text of every place that a solver sees, by name."""
    view = task_view(bundle)
    schemas = [tool.model_dump(mode="json") for tool in view.tools]
    return {
        INSTRUCTION: view.instruction,
        TOOLS: "\n".join(text for schema in schemas for text in _texts(schema)),
        **view.files,
    }


def _canary_leaks(bundle: Bundle, places: dict[str, str]) -> Iterator[Leak]:
    carriers = (bundle.package, bundle.blueprint, bundle.assertions, bundle.solution)
    canaries = {document.PATH: document.canary for document in carriers}
    if len(set(canaries.values())) != 1 or "" in canaries.values():
        yield Leak("the hidden documents", "CANARY_MISSING", "not one canary in all documents")
    for place, text in places.items():
        for found in find_canaries([text]):
            yield Leak(place, "CANARY_LEAK", f"canary {found!r}")


def _tool_names(instruction: str, tools: tuple[ToolSchema, ...]) -> Iterator[Leak]:
    """Find tool names; a name that is a plain word counts only where it is written as code."""
    for tool in tools:
        name = re.escape(tool.name)
        plain = re.fullmatch(r"[A-Za-z][a-z]*", tool.name) is not None
        pattern = rf"`{name}`|\b{name}\(" if plain else rf"(?<!\w){name}(?!\w)"
        if re.search(pattern, instruction):
            yield Leak(INSTRUCTION, "TOOL_NAME_LEAK", f"tool name {tool.name!r}")


def _fact_leaks(blueprint: Blueprint, places: dict[str, str]) -> Iterator[Leak]:
    """Find telling values of facts in places where neither they nor a like fact may appear."""
    for place, text in places.items():
        allowed = _allowed(blueprint, place)
        for fact in blueprint.facts:
            if place not in _may_appear_in(blueprint, fact, places):
                for value in _leaked(fact.value, text, allowed):
                    yield Leak(place, "BOUNDARY_LEAK", f"value {value!r} of fact {fact.id!r}")


def _solution_leaks(bundle: Bundle, places: dict[str, str]) -> Iterator[Leak]:
    """Find the expected answer, or the arguments of a reference call as JSON."""
    expected = [item.expected for item in bundle.assertions.answer]
    if expected:
        expected.append(bundle.solution.answer)
    calls = [encode(call.arguments).decode() for call in bundle.solution.calls if call.arguments]
    for place, text in places.items():
        allowed = _allowed(bundle.blueprint, place)
        for value in _leaked(expected, text, allowed):
            yield Leak(place, "SOLUTION_LEAK", f"answer {value!r}")
        dense = re.sub(r"\s", "", text)
        for arguments in calls:
            if re.sub(r"\s", "", arguments) in dense:
                yield Leak(place, "SOLUTION_LEAK", f"arguments {arguments:.80}")


def _may_appear_in(
    blueprint: Blueprint, fact: BlueprintFact, places: dict[str, str]
) -> frozenset[str]:
    """Return the places that a fact may appear in: its boundary rule's, or its visibility's."""
    ruled = [rule.may_appear_in for rule in blueprint.boundary if rule.fact_id == fact.id]
    if ruled:
        return frozenset(place for rule in ruled for place in rule)
    files = frozenset(places) - {INSTRUCTION, TOOLS}
    by_visibility = {"prompt": files | {INSTRUCTION}, "workspace": files, "hidden": frozenset()}
    return by_visibility[fact.visibility]


def _allowed(blueprint: Blueprint, place: str) -> list[str]:
    """Return the values of facts that may appear in a place."""
    places = {place: ""}
    facts = [fact for fact in blueprint.facts if place in _may_appear_in(blueprint, fact, places)]
    return [_plain(text) for fact in facts for text in _texts(fact.value)]


def _leaked(value: Json, text: str, allowed: list[str]) -> Iterator[str]:
    plain = _plain(text)
    for telling in _telling(value):
        if mentions(plain, telling) and not any(mentions(other, telling) for other in allowed):
            yield telling


def _telling(value: Json) -> Iterator[str]:
    """Yield the texts and numbers in a value that identify something."""
    return (plain for text in _texts(value) if len(plain := _plain(text)) >= SHORTEST)


def _texts(value: Json) -> Iterator[str]:
    if isinstance(value, dict):
        for name in sorted(value):
            yield name
            yield from _texts(value[name])
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)
    elif isinstance(value, str):
        yield value
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield encode(value).decode()


def _plain(text: str) -> str:
    return unicodedata.normalize("NFC", text).casefold().strip()


GATE = Gate(
    id="no_leak",
    proves="instruction, tool schemas and boundary files hold nothing that is hidden",
    blames="instruction",
    cost=40,
    check=_check,
    reasons={
        "CANARY_MISSING": "a hidden document does not carry the package's canary",
        "CANARY_LEAK": "a canary stands in what a solver sees",
        "TOOL_NAME_LEAK": "the instruction names a tool",
        "BOUNDARY_LEAK": "a fact's value stands where the blueprint does not allow it",
        "SOLUTION_LEAK": "the expected answer or a reference call stands in what a solver sees",
    },
)
