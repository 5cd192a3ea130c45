"""Chat trajectories: the messages of an episode, in one element or as elements of their own."""

from collections.abc import Sequence
from functools import partial
from typing import ClassVar, Final, NamedTuple

from envwright.events.canonical import Json
from envwright.recipes.toolspace.calls import Manifest, Trace
from envwright.recipes.toolspace.readers.declarations import ToolLists, declared_in, service_of
from envwright.recipes.toolspace.readers.documents import Element
from envwright.recipes.toolspace.readers.episodes import episode, episode_id
from envwright.recipes.toolspace.readers.messages import is_message, read_message
from envwright.recipes.toolspace.readers.pairing import Answered, Asked, Exchange
from envwright.recipes.toolspace.readers.results import from_content
from envwright.recipes.toolspace.readers.skips import Skips

_MESSAGE_FIELDS: Final = (
    "messages",
    "traj",
    "trajectory",
    "conversation",
    "conversations",
    "history",
    "input",
    "items",
)


class _Line(NamedTuple):
    place: str
    message: Json


class ChatReader:
    """Reads trajectories as they come; messages that are elements are gathered first."""

    format: ClassVar[str] = "chat"

    def __init__(self, skips: Skips) -> None:
        self._skips = skips
        self._traces: list[Trace] = []
        self._loose: dict[str, list[_Line]] = {}
        self._tools = ToolLists(skips)

    @staticmethod
    def recognises(value: Json) -> bool:
        """Say whether an element is a trajectory or a message of one."""
        return is_message(value) or messages_of(value) is not None

    def take(self, element: Element) -> None:
        """Read a trajectory, or keep a message for its conversation."""
        value = element.value
        messages = messages_of(value)
        if messages is None:
            key = episode_id(value, own=False)
            self._loose.setdefault(key, []).append(_Line(element.place, value))
            return
        lines = [_Line(f"{element.place}, message {n}", m) for n, m in enumerate(messages, 1)]
        self._traces.append(self._trace(episode_id(value), lines))
        if isinstance(value, dict) and (tools := declared_in(value)):
            self._tools.add(element.place, service_of(value), tools)

    def traces(self) -> tuple[Trace, ...]:
        """Return the traces."""
        loose = (self._trace(key, lines) for key, lines in self._loose.items())
        return (*self._traces, *loose)

    def manifests(self) -> tuple[Manifest, ...]:
        """Return what the trajectories themselves say of their tools."""
        return self._tools.manifests()

    def _trace(self, task: str, lines: Sequence[_Line]) -> Trace:
        exchange = Exchange(self._skips)
        said: list[str] = []
        for turn, line in enumerate(lines):
            if isinstance(line.message, dict):
                self._hear(turn, line, exchange, said)
            else:
                shown = type(line.message).__name__
                self._skips.add(line.place, f"a message must be an object, not {shown}")
        return episode(task, said, exchange.calls())

    def _hear(self, turn: int, line: _Line, exchange: Exchange, said: list[str]) -> None:
        message = read_message(line.message)
        if message.words:
            said.append(message.words)
        for call in message.calls:
            exchange.ask(Asked(line.place, turn, call.id, call.name, call.arguments))
        for result in message.results:
            read = partial(from_content, result.content, failed=result.failed)
            exchange.answer(Answered(line.place, turn, result.id, result.name, read))


def messages_of(value: Json) -> list[Json] | None:
    """Return the messages of an element, or None if it is no trajectory."""
    if isinstance(value, dict):
        lists = (value[f] for f in _MESSAGE_FIELDS if isinstance(value.get(f), list))
        return next((found for found in lists if any(map(is_message, found))), None)
    if not isinstance(value, list):
        return None
    return value if any(map(is_message, value)) else None
