"""OpenTelemetry spans of tools (`execute_tool`), where the recording of content was opted into."""

from typing import ClassVar, Final, NamedTuple

from envwright.events.canonical import Json
from envwright.recipes.toolspace.calls import Call, Manifest, Trace
from envwright.recipes.toolspace.readers.documents import Element
from envwright.recipes.toolspace.readers.episodes import episode
from envwright.recipes.toolspace.readers.jsontext import UnusableError, canonical, parse
from envwright.recipes.toolspace.readers.otlp import Span, holds_spans, spans_in
from envwright.recipes.toolspace.readers.results import (
    Answer,
    arguments_of,
    from_content,
    refused,
)
from envwright.recipes.toolspace.readers.skips import Skips

# The GenAI conventions' names, then those of instrumentations that are older or other.
_NAMES: Final = ("gen_ai.tool.name", "tool.name")
_ARGUMENTS: Final = ("gen_ai.tool.call.arguments", "tool_arguments", "input.value")
_RESULTS: Final = ("gen_ai.tool.call.result", "tool_response", "output.value")
_OPERATION: Final = "gen_ai.operation.name"
_KIND: Final = "openinference.span.kind"
_PROMPTS: Final = "gen_ai.input.messages"
_ERROR_TYPE: Final = "error.type"
_EXECUTE_TOOL: Final = "execute_tool"


class _Executed(NamedTuple):
    span: Span
    call: Call


class SpanReader:
    """Collects the spans of tools by trace, and gives back traces in the order of their starts."""

    format: ClassVar[str] = "spans"

    def __init__(self, skips: Skips) -> None:
        self._skips = skips
        self._seen: set[tuple[str, str]] = set()
        self._calls: dict[str, list[_Executed]] = {}
        self._said: dict[str, dict[str, None]] = {}

    @staticmethod
    def recognises(value: Json) -> bool:
        """Say whether an element is a span or an export of spans."""
        return holds_spans(value)

    def take(self, element: Element) -> None:
        """Read the tools' spans of an element; other spans are of interest for a prompt alone."""
        for span in spans_in(element.value):
            if not _is_tool(span):
                self._hear(span)
            elif span.span_id and (span.trace_id, span.span_id) in self._seen:
                self._skips.add(element.place, f"span {span.span_id!r:.40} is exported twice")
            else:
                self._seen.add((span.trace_id, span.span_id))
                self._read(element.place, span)

    def traces(self) -> tuple[Trace, ...]:
        """Return the traces."""
        return tuple(self._trace(trace_id) for trace_id in self._calls)

    def manifests(self) -> tuple[Manifest, ...]:
        """Return nothing: a span declares no tool."""
        return ()

    def _trace(self, trace_id: str) -> Trace:
        executed = sorted(self._calls[trace_id], key=lambda each: each.span.start)
        by_span = {each.span.span_id: each.call for each in executed if each.span.span_id}
        calls = [e.call for e in executed if not _is_echo(e, by_span.get(e.span.parent_id))]
        return episode(trace_id, list(self._said.get(trace_id, ())), calls)

    def _read(self, place: str, span: Span) -> None:
        name = _name(span)
        try:
            if not name:
                raise UnusableError(f"no tool name; expected the attribute {_NAMES[0]}")
            call = _call(canonical(name), span, self._skips, place)
        except UnusableError as error:
            self._skips.add(place, f"span of {name!r:.60}: {error}")
            return
        self._calls.setdefault(span.trace_id, []).append(
            _Executed(span._replace(attributes={}), call)
        )

    def _hear(self, span: Span) -> None:
        messages = _parsed(span.attributes.get(_PROMPTS))
        for message in messages if isinstance(messages, list) else []:
            if isinstance(message, dict) and message.get("role") == "user":
                words = self._said.setdefault(span.trace_id, {})
                words |= dict.fromkeys(_words(message))


def _is_echo(executed: _Executed, parent: Call | None) -> bool:
    # An agent's instrumentation and that of its MCP client both see a call, one inside the other.
    call = executed.call
    if parent is None or parent is call:
        return False
    return (parent.tool, parent.arguments) == (call.tool, call.arguments)


def _is_tool(span: Span) -> bool:
    operation = span.attributes.get(_OPERATION)
    if operation is not None:
        return bool(operation == _EXECUTE_TOOL)
    named = _NAMES[0] in span.attributes or span.name.startswith(f"{_EXECUTE_TOOL} ")
    return named or span.attributes.get(_KIND) == "TOOL"


def _name(span: Span) -> str:
    name = _first(span, _NAMES)
    if isinstance(name, str):
        return name
    verb, _, rest = span.name.partition(" ")
    return rest if verb == _EXECUTE_TOOL else ""


def _call(name: str, span: Span, skips: Skips, place: str) -> Call:
    arguments = _first(span, _ARGUMENTS)
    if arguments is None:
        raise UnusableError(
            f"no content: {_ARGUMENTS[0]} is missing; it is opt-in, record the agent with it"
        )
    answer = _answer(span)
    if answer.left_out:
        skips.add(place, answer.left_out)
    return Call(name, arguments_of(arguments), answer.ok, answer.value, transient=answer.transient)


def _answer(span: Span) -> Answer:
    kind = span.attributes.get(_ERROR_TYPE)
    failed = span.failed or kind is not None
    result = _first(span, _RESULTS)
    if result is not None:
        return from_content(result, failed=failed)
    if failed:
        said = span.message or (kind if isinstance(kind, str) else "")
        return refused(canonical(said) or "Error: the tool failed and did not say why", kind)
    raise UnusableError(
        f"no content: {_RESULTS[0]} is missing; it is opt-in, record the agent with it"
    )


def _words(message: dict[str, Json]) -> list[str]:
    parts = message.get("parts")
    texts = (
        [part.get("content") for part in parts if isinstance(part, dict)]
        if isinstance(parts, list)
        else []
    )
    texts.append(message.get("content"))
    return [text for text in texts if isinstance(text, str)]


def _parsed(value: Json) -> Json:
    if not isinstance(value, str):
        return value
    try:
        return parse(value)
    except UnusableError:
        return None


def _first(span: Span, names: tuple[str, ...]) -> Json:
    found = (span.attributes[name] for name in names if span.attributes.get(name) is not None)
    return next(found, None)
