"""Episodes: what they are called, what orders their parts, and the trace that comes out of one."""

import math
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final

from envwright.events.canonical import Json, digest
from envwright.recipes.toolspace.calls import Call, Trace
from envwright.recipes.toolspace.readers.jsontext import canonical
from envwright.recipes.toolspace.readers.skips import printable

_GROUP_FIELDS: Final = (
    "trace_id",
    "traceId",
    "session_id",
    "sessionId",
    "session",
    "conversation_id",
    "conversationId",
    "thread_id",
    "run_id",
    "episode_id",
)
_OWN_FIELDS: Final = ("task_id", "task", *_GROUP_FIELDS, "id")

_LONGEST_NUMBER: Final = 30

Moment = tuple[int, int | float, str]
"""What orders parts of an episode: numbers and times by size, other texts by their letters."""

UNTIMED: Final[Moment] = (2, 0, "")
"""Of what tells no moment: it stays in the order in which it came, behind what does."""


def episode(task: str, said: Sequence[str], calls: Sequence[Call]) -> Trace:
    """Return the trace of an episode.

    An episode without a name is called by what its user said, so that repeated trials of a task
    count as one; without a user, by its calls.
    """
    words: str = canonical("\n".join(printable(text) for text in said if text))
    if task:
        return Trace(printable(task), words, tuple(calls))
    trace = Trace("", words, tuple(calls))
    return Trace(digest(words) if words.strip() else trace.identity(), words, trace.calls)


def episode_id(value: Json, *, own: bool = True) -> str:
    """Return the id that an element gives its episode, or nothing.

    `own` says that the element is the whole episode, so that its own id is the episode's.
    """
    if isinstance(value, dict):
        for name in _OWN_FIELDS if own else _GROUP_FIELDS:
            found = value.get(name)
            if isinstance(found, str | int) and not isinstance(found, bool) and found != "":
                return str(found)
    return ""


def moment(value: Json) -> Moment:
    """Return when something was, from a sequence number or a time in whichever form."""
    if isinstance(value, str):
        return _written(value.strip())
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return UNTIMED
    return 0, value, ""


def _written(text: str) -> Moment:
    if text.isascii() and text.isdigit() and len(text) <= _LONGEST_NUMBER:
        return 0, int(text), ""
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if math.isfinite(number):
        return 0, number, ""
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        return (1, 0, text) if text else UNTIMED
    return 0, time.replace(tzinfo=time.tzinfo or UTC).timestamp(), ""
