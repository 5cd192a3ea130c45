"""A source: which reader understands each of its elements, and what comes out of the whole."""

from envwright.events.canonical import Json
from envwright.events.errors import BadInputError
from envwright.recipes.recipe import Ingested
from envwright.recipes.toolspace.calls import CallLog, Declaration, Manifest, Trace
from envwright.recipes.toolspace.readers.chat import messages_of, read_trace
from envwright.recipes.toolspace.readers.documents import EXPECTED, Element, decode, elements
from envwright.recipes.toolspace.readers.manifests import declarations_of, read_declarations
from envwright.recipes.toolspace.readers.records import RecordReader, is_record
from envwright.recipes.toolspace.readers.skips import Skips


class _Reading:
    """What has been read of one source so far."""

    def __init__(self) -> None:
        self.skips = Skips()
        self.service = ""
        self.declared: list[Declaration] = []
        self.chats: list[Trace] = []
        self.records = RecordReader(self.skips)

    def take(self, element: Element) -> None:
        """Give an element to the reader that understands it."""
        value = element.value
        if element.problem:
            self.skips.add(element.place, element.problem)
        elif is_record(value):
            self.records.add(element)
        elif (messages := messages_of(value)) is not None:
            self.chats.append(read_trace(element, messages, self.skips))
        elif (declared := declarations_of(value)) is not None:
            self.declared.extend(read_declarations(declared))
            self.service = self.service or _service(value)
        else:
            self.skips.add(element.place, f"no known shape; {EXPECTED}")


def read_source(name: str, data: bytes) -> Ingested:
    """Read one source whole.

    Raises:
        BadInputError: nothing in it can be used; the message names the file and the remedy.
    """
    reading = _Reading()
    for element in elements(name, decode(name, data)):
        reading.take(element)
    traces = (*reading.chats, *reading.records.traces())
    calls = sum(len(trace.calls) for trace in traces)
    if not calls and reading.declared:
        return _ingested_manifest(name, reading)
    if not calls:
        skips = reading.skips.kept()
        detail = f"; first problem: {skips[0].place}: {skips[0].reason}" if skips else ""
        raise BadInputError(f"{name}: there are no tool calls in it{detail}; {EXPECTED}")
    flat = bool(reading.records.traces())
    form = "chat and records" if flat and reading.chats else "records" if flat else "chat"
    return Ingested(
        name=name,
        format=form,
        records=len(traces),
        calls=calls,
        skipped=reading.skips.count,
        skips=reading.skips.kept(),
        material=CallLog(traces),
    )


def _ingested_manifest(name: str, reading: _Reading) -> Ingested:
    tools = tuple(sorted(reading.declared, key=lambda tool: tool.name))
    return Ingested(
        name=name,
        format="manifest",
        records=len(tools),
        calls=0,
        skipped=reading.skips.count,
        skips=reading.skips.kept(),
        material=Manifest(reading.service, tools),
    )


def _service(value: Json) -> str:
    service = value.get("service") if isinstance(value, dict) else None
    return service if isinstance(service, str) else ""
