"""Results: how the recorded content of an answer becomes a value or an error."""

from typing import NamedTuple

from envwright.events.canonical import Json, encode
from envwright.recipes.toolspace.readers.jsontext import (
    NotJsonError,
    UnusableError,
    canonical,
    parse,
    read_json,
)
from envwright.recipes.toolspace.readers.skips import shown

_TRANSIENT_WORDS = (
    "rate limit",
    "rate_limit",
    "too many requests",
    "timed out",
    "timeout",
    "temporarily unavailable",
    "service unavailable",
    "internal server error",
)
_GOOD = frozenset({"", "ok", "success", "succeeded", "completed", "true"})

_MCP_PARTS = frozenset({"text", "image", "audio", "resource", "resource_link"})
PARTS = _MCP_PARTS | {
    "output_text",
    "input_text",
    "image_url",
    "input_image",
    "input_audio",
    "input_file",
    "file",
    "document",
    "video",
}
"""Types of the parts in which a message's content comes."""

_RESULT_FIELDS = frozenset({"content", "structuredContent", "isError", "resultType", "_meta"})


class Answer(NamedTuple):
    """What a call gave back."""

    ok: bool
    value: Json
    """The result, or the error text when not `ok`."""
    transient: bool = False
    left_out: str = ""
    """What of the answer is no data and was left out, such as an image beside the text."""


class Content(NamedTuple):
    """The texts of a content that comes in parts, and the kinds of its other parts."""

    texts: tuple[str, ...]
    others: tuple[str, ...]

    @property
    def left_out(self) -> str:
        """What to say of the parts that are no text."""
        return f"left out of a result: {', '.join(sorted(self.others))}" if self.others else ""


def from_content(content: Json, *, failed: bool = False) -> Answer:
    """Return the answer in a message's content; `failed` is what the message says of it.

    Raises:
        UnusableError: it holds neither text nor data, or data that is no JSON.
    """
    if is_tool_result(content):
        return from_tool_result(content)
    parts = parts_of(content)
    left_out = ""
    if parts is not None:
        _require_text(parts)
        content, left_out = "\n".join(parts.texts), parts.left_out
    elif content is None:
        raise UnusableError("the result is empty")
    value = value_of(content)
    return _judged(value, failed)._replace(left_out=left_out)


def from_record(result: Json, status: Json, code: Json) -> Answer:
    """Return the answer of a call record: result, status and error code.

    Raises:
        UnusableError: the result is no JSON.
    """
    if is_tool_result(result):
        return from_tool_result(result)
    value, status, code = value_of(result), canonical(status), canonical(code)
    if code in (None, "", 0) and _is_good(status):
        return Answer(True, value)
    text = error_in(value) or (value if isinstance(value, str) else "")
    if not text and value not in (None, {}, [], ""):
        text = encode(value).decode("ascii")
    return refused(text or f"Error: {code if code is not None else status}", code)


def is_tool_result(value: Json) -> bool:
    """Say whether a value is what an MCP server answers to `tools/call`."""
    if not isinstance(value, dict) or not value.keys() <= _RESULT_FIELDS:
        return False
    content = value.get("content")
    if not content:
        return "isError" in value or "structuredContent" in value
    return parts_of(content, _MCP_PARTS) is not None


def from_tool_result(result: dict[str, Json]) -> Answer:
    """Return the answer of an MCP tool: structured content, else what its texts say.

    Raises:
        UnusableError: the result is not complete, or holds neither text nor data.
    """
    if result.get("resultType", "complete") != "complete":
        raise UnusableError(f"the result is not complete: {shown(result['resultType'])}")
    parts = parts_of(result.get("content")) or Content((), ())
    structured = result.get("structuredContent")
    if result.get("isError") is True:
        said = "\n".join(parts.texts) or _dumped(canonical(structured))
        return refused(canonical(said) or "Error: the tool failed and did not say why")
    if structured is not None:
        value = _unwrapped(canonical(structured), parts.texts)
        return Answer(True, value, left_out=parts.left_out)
    if not parts.texts and not parts.others:
        return Answer(True, None)
    _require_text(parts)
    return _judged(_text_value(parts.texts), False)._replace(left_out=parts.left_out)


def refused(text: str, code: Json = None) -> Answer:
    """Return a failed answer, which is transient if its code or its words say so."""
    said = f"{'' if code is None else code} {text}".casefold()
    number = str(code)
    busy = number == "429" or (len(number) == 3 and number.isdigit() and number[0] == "5")
    return Answer(False, text, busy or any(word in said for word in _TRANSIENT_WORDS))


def arguments_of(value: Json) -> dict[str, Json]:
    """Return recorded arguments, which may be an object, its JSON text, or nothing.

    Raises:
        UnusableError: they are no JSON object.
    """
    for _ in range(2):  # Some recorders encode them twice.
        if isinstance(value, str):
            value = read_json(value) if value.strip() else {}
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise UnusableError("they are no JSON object")
    found: dict[str, Json] = canonical(value)
    return found


def content_text(content: Json) -> str:
    """Return the words of a message's content, which may be text, parts, or nothing."""
    if isinstance(content, str):
        return content
    parts = parts_of(content)
    return "\n".join(parts.texts) if parts else ""


def parts_of(content: Json, kinds: frozenset[str] = PARTS) -> Content | None:
    """Return a content's parts, or None if it does not come in parts of these kinds."""
    if not isinstance(content, list) or not content:
        return None
    texts: list[str] = []
    others: list[str] = []
    for part in content:
        kind = part.get("type", "text") if isinstance(part, dict) else None
        if not isinstance(kind, str) or kind not in kinds:
            return None
        inner = part.get("resource", part)
        text = inner.get("text") if isinstance(inner, dict) else None
        if isinstance(text, str):
            texts.append(text)
        elif "type" not in part:
            return None
        else:
            others.append(kind)
    return Content(tuple(texts), tuple(others))


def value_of(content: Json) -> Json:
    """Return recorded data: JSON text is parsed, other text and data are kept.

    Raises:
        UnusableError: it is JSON in form and holds what is no JSON, such as NaN.
    """
    # A bare number or word is kept as text: ids that look like numbers must stay what they are.
    if isinstance(content, str) and content.lstrip()[:1] in ("{", "[", '"'):
        try:
            content = parse(content)
        except NotJsonError:
            return canonical(content)
    return canonical(content)


def error_in(value: Json) -> str | None:
    """Return the error that a value tells of, if that is what it does."""
    if isinstance(value, str):
        return value if value.lstrip().casefold().startswith("error") else None
    if not isinstance(value, dict) or len(value) > 2:
        return None
    error = value.get("error")
    if error is None or error is False or error == "":
        return None
    return error if isinstance(error, str) else _dumped(value)


def _judged(value: Json, failed: bool) -> Answer:
    error = error_in(value)
    if failed:
        return refused(error or (value if isinstance(value, str) else _dumped(value)))
    return Answer(True, value) if error is None else refused(error)


def _require_text(parts: Content) -> None:
    if not parts.texts:
        raise UnusableError(f"the result holds no text but {', '.join(sorted(parts.others))}")


def _text_value(texts: tuple[str, ...]) -> Json:
    if len(texts) == 1:
        return value_of(texts[0])
    values = [value_of(text) for text in texts]
    # Servers without structured content answer a list with one text for each of its items.
    if all(isinstance(value, dict | list) for value in values):
        return values
    return canonical("\n".join(texts))


def _unwrapped(structured: Json, texts: tuple[str, ...]) -> Json:
    # Servers wrap what is no object as {"result": …}; their text is then of the inner value.
    if not isinstance(structured, dict) or structured.keys() != {"result"}:
        return structured
    try:
        own = len(texts) == 1 and _dumped(value_of(texts[0])) == _dumped(structured)
    except UnusableError:
        own = False
    return structured if own else structured["result"]


def _dumped(value: Json) -> str:
    return "" if value is None else encode(value).decode("ascii")


def _is_good(status: Json) -> bool:
    if isinstance(status, bool):
        return status
    if isinstance(status, int):
        return 200 <= status < 300
    return status is None or str(status).casefold() in _GOOD
