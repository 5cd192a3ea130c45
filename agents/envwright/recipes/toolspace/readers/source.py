"""A source: which reader understands each of its elements, and what comes out of the whole."""

from collections.abc import Iterator
from typing import Final

from envwright.events.canonical import Json
from envwright.events.errors import BadInputError
from envwright.recipes.recipe import Ingested
from envwright.recipes.toolspace.calls import CallLog, Manifest
from envwright.recipes.toolspace.readers.chat import ChatReader
from envwright.recipes.toolspace.readers.documents import EXPECTED, Element, elements
from envwright.recipes.toolspace.readers.manifests import ManifestReader
from envwright.recipes.toolspace.readers.mcp import McpReader
from envwright.recipes.toolspace.readers.reader import Opens, Reader
from envwright.recipes.toolspace.readers.records import RecordReader
from envwright.recipes.toolspace.readers.skips import Skips
from envwright.recipes.toolspace.readers.spans import SpanReader

READERS: Final[tuple[Opens, ...]] = (
    McpReader,
    SpanReader,
    RecordReader,
    ChatReader,
    ManifestReader,
)
"""A reader of each format; the first that recognises an element reads it."""

_WRAPPERS: Final = (
    "traces",
    "trajectories",
    "episodes",
    "simulations",
    "sessions",
    "conversations",
    "records",
    "calls",
    "spans",
    "samples",
    "results",
    "data",
)
_NESTING: Final = 2


class _Reading:
    """What has been read of one source so far."""

    def __init__(self) -> None:
        self.skips = Skips()
        self.readers: tuple[Reader, ...] = tuple(opens(self.skips) for opens in READERS)

    def take(self, element: Element, room: int = _NESTING) -> None:
        """Give an element, or the elements that it wraps, to the readers that understand them."""
        if element.problem:
            self.skips.add(element.place, element.problem)
            return
        reader = next((r for r in self.readers if r.recognises(element.value)), None)
        inner = list(_wrapped(element)) if reader is None and room else []
        if reader is not None:
            reader.take(element)
        elif inner:
            for each in inner:
                self.take(each, room - 1)
        else:
            self.skips.add(element.place, f"no known shape; {EXPECTED}")


def read_source(name: str, data: bytes) -> Ingested:
    """Read one source whole.

    Raises:
        BadInputError: nothing in it can be used; the message names the file and the remedy.
    """
    reading = _Reading()
    for element in elements(name, data):
        reading.take(element)
    found = {reader.format: reader.traces() for reader in reading.readers}
    manifests = tuple(m for reader in reading.readers for m in reader.manifests())
    traces = tuple(trace for part in found.values() for trace in part)
    calls = sum(len(trace.calls) for trace in traces)
    tools = sum(len(manifest.tools) for manifest in manifests)
    if not calls and not tools:
        raise _nothing(name, reading.skips)
    formats = [form for form, part in found.items() if any(trace.calls for trace in part)]
    material: CallLog | Manifest = CallLog(traces, manifests)
    if not calls and len(manifests) == 1:
        material = manifests[0]
    return Ingested(
        name=name,
        format=" and ".join(formats) or ManifestReader.format,
        records=len(traces) if calls else tools,
        calls=calls,
        skipped=reading.skips.count,
        skips=reading.skips.kept(),
        material=material,
    )


def _wrapped(element: Element) -> Iterator[Element]:
    value: Json = element.value
    where = ""
    if isinstance(value, dict):
        where = next((w for w in _WRAPPERS if isinstance(value.get(w), list)), "")
        value = value.get(where)
    for number, item in enumerate(value if isinstance(value, list) else [], start=1):
        yield Element(f"{element.place}, {where or 'item'} {number}", item)


def _nothing(name: str, skips: Skips) -> BadInputError:
    kept = skips.kept()
    detail = f"; first problem: {kept[0].place}: {kept[0].reason}" if kept else ""
    return BadInputError(f"{name}: there are no tool calls in it{detail}; {EXPECTED}")
