"""Verification: the assertions of a package, evaluated as data on a final state and an answer."""

import re
import unicodedata
from typing import Literal

from envwright.events import Json, digest, encode, equal
from envwright.events.values import Value
from envwright.sandbox.packages import (
    AnswerAssertion,
    Assertions,
    FrameAssertion,
    StateAssertion,
    StatePath,
)
from envwright.sandbox.verifiers.places import NOTHING, find, same, without

_FOUND_LIMIT = 200


class VerifiedItem(Value):
    """What became of one assertion."""

    id: str
    kind: Literal["state", "frame", "answer"]
    passed: bool
    found: str
    """What was there, as text for people."""


class Verification(Value):
    """What became of a package's assertions; no assertion at all proves nothing and fails."""

    passed: bool
    items: tuple[VerifiedItem, ...]

    @property
    def failed(self) -> tuple[str, ...]:
        """Ids of the assertions that do not hold."""
        return tuple(item.id for item in self.items if not item.passed)


class Verifier:
    """Evaluates one package's assertions on many final states that began as one initial state.

    The digest of an untouched frame is taken once: a final state that shares its rows with the
    initial state costs what was changed, not what is there.
    """

    def __init__(self, assertions: Assertions, initial: Json) -> None:
        self._assertions = assertions
        self._initial = initial
        self._frames: dict[str, tuple[Json, str]] = {}

    def verify(self, final: Json, answer: str) -> Verification:
        """Return what became of each assertion."""
        items = [
            *(self._state(item, final) for item in self._assertions.state),
            *(self._frame(item, final) for item in self._assertions.frames),
            *(self._answer(item, answer) for item in self._assertions.answer),
        ]
        passed = bool(items) and all(item.passed for item in items)
        return Verification(passed=passed, items=tuple(items))

    def vacuous(self) -> tuple[str, ...]:
        """Return the ids of state assertions that hold on the untouched initial state."""
        return tuple(
            item.id for item in self._assertions.state if self._state(item, self._initial).passed
        )

    def _state(self, item: StateAssertion, final: Json) -> VerifiedItem:
        value = find(final, item.path)
        present = value is not NOTHING
        if item.op == "count_delta":
            return self._count(item, value)
        if item.op == "eq":
            passed = present and equal(value, item.expected)
        else:
            passed = present == (item.op == "exists")
        return VerifiedItem(id=item.id, kind="state", passed=passed, found=_shown(value))

    def _count(self, item: StateAssertion, value: Json) -> VerifiedItem:
        before, after = _count(self._initial, item.path), _count(value, ())
        if before is None or after is None:
            found = "no object or list at the " + ("end" if after is None else "start")
            return VerifiedItem(id=item.id, kind="state", passed=False, found=found)
        return VerifiedItem(
            id=item.id,
            kind="state",
            passed=after - before == item.expected,
            found=f"{after} entries, {before} at the start",
        )

    def _frame(self, item: FrameAssertion, final: Json) -> VerifiedItem:
        part = find(final, item.path)
        if part is NOTHING:
            return VerifiedItem(id=item.id, kind="frame", passed=False, found=_shown(part))
        if item.id not in self._frames:
            start = without(find(self._initial, item.path), item.excepted)
            self._frames[item.id] = (start, "" if start is NOTHING else digest(start))
        start, found = self._frames[item.id]
        rest = without(part, item.excepted)
        if not same(start, rest):
            found = digest(rest)
        passed = found == item.digest
        return VerifiedItem(id=item.id, kind="frame", passed=passed, found=found)

    def _answer(self, item: AnswerAssertion, answer: str) -> VerifiedItem:
        said, expected = _plain(answer), _plain(item.expected)
        passed = said == expected if item.op == "equals" else mentions(said, expected)
        return VerifiedItem(id=item.id, kind="answer", passed=passed, found=_shown(answer))


def verify(assertions: Assertions, initial: Json, final: Json, answer: str) -> Verification:
    """Evaluate assertions on one final state and answer; see `Verifier` for many."""
    return Verifier(assertions, initial).verify(final, answer)


def mentions(text: str, expected: str) -> bool:
    """Say whether `text` holds `expected` as whole words and numbers: `10` is not in `1024`."""
    start = r"(?<!\w)(?<!\d[.,])" if expected[:1].isalnum() else ""
    end = r"(?!\w)(?![.,]\d)" if expected[-1:].isalnum() else ""
    return re.search(start + re.escape(expected) + end, text) is not None


def _count(state: Json, path: StatePath) -> int | None:
    value = find(state, path)
    return len(value) if isinstance(value, dict | list) else None


def _plain(text: str) -> str:
    return unicodedata.normalize("NFC", text).strip()


def _shown(value: Json) -> str:
    if value is NOTHING:
        return "nothing"
    text = encode(value).decode("ascii")
    return text if len(text) <= _FOUND_LIMIT else f"{text[:_FOUND_LIMIT]}…"
