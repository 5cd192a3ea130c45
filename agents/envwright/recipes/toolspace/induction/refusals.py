"""Refusals: which calls are refused and with what words, from the calls of all tools that were.

Each error text, or text with holes, gets the simplest predicate that is true of its calls and false
of every success. One text may be shared by several tools: what explains it in many tasks is
believed in few. Texts that too many predicates explain, or that one task shows, are left out.
"""

import re
from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from envwright.recipes.toolspace.induction import drafts
from envwright.recipes.toolspace.induction.drafts import Draft
from envwright.recipes.toolspace.induction.fitting import Knowledge
from envwright.recipes.toolspace.induction.norms import broken_norms
from envwright.recipes.toolspace.induction.predicates import MOST_TIES, Test, agrees, fitting
from envwright.recipes.toolspace.induction.samples import Evidence, Sample
from envwright.recipes.toolspace.induction.scopes import Scope
from envwright.recipes.toolspace.induction.solving import solve
from envwright.recipes.toolspace.induction.witnesses import fit_witness
from envwright.recipes.toolspace.values import leaves

FEWEST_TASKS = 2
"""Fewest distinct tasks that must show an error text for the same reason (ours)."""

LEAST_HITS = 0.05
"""Share of calls that a look-up must serve to stand in a predicate (ours)."""

COVERED = 2 / 3
"""Share of a text's calls that must break a norm that does not explain them all (ours)."""

_NUMBER = re.compile(r"\d+(\.\d+)?")
_HOLE = "\x00"
_LONG = 4


class Refusal(NamedTuple):
    """A predicate of calls, and the text with which they are refused."""

    test: Test
    text: Draft
    blind: bool = False
    """Whether calls were refused so on rows that no trace had shown: nobody looked at a row."""
    over: Draft | None = None
    """The list of whose items the predicate and the text speak, if they do."""


Support = dict[tuple[str, Draft], set[str]]
"""The tasks that speak for a reason."""


class _Case(NamedTuple):
    """The calls of one tool that one text refused, and what explains them."""

    tool: str
    template: str
    frames: tuple[int, ...]
    tasks: frozenset[str]
    fits: dict[Draft, Test]


def fit_refusals(
    evidence: dict[str, Evidence], knowledge: Knowledge
) -> dict[str, tuple[Refusal, ...]]:
    """Return the refusals of each tool in the order in which they are tried."""
    scopes = {tool: _scope(found, knowledge) for tool, found in evidence.items() if found.failures}
    cases = [case for tool in sorted(scopes) for case in _cases(tool, scopes[tool])]
    support: Support = defaultdict(set)
    for case in cases:
        for draft in case.fits:
            for reason in _reasons(case.template, draft):
                support[reason] |= case.tasks
    chosen: dict[str, dict[str, Refusal]] = defaultdict(dict)
    for case in cases:
        scope = scopes[case.tool]
        refusal = _refusal(case, scope, support) or _item_to_blame(case, scope)
        if refusal is not None:
            unseen = case.template in _unseen(evidence[case.tool])
            blind = unseen and refusal.over is None and _of_arguments(refusal.test)
            chosen[case.tool][case.template] = refusal._replace(blind=blind)
    return {
        tool: _ordered(chosen[tool], [case for case in cases if case.tool == tool])
        for tool in sorted(chosen)
    }


def _reasons(template: str, draft: Draft) -> list[tuple[str, Draft]]:
    """Return what other calls may believe in too: the text for this reason, or the limit."""
    reasons = [(template, draft)]
    if draft.op == "more" and all(operand.op != "const" for operand in draft.parts):
        # Tools that check one limit say so in words of their own.
        reasons.append(("", draft.parts[1]))
    return reasons


def template_of(one: Sample) -> str:
    """Return an error text with holes for what the call gave and for numbers."""
    text = str(one.value)
    given = {leaf.value for leaf in leaves(one.arguments) if isinstance(leaf.value, str)}
    for word in sorted(given - {""}, key=lambda w: (-len(w), w)):
        # A short word may stand in any text; in quotes it is what the call gave.
        short = len(word) < _LONG
        for mark in "'\"" if short else ("",):
            text = text.replace(f"{mark}{word}{mark}", f"{mark}{_HOLE}{mark}")
    return _NUMBER.sub(_HOLE, text)


def _unseen(evidence: Evidence) -> set[str]:
    """Return the texts of calls about rows that no trace had shown."""
    return {template_of(f.as_sample()) for f in evidence.failures if f.before is None}


def _of_arguments(test: Test) -> bool:
    return all(part.op in ("arg", "const", "list") for part in test.expr.parts)


def _scope(evidence: Evidence, knowledge: Knowledge) -> Scope:
    calls = [*evidence.samples, *(failure.as_sample() for failure in evidence.failures)]
    scope = knowledge.scope([call for call in calls if call.before is not None])
    scope.least = LEAST_HITS
    return scope


def _cases(tool: str, scope: Scope) -> list[_Case]:
    groups: dict[str, list[int]] = defaultdict(list)
    for frame, one in enumerate(scope.samples):
        if one.refused:
            groups[template_of(one)].append(frame)
    cases = []
    for template in sorted(groups):
        frames = tuple(groups[template])
        tasks = frozenset(scope.tasks[frame] for frame in frames)
        fits = {test.expr: test for test in _explaining(scope, set(frames))}
        cases.append(_Case(tool, template, frames, tasks, fits))
    return cases


def _explaining(scope: Scope, frames: set[int]) -> list[Test]:
    wanted: list[bool | None] = [
        True if frame in frames else None if one.refused else False
        for frame, one in enumerate(scope.samples)
    ]
    norms = list(broken_norms(scope, tuple(not one.refused for one in scope.samples)))
    found = fitting(scope, tuple(wanted))
    found += [test for test in norms if agrees(test.truths, tuple(wanted))]
    if found:
        return found
    # A success after another write may rest on a change of a number that no call shows.
    sure = (w if w or one.fresh else None for w, one in zip(wanted, scope.samples, strict=True))
    limits = [test for test in fitting(scope, tuple(sure)) if test.expr.op == "more"]
    return limits or [test for test in norms if _covers(test, frames)]


def _covers(test: Test, frames: set[int]) -> bool:
    """Say whether a norm is broken by most of the calls; what else is wrong no predicate says."""
    return sum(test.truths[frame] is True for frame in frames) >= COVERED * len(frames)


def _refusal(case: _Case, scope: Scope, support: Support) -> Refusal | None:
    ranked = sorted(
        (-_believed(case, draft, support), test.cost, repr(draft))
        for draft, test in case.fits.items()
    )
    if not ranked or -ranked[0][0] < FEWEST_TASKS:
        return None
    if sum(rank[:2] == ranked[0][:2] for rank in ranked) > MOST_TIES:
        return None
    test = next(test for draft, test in case.fits.items() if repr(draft) == ranked[0][2])
    texts = tuple(str(scope.samples[frame].value) for frame in case.frames)
    if len(set(texts)) == 1:
        return Refusal(test, drafts.constant(texts[0]))
    words = solve(scope.narrowed(case.frames), texts, "")
    return Refusal(test, words.expr) if words is not None else None


def _item_to_blame(case: _Case, scope: Scope) -> Refusal | None:
    found = fit_witness(scope, case.frames) if len(case.tasks) >= FEWEST_TASKS else None
    return Refusal(found.test, found.text, over=found.over) if found is not None else None


def _believed(case: _Case, draft: Draft, support: Support) -> int:
    return max(len(support[reason]) for reason in _reasons(case.template, draft))


def _ordered(found: dict[str, Refusal], cases: Sequence[_Case]) -> tuple[Refusal, ...]:
    """Put first what would take no other text's calls; what always would is left out."""
    frames = {case.template: case.frames for case in cases}
    left, order = dict(found), []
    while left:
        free = [t for t in sorted(left) if not _takes(left[t].test, frames, left.keys() - {t})]
        if not free:
            del left[min(left, key=lambda t: (len(frames[t]), t))]
            continue
        best = max(free, key=lambda t: (len(frames[t]), t))
        order.append(left.pop(best))
    return tuple(order)


def _takes(test: Test, frames: dict[str, tuple[int, ...]], others: set[str]) -> bool:
    return any(test.truths[frame] for other in others for frame in frames[other])
