"""The span file: finished spans as JSON lines beside the log, one OTLP document a line.

The lines are what OpenTelemetry's file exporter specifies, so that a collector or a viewer reads
the file as it is. Losing it loses no more than the view of where time went.
"""

import json
import logging
import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from opentelemetry.metrics import NoOpMeterProvider
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter, SpanExportResult
from opentelemetry.sdk.trace.sampling import ALWAYS_ON, ParentBased
from opentelemetry.trace import Link, SpanContext, format_span_id, format_trace_id

from envwright.agents.conventions import SERVICE_NAME
from envwright.agents.otlp import otlp_processor
from envwright.agents.span_ids import DerivedIds

SPANS: Final = "spans.jsonl"
"""Name of the span file in a home."""

_INSTANCE = "service.instance.id"
_LAST = b"}]}]}]}\n"
"""How every whole line ends: a span, its scope, its resource, the document."""

_QUEUE = 2048
_BATCH = 256
_DELAY_MILLISECONDS = 1000

# Bits of OTLP's span flags above the eight of W3C: whether the parent is known to be remote.
_REMOTE_KNOWN = 0x100
_REMOTE = 0x200

_log = logging.getLogger(__name__)


class SpanFile(SpanExporter):
    """Appends spans to a file, one `write` a line, so that processes may share it; never raises."""

    def __init__(self, path: Path) -> None:
        """Take the file's path; the file and its folder are made when the first span ends."""
        self._path = path
        self._begun = False

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        """Append the spans; a file that cannot be written costs the spans and a warning."""
        lines = [encode_span(span) for span in spans]
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            file = os.open(self._path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o644)
            try:
                if not self._begun:
                    self._begun = True
                    _end_torn_line(file)
                for line in lines:
                    os.write(file, line)
            finally:
                os.close(file)
        except OSError as error:
            _log.warning("%d spans are lost: %s", len(spans), error)
            return SpanExportResult.FAILURE
        return SpanExportResult.SUCCESS

    def force_flush(self, timeout_millis: int = 30000) -> bool:
        """Say that nothing is held back: every line is written when it is exported."""
        return True

    def shutdown(self) -> None:
        """Hold nothing, so release nothing."""


def _end_torn_line(file: int) -> None:
    """End the line that a process was killed in, so that the next span has one of its own."""
    size = os.fstat(file).st_size
    if size and os.pread(file, 1, size - 1) != b"\n":
        os.write(file, b"\n")


def file_provider(path: Path, *, instance: str, otlp_endpoint: str = "") -> TracerProvider:
    """Return a provider that writes to a span file from a thread of its own.

    Its queue is bounded: spans are dropped, with a warning, before an agent would wait. Call
    `shutdown` to flush it; the end of the process does so too. With an endpoint the spans also go
    to that collector.

    Raises:
        MissingExtraError: there is an endpoint and the extra `otlp` is not installed.
        BadInputError: the endpoint is no URL of a collector.
    """
    provider = TracerProvider(
        sampler=ParentBased(ALWAYS_ON),
        id_generator=DerivedIds(),
        resource=Resource({SERVICE_NAME: "envwright", _INSTANCE: instance}),
    )
    processor = BatchSpanProcessor(
        SpanFile(path),
        max_queue_size=_QUEUE,
        schedule_delay_millis=_DELAY_MILLISECONDS,
        max_export_batch_size=_BATCH,
        meter_provider=NoOpMeterProvider(),
    )
    provider.add_span_processor(processor)
    if otlp_endpoint:
        provider.add_span_processor(otlp_processor(otlp_endpoint))
    return provider


def span_files(home: Path) -> list[Path]:
    """Return the span files of a home: that of its processes, and others put beside it."""
    return sorted(home.glob("spans*.jsonl"))


class SpanReader:
    """Reads span files line by line: only lines of interest are parsed, none is kept."""

    def __init__(self, *paths: Path) -> None:
        self._paths = paths
        self.skipped = 0
        """Lines that the last reading left out: cut off by a crash or a full disk."""

    def spans(self, mentioning: Collection[str] = ()) -> Iterator[dict[str, Any]]:
        """Yield the spans as plain OTLP objects, attributes as a mapping.

        With `mentioning`, only spans whose text has one of these ids in it.
        """
        self.skipped = 0
        wanted = [text.encode("ascii") for text in mentioning]
        for path in self._paths:
            if path.exists():
                with path.open("rb") as lines:
                    yield from self._of(lines, wanted)

    def _of(self, lines: Iterable[bytes], wanted: Sequence[bytes]) -> Iterator[dict[str, Any]]:
        for line in lines:
            if not line.endswith(_LAST) and line != b"\n":
                self.skipped += 1
            elif not wanted or any(text in line for text in wanted):
                try:
                    yield from list(_spans_in(line))
                except (ValueError, KeyError, TypeError, AttributeError):
                    self.skipped += 1


def read_spans(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the spans of a span file; a line that was cut off is left out."""
    return SpanReader(path).spans()


def _spans_in(line: bytes) -> Iterator[dict[str, Any]]:
    if line.isspace():
        return
    for resource in json.loads(line)["resourceSpans"]:
        about = {item["key"]: _read_value(item["value"]) for item in _about(resource)}
        for scope in resource["scopeSpans"]:
            for span in scope["spans"]:
                yield {**_plain(span), "instance": about.get(_INSTANCE, "")}


def _about(resource: dict[str, Any]) -> list[dict[str, Any]]:
    return list(resource.get("resource", {}).get("attributes", ()))


def encode_span(span: ReadableSpan) -> bytes:
    """Return a span as one line of OTLP JSON; its events stay out, for they may hold texts."""
    scope = span.instrumentation_scope
    document = {
        "resourceSpans": [
            {
                "resource": {"attributes": _attributes(span.resource.attributes)},
                "scopeSpans": [
                    {"scope": {"name": scope.name if scope else ""}, "spans": [_span(span)]}
                ],
            }
        ]
    }
    return json.dumps(document, separators=(",", ":")).encode("ascii") + b"\n"


def _span(span: ReadableSpan) -> dict[str, Any]:
    parent = span.parent
    status: dict[str, Any] = {"code": span.status.status_code.value}
    if span.status.description:
        status["message"] = span.status.description
    result: dict[str, Any] = {
        **_ids(span.get_span_context()),
        "flags": _flags(span.get_span_context(), parent),
        "name": span.name,
        "kind": span.kind.value + 1,
        "startTimeUnixNano": str(span.start_time or 0),
        "endTimeUnixNano": str(span.end_time or 0),
        "attributes": _attributes(span.attributes or {}),
        "links": [_link(link) for link in span.links],
        "status": status,
    }
    if parent is not None:
        result["parentSpanId"] = format_span_id(parent.span_id)
    return result


def _ids(context: SpanContext | None) -> dict[str, str]:
    if context is None:
        return {}
    return {
        "traceId": format_trace_id(context.trace_id),
        "spanId": format_span_id(context.span_id),
    }


def _flags(context: SpanContext | None, parent: SpanContext | None) -> int:
    flags = _REMOTE_KNOWN | (int(context.trace_flags) if context else 0)
    return flags | _REMOTE if parent is not None and parent.is_remote else flags


def _link(link: Link) -> dict[str, Any]:
    return {**_ids(link.context), "attributes": _attributes(link.attributes or {})}


def _attributes(attributes: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [{"key": key, "value": _value(value)} for key, value in sorted(attributes.items())]


def _value(value: Any) -> dict[str, Any]:
    if isinstance(value, bool):
        return {"boolValue": value}
    if isinstance(value, int):
        return {"intValue": str(value)}
    if isinstance(value, float):
        return {"doubleValue": value}
    if isinstance(value, str):
        return {"stringValue": value}
    return {"arrayValue": {"values": [_value(item) for item in value]}}


def _plain(span: dict[str, Any]) -> dict[str, Any]:
    attributes = {item["key"]: _read_value(item["value"]) for item in span["attributes"]}
    return {**span, "attributes": attributes}


def _read_value(value: dict[str, Any]) -> Any:
    kind, content = next(iter(value.items()))
    if kind == "intValue":
        return int(content)
    if kind == "arrayValue":
        return [_read_value(item) for item in content["values"]]
    return content
