"""Spans as they are exported: OTLP's JSON, and flat ones with their attributes as an object."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from envwright.events.canonical import Json
from envwright.recipes.toolspace.readers.episodes import Moment, moment
from envwright.recipes.toolspace.readers.jsontext import DEPTH, Mark

_RESOURCES: Final = ("resourceSpans", "resource_spans")
_SCOPES: Final = ("scopeSpans", "scope_spans", "instrumentationLibrarySpans")
_FAILED: Final = (2, "2", "STATUS_CODE_ERROR", "ERROR")
_SCALARS: Final = ("stringValue", "boolValue", "doubleValue")


class Span(NamedTuple):
    """What a reader needs of a span."""

    trace_id: str
    span_id: str
    parent_id: str
    name: str
    start: Moment
    failed: bool
    message: str
    """What the status, or the exception, says of a failure."""
    attributes: dict[str, Json]


def holds_spans(value: Json) -> bool:
    """Say whether an element is a span or an export of spans."""
    return isinstance(value, dict) and (_is_span(value) or bool(_lists(value, _RESOURCES)))


def spans_in(value: dict[str, Json]) -> Iterator[Span]:
    """Yield the spans of an element."""
    if _is_span(value):
        yield _span(value)
    for resource in _lists(value, _RESOURCES):
        for scope in _lists(resource, _SCOPES):
            yield from (_span(span) for span in _lists(scope, ("spans",)) if _is_span(span))


def _is_span(value: dict[str, Json]) -> bool:
    context = value.get("context")
    holder = context if isinstance(context, dict) else value
    named = isinstance(value.get("name"), str) and isinstance(_first(holder, *_TRACE), str)
    return named and isinstance(value.get("attributes", {}), dict | list)


_TRACE: Final = ("traceId", "trace_id")


def _span(value: dict[str, Json]) -> Span:
    context = value.get("context")
    holder = context if isinstance(context, dict) else value
    status = value.get("status")
    status = status if isinstance(status, dict) else {}
    code = _first(status, "code", "status_code")
    return Span(
        trace_id=_text(_first(holder, *_TRACE)),
        span_id=_text(_first(holder, "spanId", "span_id")),
        parent_id=_text(_first(value, "parentSpanId", "parent_span_id", "parent_id")),
        name=value["name"],
        start=moment(_first(value, "startTimeUnixNano", "start_time_unix_nano", "start_time")),
        failed=code in _FAILED,
        message=_text(_first(status, "message", "description")) or _exception(value),
        attributes=_attributes(value.get("attributes")),
    )


def _exception(value: dict[str, Json]) -> str:
    for event in _lists(value, ("events",)):
        said = _attributes(event.get("attributes")).get("exception.message")
        if isinstance(said, str):
            return said
    return ""


def _attributes(value: Json) -> dict[str, Json]:
    if isinstance(value, dict):
        return value
    if not isinstance(value, list):
        return {}
    return {
        item["key"]: _plain(item.get("value"), DEPTH)
        for item in value
        if isinstance(item, dict) and isinstance(item.get("key"), str)
    }


def _plain(value: Json, room: int) -> Json:
    """Return the JSON value that one of OTLP's values stands for."""
    if not isinstance(value, dict):
        return value
    if room == 0:
        return Mark(f"nested deeper than {DEPTH} levels")
    for name in _SCALARS:
        if name in value:
            return value[name]
    if "intValue" in value:
        return _whole(value["intValue"])
    if "arrayValue" in value:
        return [_plain(item, room - 1) for item in _items(value["arrayValue"])]
    if "kvlistValue" in value:
        return {
            item["key"]: _plain(item.get("value"), room - 1)
            for item in _items(value["kvlistValue"])
            if isinstance(item, dict) and isinstance(item.get("key"), str)
        }
    return Mark("bytes are no JSON") if "bytesValue" in value else None


def _whole(value: Json) -> Json:
    # OTLP writes 64-bit numbers as text.
    if not isinstance(value, str):
        return value
    try:
        return int(value)
    except ValueError:
        return Mark(f"{value!r:.40} is no whole number")


def _items(value: Json) -> list[Json]:
    found = value.get("values") if isinstance(value, dict) else None
    return found if isinstance(found, list) else []


def _lists(value: Json, names: tuple[str, ...]) -> list[dict[str, Json]]:
    found = _first(value, *names) if isinstance(value, dict) else None
    return [item for item in found if isinstance(item, dict)] if isinstance(found, list) else []


def _text(value: Json) -> str:
    return value if isinstance(value, str) else ""


def _first(value: dict[str, Json], *names: str) -> Json:
    return next((value[name] for name in names if value.get(name) is not None), None)
