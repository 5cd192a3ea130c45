"""Pairing: which result belongs to which call of a conversation.

Ids decide. They may be missing or used again, and results may come in any order or not at all; so
all calls and results of a conversation are gathered before the first pair is made.
"""

from collections import deque
from collections.abc import Callable, Sequence
from typing import NamedTuple

from envwright.events.canonical import Json
from envwright.recipes.toolspace.calls import Call
from envwright.recipes.toolspace.readers.jsontext import UnusableError, canonical
from envwright.recipes.toolspace.readers.results import Answer, arguments_of
from envwright.recipes.toolspace.readers.skips import Skips


class Asked(NamedTuple):
    """A call as it was asked for."""

    place: str
    turn: int
    """Number of the message that asks; parallel calls share it."""
    id: str
    name: str
    """The tool; empty if the call does not say."""
    arguments: Json
    service: str = ""


class Answered(NamedTuple):
    """A result as it was given."""

    place: str
    turn: int
    id: str
    name: str
    """The tool that the result names; empty if it names none."""
    read: Callable[[], Answer]
    """Reads the result; raises UnusableError if it cannot be used."""


class Exchange:
    """The calls and results of one conversation."""

    def __init__(self, skips: Skips) -> None:
        self._skips = skips
        self._asked: list[Asked] = []
        self._answered: list[Answered] = []

    def ask(self, asked: Asked) -> None:
        """Note a call."""
        self._asked.append(asked)

    def answer(self, answered: Answered) -> None:
        """Note a result."""
        self._answered.append(answered)

    def calls(self) -> tuple[Call, ...]:
        """Return the calls that have a result, in the order in which they were asked for."""
        pairs = self._pairs()
        given = set(pairs.values())
        for number, result in enumerate(self._answered):
            if number not in given:
                named = f", tool {result.name!r:.60}" if result.name else ""
                reason = f"a result without an open call (id {result.id!r:.60}{named})"
                self._skips.add(result.place, reason)
        found = []
        for number, asked in enumerate(self._asked):
            answered = self._answered[pairs[number]] if number in pairs else None
            call = self._call(asked, answered)
            found += [] if call is None else [call]
        return tuple(found)

    def _pairs(self) -> dict[int, int]:
        """Return the number of the result of each call that has one."""
        groups: dict[str, tuple[list[int], list[int]]] = {}
        for number, call in enumerate(self._asked):
            groups.setdefault(call.id, ([], []))[0].append(number)
        for number, result in enumerate(self._answered):
            if result.id in groups:
                groups[result.id][1].append(number)
        pairs: dict[int, int] = {}
        for calls, results in groups.values():
            if len(calls) == len(results) == 1:
                pairs[calls[0]] = results[0]
            else:
                pairs |= self._match(calls, results)
        # Where one side has no id, name and order must do.
        taken = set(pairs.values())
        calls = [n for n in range(len(self._asked)) if n not in pairs]
        results = [n for n in range(len(self._answered)) if n not in taken]
        return pairs | self._match(calls, results)

    def _match(self, calls: Sequence[int], results: Sequence[int]) -> dict[int, int]:
        # As many results as calls: they come in the order of the calls. Else one is missing, and
        # rather of an earlier turn than of the latest one.
        latest_first = len(calls) != len(results)
        pairs: dict[int, int] = {}
        waiting = deque(calls)
        still_open: list[int] = []
        for number in results:
            result = self._answered[number]
            while waiting and self._asked[waiting[0]].turn < result.turn:
                still_open.append(waiting.popleft())
            fitting = [n for n in still_open if _fits(self._asked[n], result)]
            if fitting:
                turn = self._asked[fitting[-1 if latest_first else 0]].turn
                chosen = next(n for n in fitting if self._asked[n].turn == turn)
                still_open.remove(chosen)
                pairs[chosen] = number
        return pairs

    def _call(self, asked: Asked, answered: Answered | None) -> Call | None:
        if not asked.name:
            self._skips.add(asked.place, "a tool call without the name of a tool")
            return None
        try:
            name, service = canonical(asked.name), canonical(asked.service)
            arguments = arguments_of(asked.arguments)
        except UnusableError as error:
            self._skips.add(asked.place, f"arguments of {asked.name!r:.60}: {error}")
            return None
        if answered is None:
            self._skips.add(asked.place, f"no result for the call of {asked.name!r:.60}")
            return None
        try:
            answer = answered.read()
        except UnusableError as error:
            self._skips.add(answered.place, f"result of {asked.name!r:.60}: {error}")
            return None
        if answer.left_out:
            self._skips.add(answered.place, answer.left_out)
        return Call(name, arguments, answer.ok, answer.value, service, answer.transient)


def _fits(asked: Asked, answered: Answered) -> bool:
    one_id = asked.id == answered.id or not (asked.id and answered.id)
    return one_id and answered.name in ("", asked.name)
