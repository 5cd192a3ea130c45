"""Documents: how a source's bytes become JSON elements with places, or a message for people.

An array and JSON lines are read element by element, so that a long log is never parsed at once.
"""

import json
import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from envwright.events.canonical import Json
from envwright.events.errors import BadInputError
from envwright.recipes.toolspace.readers.jsontext import DECODER, UnusableError, fault, parse

EXPECTED: Final = (
    "expected tool-call logs as JSON or JSONL: chat trajectories with tool calls, MCP recordings, "
    'call records ({"trace_id", "tool", "args", "result"}), OpenTelemetry spans of tools with '
    "their content, or a tool manifest"
)

_MAGIC: Final = {
    b"\x1f\x8b": "compressed with gzip; decompress it",
    b"PK\x03\x04": "a zip archive; unpack it",
    b"PAR1": "a parquet table; convert it to JSON lines",
    b"SQLite format 3": "a SQLite database; export its calls as JSON lines",
}
_BOM: Final = b"\xef\xbb\xbf"
# RFC 7464 puts a record separator before each line; a machine that died may leave zeros behind.
_BLANK: Final = b" \t\r\n\x1e\x00"
_SPACE: Final = re.compile(r"[ \t\r\n]*")
_BRACKET: Final = re.compile(r'"(?:[^"\\]|\\.)*+"|[\[\]{}]', re.DOTALL)
_ARRAY: Final = re.compile(r'\s*\[\s*([\[{"\]]|$)')


class Element(NamedTuple):
    """One element of a source as it was parsed, or the reason why it cannot be read."""

    place: str
    value: Json
    problem: str = ""


def elements(name: str, data: bytes) -> Iterator[Element]:
    """Yield the elements of a JSON array or value, or of JSON lines, with their places.

    Raises:
        BadInputError: it is neither, is empty, or is not UTF-8; also after some elements.
    """
    data = data.removeprefix(_BOM)
    _refuse_binary(name, data)
    lines = _numbered(data)
    number, first = next(lines, (0, b""))
    if not first:
        raise BadInputError(f"{name}: the file is empty; {EXPECTED}")
    alone = next(lines, None) is None
    if alone or not _is_container(_line(name, number, first)):
        yield from _document(name, data)
    else:
        yield from (_line(name, *line) for line in _numbered(data))


def _refuse_binary(name: str, data: bytes) -> None:
    for magic, remedy in _MAGIC.items():
        if data.startswith(magic):
            raise BadInputError(f"{name}: the file is {remedy}; {EXPECTED}")
    encoding = json.detect_encoding(data[:4])
    if not encoding.startswith("utf-8"):
        shown = encoding.upper()
        raise BadInputError(f"{name}: the encoding is {shown}; save the file as UTF-8")


def _numbered(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield the lines that are not blank, with their numbers; only \\n and a lone \\r end one."""
    end = b"\n" if b"\n" in data else b"\r"
    start, number = 0, 0
    while start < len(data):
        stop = data.find(end, start)
        stop = len(data) if stop < 0 else stop
        line = data[start:stop].strip(_BLANK)
        start, number = stop + 1, number + 1
        if line:
            yield number, line


def _line(name: str, number: int, line: bytes) -> Element:
    place = f"{name}: line {number}"
    try:
        return Element(place, parse(line.removeprefix(_BOM).decode()))
    except UnicodeDecodeError as error:
        return Element(place, None, f"not UTF-8 at byte {error.start} of the line")
    except UnusableError as error:
        return Element(place, None, str(error))


def _is_container(element: Element) -> bool:
    return not element.problem and isinstance(element.value, dict | list)


def _document(name: str, data: bytes) -> Iterator[Element]:
    """Read a whole file that is one JSON value, or several; else lines of which some are good."""
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        refusal = BadInputError(f"{name}: not UTF-8 at byte {error.start}; save the file as UTF-8")
        yield from _good_lines(name, data, refusal)
        return
    # A log may well begin with "[INFO]"; what begins like an array is one, and is never lines.
    if _ARRAY.match(text):
        yield from _array(name, text)
        return
    try:
        values = list(_values(text))
    except (ValueError, RecursionError) as error:
        yield from _good_lines(name, data, _refusal(name, text, error))
        return
    for number, value in enumerate(values, start=1):
        if not isinstance(value, dict | list):
            raise BadInputError(f"{name}: the file holds {type(value).__name__}; {EXPECTED}")
        yield Element(f"{name}: element {number}", value)


def _good_lines(name: str, data: bytes, refusal: BadInputError) -> Iterator[Element]:
    # Brackets and braces alone on a line are an indented document, not JSON lines.
    bad: list[Element] = []
    lines = (_line(name, *line) for line in _numbered(data))
    for element in lines:
        if _is_container(element):
            yield from bad
            yield element
            yield from lines
            return
        bad.append(element._replace(value=None, problem=element.problem or "no JSON object"))
    raise refusal


def _values(text: str) -> Iterator[Json]:
    """Yield the JSON values that stand one after the other, as `jq` writes them."""
    index = _skip_space(text, 0)
    while index < len(text):
        value, index = DECODER.raw_decode(text, index)
        index = _skip_space(text, index)
        yield value


def _array(name: str, text: str) -> Iterator[Element]:
    index = _skip_space(text, _skip_space(text, 0) + 1)
    number, more = 0, text[index : index + 1] != "]"
    try:
        while more:
            number += 1
            element, index = _item(f"{name}: element {number}", text, index)
            yield element
            index = _skip_space(text, index)
            more = text[index : index + 1] == ","
            index = _skip_space(text, index + 1) if more else index
        _end(text, index)
    except (ValueError, RecursionError) as error:
        raise _refusal(name, text, error) from error


def _item(place: str, text: str, index: int) -> tuple[Element, int]:
    try:
        value, end = DECODER.raw_decode(text, index)
        return Element(place, value), end
    except RecursionError as error:
        return Element(place, None, fault(error)), _closing(text, index)


def _closing(text: str, index: int) -> int:
    """Return the index behind the array or object that begins at `index`, however deep it is."""
    depth = 0
    for found in _BRACKET.finditer(text, index):
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(found.group(), 0)
        if depth == 0:
            return found.end()
    raise json.JSONDecodeError("Unterminated array or object starting at", text, index)


def _end(text: str, index: int) -> None:
    if text[index : index + 1] != "]":
        raise json.JSONDecodeError("Expecting ',' delimiter", text, index)
    index = _skip_space(text, index + 1)
    if index < len(text):
        raise json.JSONDecodeError("Extra data", text, index)


def _skip_space(text: str, index: int) -> int:
    found = _SPACE.match(text, index)
    return found.end() if found else index


def _refusal(name: str, text: str, error: Exception) -> BadInputError:
    shown = fault(error).removeprefix("not JSON: ")
    at_end = isinstance(error, json.JSONDecodeError) and error.pos >= len(text.rstrip()) - 1
    broken = (at_end and "Extra data" not in shown) or "Unterminated" in shown
    if broken and text.lstrip()[:1] in ("[", "{"):
        return BadInputError(
            f"{name}: the JSON is cut off ({shown}); copy or download the file again"
        )
    return BadInputError(f"{name}: neither JSON ({shown}) nor JSON lines; {EXPECTED}")
