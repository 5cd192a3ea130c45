"""Chat trajectories: OpenAI messages whose assistant turns carry tool calls."""

from collections.abc import Iterator
from typing import NamedTuple

from envwright.events.canonical import Json, digest
from envwright.recipes.toolspace.calls import Call, Trace
from envwright.recipes.toolspace.readers.documents import Element, parse_json
from envwright.recipes.toolspace.readers.results import content_text, from_content
from envwright.recipes.toolspace.readers.skips import Skips

_MESSAGE_FIELDS = ("messages", "traj", "trajectory", "conversation")
_TASK_FIELDS = ("task_id", "task", "trace_id", "id")


class _Asked(NamedTuple):
    place: str
    id: str
    name: str
    arguments: Json


def messages_of(value: Json) -> list[Json] | None:
    """Return the messages of an element, or None if it is no trajectory."""
    if isinstance(value, dict):
        value = next((value[f] for f in _MESSAGE_FIELDS if isinstance(value.get(f), list)), None)
    if not isinstance(value, list) or not value:
        return None
    return value if any(isinstance(item, dict) and "role" in item for item in value) else None


def read_trace(element: Element, messages: list[Json], skips: Skips) -> Trace:
    """Read one trajectory; calls that cannot be used are counted skips."""
    asked: list[_Asked] = []
    answers: dict[int, Json] = {}
    said: list[str] = []
    for number, message in enumerate(messages, start=1):
        place = f"{element.place}, message {number}"
        if not isinstance(message, dict):
            skips.add(place, f"a message must be an object, not {type(message).__name__}")
        elif message.get("role") == "user":
            said.append(content_text(message.get("content")) or "")
        elif message.get("role") == "assistant":
            asked.extend(_asked(place, message, skips))
        elif message.get("role") in ("tool", "function"):
            _answer(place, message, asked, answers, skips)
    words = "\n".join(said)
    calls = tuple(_calls(asked, answers, skips))
    return Trace(_task(element.value, messages), words, calls)


def _asked(place: str, message: dict[str, Json], skips: Skips) -> Iterator[_Asked]:
    calls = message.get("tool_calls") or []
    if isinstance(message.get("function_call"), dict):
        calls = [*calls, {"id": "", "function": message["function_call"]}]
    for call in calls if isinstance(calls, list) else []:
        function = call.get("function") if isinstance(call, dict) else None
        if not isinstance(function, dict) or not isinstance(function.get("name"), str):
            skips.add(place, "a tool call without a function name")
            continue
        yield _Asked(place, str(call.get("id") or ""), function["name"], function.get("arguments"))


def _answer(
    place: str,
    message: dict[str, Json],
    asked: list[_Asked],
    answers: dict[int, Json],
    skips: Skips,
) -> None:
    # Ids may be used twice and a name may be missing: the first call still open that fits both.
    wanted, name = str(message.get("tool_call_id") or ""), message.get("name")
    for index, call in enumerate(asked):
        if index not in answers and call.id == wanted and name in (None, call.name):
            answers[index] = message.get("content")
            return
    skips.add(place, f"a result without an open call (id {wanted!r}, name {name!r})")


def _calls(asked: list[_Asked], answers: dict[int, Json], skips: Skips) -> Iterator[Call]:
    for index, call in enumerate(asked):
        answer = from_content(answers[index]) if index in answers else None
        arguments = _arguments(call.arguments)
        if arguments is None:
            skips.add(call.place, f"arguments of {call.name!r} are no JSON object")
        elif answer is None:
            skips.add(call.place, f"no result with text for the call of {call.name!r}")
        else:
            yield Call(call.name, arguments, answer.ok, answer.value, transient=answer.transient)


def _arguments(value: Json) -> dict[str, Json] | None:
    if isinstance(value, str):
        try:
            value = parse_json(value) if value.strip() else {}
        except ValueError:
            return None
    if value is None:
        return {}
    return value if isinstance(value, dict) else None


def _task(value: Json, messages: list[Json]) -> str:
    if isinstance(value, dict):
        for name in _TASK_FIELDS:
            if isinstance(value.get(name), str | int):
                return str(value[name])
    return digest(messages)
