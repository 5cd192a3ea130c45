"""Spans go to a collector that the user names, as OTLP; one that is away costs no time."""

import http.server
import logging
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.sdk.trace.export import SpanExporter, SpanExportResult

from envwright.agents.otlp import Unhurried, collector_url, otlp_processor
from envwright.agents.span_file import SPANS, file_provider, read_spans
from envwright.events.errors import BadInputError, MissingExtraError
from support.waiting import waited


class Collector(http.server.ThreadingHTTPServer):
    """An OpenTelemetry collector, as far as it takes spans over HTTP."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Taking)
        self.requests: list[tuple[str, ExportTraceServiceRequest]] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def spans(self) -> list[str]:
        """Return the names of the spans that came."""
        return [
            span.name
            for _, request in self.requests
            for resource in request.resource_spans
            for scope in resource.scope_spans
            for span in scope.spans
        ]


class _Taking(http.server.BaseHTTPRequestHandler):
    server: Collector

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        message = ExportTraceServiceRequest()
        message.ParseFromString(body)
        self.server.requests.append((self.path, message))
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def collector() -> Iterator[Collector]:
    server = Collector()
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_collector_gets_what_the_file_gets(collector: Collector, tmp_path: Path) -> None:
    provider = file_provider(tmp_path / SPANS, instance="here", otlp_endpoint=collector.url)
    tracer = provider.get_tracer("envwright")
    with tracer.start_as_current_span("outer", attributes={"envwright.run.id": "run-1"}):
        tracer.start_span("inner").end()
    provider.shutdown()
    assert sorted(collector.spans()) == ["inner", "outer"]
    kept = {span["spanId"]: span["name"] for span in read_spans(tmp_path / SPANS)}
    [(path, request)] = collector.requests
    assert path == "/v1/traces"
    [resource] = request.resource_spans
    sent = {span.span_id.hex(): span.name for scope in resource.scope_spans for span in scope.spans}
    assert sent == kept
    attributes = {each.key: each.value.string_value for each in resource.resource.attributes}
    assert attributes == {"service.name": "envwright", "service.instance.id": "here"}


def test_without_an_endpoint_nothing_is_sent(
    collector: Collector, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Whoever sets this for another program has said nothing to this module.
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url)
    provider = file_provider(tmp_path / SPANS, instance="here")
    provider.get_tracer("t").start_span("one").end()
    provider.shutdown()
    assert collector.requests == [] and len(list(read_spans(tmp_path / SPANS))) == 1


@pytest.mark.parametrize(
    ("named", "url"),
    [
        ("http://localhost:4318", "http://localhost:4318/v1/traces"),
        ("http://localhost:4318/", "http://localhost:4318/v1/traces"),
        ("https://host/otel", "https://host/otel/v1/traces"),
        ("https://host/v1/traces", "https://host/v1/traces"),
    ],
)
def test_an_endpoint_is_a_base_unless_it_names_the_path(named: str, url: str) -> None:
    assert collector_url(named) == url


@pytest.mark.parametrize("named", ["localhost:4318", "ftp://host", "http://", "nonsense"])
def test_what_is_no_url_of_a_collector_is_refused_with_an_example(named: str) -> None:
    with pytest.raises(BadInputError, match=r"http://localhost:4318"):
        otlp_processor(named)


def test_a_missing_extra_says_which_install_brings_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "opentelemetry.exporter.otlp.proto.http", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'envwright\[otlp\]'"):
        otlp_processor("http://localhost:4318")


@pytest.fixture
def nobody() -> str:
    """An address where nobody listens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{free.getsockname()[1]}"


@pytest.fixture
def silent() -> Iterator[str]:
    """A server that takes connections and never answers."""
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen(64)
        yield f"http://127.0.0.1:{server.getsockname()[1]}"


MANY = """
import sys
from pathlib import Path
from envwright.agents.span_file import file_provider
provider = file_provider(Path(sys.argv[1]), instance="here", otlp_endpoint=sys.argv[2])
tracer = provider.get_tracer("t")
for number in range(2000):
    tracer.start_span(f"n{number}").end()
provider.shutdown()
"""


@pytest.mark.slow
@pytest.mark.parametrize("place", ["nobody", "silent"])
def test_a_collector_that_is_away_holds_nobody_up_at_the_end(
    place: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    url = str(request.getfixturevalue(place))
    started = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-c", MANY, str(tmp_path / SPANS), url],
        timeout=60,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert done.returncode == 0, done.stderr
    # Eight batches of two seconds each would be more; loading what it needs takes some too.
    assert time.monotonic() - started < 13
    assert len(list(read_spans(tmp_path / SPANS))) == 2000


class Answering(SpanExporter):
    """An exporter that answers what a test says."""

    def __init__(self) -> None:
        self.answer = SpanExportResult.SUCCESS
        self.asked = 0
        self.closed = False

    def export(self, spans: object) -> SpanExportResult:
        self.asked += 1
        return self.answer

    def shutdown(self) -> None:
        self.closed = True


def test_a_collector_that_failed_is_not_asked_for_a_while_and_then_again(
    caplog: pytest.LogCaptureFixture,
) -> None:
    inner = Answering()
    exporter = Unhurried(inner, "http://there", away_seconds=0.05)
    inner.answer = SpanExportResult.FAILURE
    with caplog.at_level(logging.WARNING):
        assert exporter.export([]) is exporter.export([]) is SpanExportResult.FAILURE
        assert inner.asked == 1
        waited(lambda: exporter.export([]) and inner.asked, lambda asked: asked == 2)
    assert [record.message for record in caplog.records] == [
        "no collector takes spans at http://there; the home keeps them"
    ]
    inner.answer = SpanExportResult.SUCCESS
    waited(lambda: exporter.export([]), lambda result: result is SpanExportResult.SUCCESS)
    exporter.shutdown()
    assert inner.closed and exporter.force_flush()
