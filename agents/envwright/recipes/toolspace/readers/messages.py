"""Chat messages: what one says, calls and answers, in whichever dialect it is written.

OpenAI (with its older `function_call` and its newer response items), Anthropic's and Gemini's
blocks, LangChain's and ShareGPT's dumps, tau2's bundles, and calls as tags in the text.
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from envwright.events.canonical import Json
from envwright.recipes.toolspace.readers.jsontext import UnusableError, parse
from envwright.recipes.toolspace.readers.results import content_text

ROLES: Final = {
    "ai": "assistant",
    "aimessage": "assistant",
    "assistant": "assistant",
    "bot": "assistant",
    "function": "tool",
    "function_call": "assistant",
    "function_call_output": "tool",
    "function_response": "tool",
    "functionmessage": "tool",
    "gpt": "assistant",
    "human": "user",
    "humanmessage": "user",
    "model": "assistant",
    "observation": "tool",
    "tool": "tool",
    "tool_call": "assistant",
    "tool_response": "tool",
    "toolmessage": "tool",
    "user": "user",
}
"""What a role, or what stands for one, means."""

_KINDS: Final = ("function_call", "function_call_output", "human", "ai", "tool")
"""Values of `type` that make a message of an object without a role."""

_SAYING: Final = ("role", "content", "tool_calls")
"""Fields that make a message of an object in a wrapper."""

_CALL_BLOCKS: Final = ("tool_use", "tool-call", "tool_call")
_RESULT_BLOCKS: Final = ("tool_result", "tool-result")
_CALL_TAG: Final = re.compile(r"<tool_call>\s*(.*?)\s*</tool_call>", re.DOTALL)
_RESULT_TAG: Final = re.compile(r"<tool_response>\s*(.*?)\s*</tool_response>", re.DOTALL)


class SaidCall(NamedTuple):
    """A call as a message holds it."""

    id: str
    name: str
    """Empty if the message does not say which tool."""
    arguments: Json


class SaidResult(NamedTuple):
    """A result as a message holds it."""

    id: str
    name: str
    content: Json
    failed: bool


class Message(NamedTuple):
    """What one message says."""

    words: str
    """The user's words; empty for everybody else."""
    calls: tuple[SaidCall, ...]
    results: tuple[SaidResult, ...]


def is_message(value: Json) -> bool:
    """Say whether a value is a chat message."""
    if not isinstance(value, dict):
        return False
    value = _inner(value)
    if isinstance(value.get("role"), str) or ("from" in value and "value" in value):
        return True
    return value.get("type") in _KINDS and not value.keys().isdisjoint(
        ("content", "data", "arguments", "output")
    )


def read_message(value: dict[str, Json]) -> Message:
    """Read a message."""
    value = _inner(value)
    role = _role(value)
    content = _first(value, "content", "value", "parts", "output")
    blocks = [block for block in content if isinstance(block, dict)] if _is_list(content) else []
    if role == "user":
        return Message(content_text(_texts(content)), (), tuple(_block_results(blocks)))
    if role == "assistant":
        return Message("", tuple(_calls(value, content, blocks)), ())
    if role == "tool":
        return Message("", (), tuple(_results(value, content, blocks)))
    return Message("", (), ())


def _inner(value: dict[str, Json]) -> dict[str, Json]:
    # LangChain and session logs wrap a message; the wrapper says the role where it does not.
    for name in ("message", "data", "kwargs"):
        inner = value.get(name)
        if not isinstance(inner, dict) or "role" in value:
            continue
        if not inner.keys().isdisjoint(_SAYING):
            kind = value.get("id") if name == "kwargs" else value.get("type")
            kind = kind[-1] if _is_list(kind) and kind else kind
            return {"role": kind, **inner}
    return value


def _role(value: dict[str, Json]) -> str:
    role = _first(value, "role", "from", "type")
    return ROLES.get(role.casefold(), "") if isinstance(role, str) else ""


def _calls(
    value: dict[str, Json], content: Json, blocks: list[dict[str, Json]]
) -> Iterator[SaidCall]:
    more = value.get("additional_kwargs")
    calls = value.get("tool_calls") or (more.get("tool_calls") if isinstance(more, dict) else None)
    found: list[Json] = list(calls) if isinstance(calls, list) else []
    if isinstance(value.get("function_call"), dict):
        found.append(value["function_call"])
    if value.get("type") == "function_call":
        found.append(value)
    found += [block for block in blocks if block.get("type") in _CALL_BLOCKS]
    found += [block["functionCall"] for block in blocks if "functionCall" in block]
    if not found:
        found = _written_calls(value, content)
    yield from map(_call, found)


def _written_calls(value: dict[str, Json], content: Json) -> list[Json]:
    """Return the calls that stand in a message's text."""
    text = content_text(content)
    if _first(value, "role", "from") in ("function_call", "tool_call"):
        written = [text]
    else:
        written = _CALL_TAG.findall(text) if "<tool_call>" in text else []
    found: list[Json] = []
    for each in written:
        try:
            parsed = parse(each)
        except UnusableError:
            parsed = None
        found += parsed if isinstance(parsed, list) else [parsed]
    return found


def _call(value: Json) -> SaidCall:
    if not isinstance(value, dict):
        return SaidCall("", "", None)
    function = value.get("function")
    inner = function if isinstance(function, dict) else value
    name = _first(inner, "name", "toolName")
    return SaidCall(
        _id(value, "call_id", "id", "toolCallId", "tool_call_id"),
        name if isinstance(name, str) else "",
        _first(inner, "arguments", "args", "input", "parameters"),
    )


def _results(
    value: dict[str, Json], content: Json, blocks: list[dict[str, Json]]
) -> Iterator[SaidResult]:
    bundle = value.get("tool_messages")
    in_blocks = list(_block_results(blocks))
    if isinstance(bundle, list):
        for each in bundle:
            if isinstance(each, dict):
                yield _result(each, each.get("content"))
    elif in_blocks:
        yield from in_blocks
    elif isinstance(content, str) and "<tool_response>" in content:
        for text in _RESULT_TAG.findall(content):
            yield _tagged_result(text)
    else:
        yield _result(value, content)


def _block_results(blocks: list[dict[str, Json]]) -> Iterator[SaidResult]:
    for block in blocks:
        response = block.get("functionResponse")
        if isinstance(response, dict):
            yield _result(response, response.get("response"))
        elif block.get("type") in _RESULT_BLOCKS:
            content = _first(block, "content", "output", "result")
            if isinstance(content, dict) and content.keys() == {"type", "value"}:
                content = content["value"]
            yield _result(block, content)


def _tagged_result(text: str) -> SaidResult:
    try:
        parsed = parse(text)
    except UnusableError:
        parsed = text
    if isinstance(parsed, dict) and "content" in parsed and "name" in parsed:
        return _result(parsed, parsed["content"])
    return SaidResult("", "", text, False)


def _result(value: dict[str, Json], content: Json) -> SaidResult:
    name = _first(value, "name", "toolName")
    failed = (
        value.get("status") == "error"
        or value.get("error") is True
        or _first(value, "is_error", "isError") is True
    )
    return SaidResult(
        _id(value, "tool_call_id", "call_id", "tool_use_id", "toolCallId", "id"),
        name if isinstance(name, str) else "",
        content,
        failed,
    )


def _texts(content: Json) -> Json:
    # The blocks of a user's turn may be words beside results.
    if not _is_list(content):
        return content
    return [
        {"type": "text", "text": block["text"]}
        for block in content
        if isinstance(block, dict) and isinstance(block.get("text"), str)
    ]


def _id(value: dict[str, Json], *names: str) -> str:
    found = _first(value, *names)
    return str(found) if isinstance(found, str | int) else ""


def _first(value: dict[str, Json], *names: str) -> Json:
    return next((value[name] for name in names if value.get(name) is not None), None)


def _is_list(value: Json) -> bool:
    return isinstance(value, list)
