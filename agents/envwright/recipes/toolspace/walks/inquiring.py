"""Inquiring: recorded answers of stateless tools that a user may ask for, and what is asked.

Only what was recorded is ever asked for: the user says the arguments, or they stand in rows that
the walk has read, and the answer is a value that differs between recordings.
"""

from collections.abc import Iterator

from envwright.events.canonical import Json
from envwright.recipes.toolspace.profile import Recording
from envwright.recipes.toolspace.values import (
    ANY,
    Leaf,
    identity,
    is_key_value,
    is_scalar,
    key_text,
    leaves,
)
from envwright.recipes.toolspace.walks.story import Bound, Inquiry, Member
from envwright.recipes.toolspace.walks.traits import Trait, names_an_id, tell_apart, tellable
from envwright.recipes.toolspace.walks.walk import DeadEndError, Walk

_TRIES = 12
"""Recordings that are tried."""

_SHORTEST = 2
"""Fewest characters of a value that is taken from a row instead of being said (ours)."""


def inquiry(walk: Walk, tool: str) -> Inquiry:
    """Call a recorded tool as it was once called, and choose what is asked of its answer.

    Raises:
        DeadEndError: no recording can be asked for, or nothing in one is worth a question.
    """
    recordings = list(walk.knowledge.tool(tool).recordings)
    for _ in range(min(_TRIES, len(recordings))):
        recording = recordings.pop(walk.rng.randrange(len(recordings)))
        mark = walk.mark()
        try:
            return _Inquirer(walk, tool, recording).run()
        except DeadEndError:
            walk.return_to(mark)
    raise DeadEndError(f"no recording of {tool} can be asked for")


class _Inquirer:
    """Asks for one recording."""

    def __init__(self, walk: Walk, tool: str, recording: Recording) -> None:
        self._walk = walk
        self._tool = tool
        self._recording = recording

    def run(self) -> Inquiry:
        """Bind the arguments, call, and choose a value of the answer."""
        arguments = self._recording.arguments
        if not arguments:
            raise DeadEndError(f"{self._tool} takes nothing that a user could say")
        bound = tuple(self._bind(name, arguments[name]) for name in sorted(arguments))
        seen = {identity(leaf.value) for made in self._walk.made for leaf in leaves(made.value)}
        seen |= {identity(leaf.value) for leaf in leaves(arguments)}
        answer = self._walk.call(self._tool, arguments)
        every = list(leaves(answer))
        askable = [leaf for leaf in every if self._is_askable(leaf, seen)]
        while askable:
            leaf = askable.pop(self._walk.rng.randrange(len(askable)))
            traits = self._traits(answer, leaf, every)
            if traits is not None:
                return Inquiry(
                    tool=self._tool,
                    call=self._walk.made[-1].call,
                    bound=bound,
                    path=leaf.path,
                    value=leaf.value,
                    traits=traits,
                )
        raise DeadEndError(f"nothing to ask about an answer of {self._tool}")

    def _bind(self, name: str, value: Json) -> Bound:
        held = self._held(value)
        if held is not None:
            place, leaf = held
            member = Member(value=value, path=leaf.path)
            return Bound(argument=name, kind="member", value=value, place=place, members=(member,))
        # An id is said by nobody who has not seen it.
        if names_an_id(name) or not self._sayable(value):
            raise DeadEndError(f"nobody says {name} of {self._tool}")
        return Bound(argument=name, kind="free", value=value)

    def _held(self, value: Json) -> tuple[int, Leaf] | None:
        """Return the first place that was read whose row has a value in a field of its own."""
        if not is_key_value(value) or len(key_text(value)) < _SHORTEST:
            return None
        for number in self._walk.places_read():
            table = self._walk.places[number].table
            for leaf in self._walk.knowledge.leaves(table, self._walk.row(number)):
                if ANY not in leaf.pattern and identity(leaf.value) == identity(value):
                    return number, leaf
        return None

    def _sayable(self, value: Json) -> bool:
        items = value if isinstance(value, list) else [value]
        hidden = self._walk.hidden()
        return bool(items) and all(
            is_scalar(item) and item not in (None, "") and key_text(item) not in hidden
            for item in items
        )

    def _is_askable(self, leaf: Leaf, seen: set[object]) -> bool:
        if identity(leaf.value) in seen or key_text(leaf.value) in self._walk.hidden():
            return False
        # The id of a thing that was searched for is what a user wants to know of it.
        names_one = isinstance(leaf.value, str) and len(leaf.value) > _SHORTEST
        if not (tellable(leaf, ()) or (names_one and names_an_id(str(leaf.pattern[-1:])))):
            return False
        return leaf.pattern in self._walk.knowledge.variety.answers(self._tool)

    def _traits(self, answer: Json, leaf: Leaf, every: list[Leaf]) -> tuple[Trait, ...] | None:
        """Return what tells the entry that holds a leaf from its like; nothing if it is alone."""
        if ANY not in leaf.pattern:
            return ()
        others = [x for x in every if x.pattern == leaf.pattern and x.path != leaf.path]
        if not others:
            return ()
        own = [x for x in _inside(every, leaf.path[:-1]) if x.path != leaf.path]
        rest = [list(_inside(every, other.path[:-1])) for other in others]
        hidden = self._walk.hidden() | {key_text(leaf.value)}
        return tell_apart(own, rest, hidden, self._walk.rng)


def _inside(every: list[Leaf], path: tuple[str | int, ...]) -> Iterator[Leaf]:
    return (leaf for leaf in every if leaf.path[: len(path)] == path)
