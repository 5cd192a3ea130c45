"""Documents: how a source's bytes become JSON elements with places, or a message for people."""

import json
from collections.abc import Iterator
from typing import NamedTuple, NoReturn

from envwright.events.canonical import Json, normalise
from envwright.events.errors import BadInputError, CanonicalError

EXPECTED = (
    "expected tool-call logs: OpenAI chat trajectories, call records "
    '({"trace_id", "tool", "args", "result"}), or a tool manifest, as JSON or JSONL'
)
_WRAPPERS = ("traces", "trajectories", "records", "data")


class Element(NamedTuple):
    """One element of a source, canonical, or the reason why it cannot be read."""

    place: str
    value: Json
    problem: str = ""


def decode(name: str, data: bytes) -> str:
    """Return the text of a source.

    Raises:
        BadInputError: it is empty or not UTF-8.
    """
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise BadInputError(f"{name}: the encoding is UTF-16; save the file as UTF-8")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadInputError(
            f"{name}: not UTF-8 at byte {error.start}; save the file as UTF-8"
        ) from error
    if not text.strip():
        raise BadInputError(f"{name}: the file is empty; {EXPECTED}")
    return text


def elements(name: str, text: str) -> Iterator[Element]:
    """Yield the elements of a JSON array or object, or of JSON lines, with their places.

    Raises:
        BadInputError: the whole text is neither.
    """
    try:
        document = _parse(text)
    except ValueError as error:
        yield from _lines(name, text, error)
        return
    yield from _unwrapped(name, document)


def parse_json(text: str) -> Json:
    """Return the canonical JSON value of a text.

    Raises:
        ValueError: it is not JSON, or has no canonical form.
    """
    try:
        return normalise(_parse(text))
    except CanonicalError as error:
        raise ValueError(str(error)) from error


def _parse(text: str) -> Json:
    try:
        return json.loads(text)
    except RecursionError as error:
        raise ValueError("nested too deep") from error


def _unwrapped(name: str, document: Json) -> Iterator[Element]:
    if isinstance(document, dict):
        wrapped = next((document[w] for w in _WRAPPERS if isinstance(document.get(w), list)), None)
        document = [document] if wrapped is None else wrapped
    if not isinstance(document, list):
        raise BadInputError(f"{name}: the file holds {type(document).__name__}; {EXPECTED}")
    if document and all(isinstance(item, dict) and "role" in item for item in document):
        document = [document]
    for number, item in enumerate(document, start=1):
        yield _element(f"{name}: element {number}", item)


def _lines(name: str, text: str, whole: ValueError) -> Iterator[Element]:
    lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    read = [_line(f"{name}: line {number}", line) for number, line in lines]
    # Brackets and braces alone on a line are an indented document, not JSON lines.
    if not any(not item.problem and isinstance(item.value, dict | list) for item in read):
        _refuse(name, text, whole)
    if text.lstrip().startswith("[") and read[0].problem:
        _refuse(name, text, whole)
    yield from read


def _line(place: str, line: str) -> Element:
    try:
        return _element(place, _parse(line))
    except ValueError as error:
        return Element(place, None, f"not JSON: {error}")


def _element(place: str, value: Json) -> Element:
    try:
        return Element(place, normalise(value))
    except (CanonicalError, RecursionError) as error:
        return Element(place, None, f"no JSON value: {error}")


def _refuse(name: str, text: str, whole: ValueError) -> NoReturn:
    at_end = isinstance(whole, json.JSONDecodeError) and whole.pos >= len(text.rstrip()) - 1
    if text.lstrip()[:1] in ("[", "{") and (at_end or "Unterminated" in str(whole)):
        reason = f"the JSON is cut off ({whole}); copy or download the file again"
    else:
        reason = f"neither JSON ({whole}) nor JSON lines; {EXPECTED}"
    raise BadInputError(f"{name}: {reason}") from whole
