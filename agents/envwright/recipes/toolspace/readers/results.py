"""Results: how the recorded content of an answer becomes a value or an error."""

from typing import NamedTuple

from envwright.events.canonical import Json, encode
from envwright.recipes.toolspace.readers.documents import parse_json

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


class Answer(NamedTuple):
    """What a call gave back."""

    ok: bool
    value: Json
    """The result, or the error text when not `ok`."""
    transient: bool = False


def from_content(content: Json) -> Answer | None:
    """Return the answer in a chat message's content; None where it holds neither text nor data."""
    text = content_text(content)
    if text is None and not isinstance(content, dict):
        return None
    value = content if text is None else _value(text)
    error = _error_in(value)
    return Answer(True, value) if error is None else failed(error)


def from_record(result: Json, status: Json, code: Json) -> Answer:
    """Return the answer of a call record: result, status and error code."""
    value = _value(result) if isinstance(result, str) else result
    if code is None and _is_good(status):
        return Answer(True, value)
    text = _error_in(value) or (result if isinstance(result, str) else "")
    if not text and value not in (None, {}, [], ""):
        text = encode(value).decode("ascii")
    return failed(text or f"Error: {code if code is not None else status}", code)


def failed(text: str, code: Json = None) -> Answer:
    """Return a failed answer, which is transient if its code or its words say so."""
    said = f"{code if code is not None else ''} {text}".casefold()
    busy = str(code) == "429" or (str(code).isdigit() and str(code).startswith("5"))
    return Answer(False, text, busy or any(word in said for word in _TRANSIENT_WORDS))


def content_text(content: Json) -> str | None:
    """Return the text of a message's content, which may be text, parts, or nothing."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        parts = [part.get("text") for part in content if isinstance(part, dict)]
        texts = [part for part in parts if isinstance(part, str)]
        return "\n".join(texts) if texts else None
    return None


def _value(text: str) -> Json:
    # A bare number or word is kept as text: ids that look like numbers must stay what they are.
    if text.lstrip()[:1] in ("{", "[", '"'):
        try:
            return parse_json(text)
        except ValueError:
            return text
    return text


def _error_in(value: Json) -> str | None:
    if isinstance(value, str):
        return value if value.lstrip().casefold().startswith("error") else None
    if not isinstance(value, dict) or len(value) > 2:
        return None
    error = value.get("error")
    if error is None or error is False or error == "":
        return None
    return error if isinstance(error, str) else encode(value).decode("ascii")


def _is_good(status: Json) -> bool:
    if isinstance(status, bool):
        return status
    if isinstance(status, int):
        return 200 <= status < 300
    return status is None or str(status).casefold() in _GOOD
