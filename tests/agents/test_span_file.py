"""The span file is OTLP JSON lines that processes share, and never gets in an agent's way."""

import json
import logging
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.trace import Link, SpanKind, Status, StatusCode

from envwright.agents.span_file import SPANS, SpanReader, file_provider, read_spans, span_files


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "home" / SPANS


@pytest.fixture
def provider(path: Path) -> Iterator[TracerProvider]:
    made = file_provider(path, instance="here")
    yield made
    made.shutdown()


def test_shutdown_flushes_and_every_line_is_an_otlp_document(
    provider: TracerProvider, path: Path
) -> None:
    tracer = provider.get_tracer("envwright")
    with tracer.start_as_current_span("outer", kind=SpanKind.CONSUMER) as outer:
        link = Link(outer.get_span_context(), {"why": "test"})
        with tracer.start_as_current_span("inner", links=[link]) as inner:
            inner.set_status(Status(StatusCode.ERROR, "Broken"))
    provider.shutdown()
    documents = [json.loads(line) for line in path.read_text().splitlines()]
    assert len(documents) == 2
    resource = documents[0]["resourceSpans"][0]
    assert resource["resource"]["attributes"] == [
        {"key": "service.instance.id", "value": {"stringValue": "here"}},
        {"key": "service.name", "value": {"stringValue": "envwright"}},
    ]
    assert resource["scopeSpans"][0]["scope"] == {"name": "envwright"}
    first, second = read_spans(path)
    assert (first["name"], second["name"]) == ("inner", "outer")
    assert first["parentSpanId"] == second["spanId"] and "parentSpanId" not in second
    assert first["traceId"] == second["traceId"] == f"{outer.get_span_context().trace_id:032x}"
    assert first["status"] == {"code": 2, "message": "Broken"} and second["status"] == {"code": 0}
    assert (first["kind"], second["kind"]) == (1, 5)
    assert first["links"][0]["spanId"] == second["spanId"]
    assert int(second["endTimeUnixNano"]) >= int(first["endTimeUnixNano"]) > 10**18
    assert first["flags"] & 0x301 == 0x101


def test_attributes_of_every_kind_come_back(provider: TracerProvider, path: Path) -> None:
    attributes: dict[str, Any] = {"t": "é\n", "n": 2**60, "f": 0.5, "b": True, "l": ["a", "b"]}
    provider.get_tracer("t").start_span("one", attributes=attributes).end()
    provider.force_flush()
    assert [span["attributes"] for span in read_spans(path)] == [attributes]


def test_events_of_spans_stay_out(provider: TracerProvider, path: Path) -> None:
    with pytest.raises(ValueError), provider.get_tracer("t").start_as_current_span("one") as span:
        span.add_event("said", {"text": "secret"})
        raise ValueError("secret")
    provider.force_flush()
    assert "said" not in path.read_text()


def test_a_place_that_cannot_be_written_costs_the_spans_and_a_warning(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("not a folder")
    provider = file_provider(tmp_path / "file" / SPANS, instance="here")
    with caplog.at_level(logging.WARNING), provider.get_tracer("t").start_as_current_span("one"):
        pass
    provider.shutdown()
    assert [
        record.getMessage()
        for record in caplog.records
        if "1 spans are lost" in record.msg % record.args
    ]


def test_a_deleted_file_is_made_again(provider: TracerProvider, path: Path) -> None:
    for name in ("one", "two"):
        path.unlink(missing_ok=True)
        provider.get_tracer("t").start_span(name).end()
        provider.force_flush()
    assert [span["name"] for span in read_spans(path)] == ["two"]


def test_a_torn_line_is_left_out(provider: TracerProvider, path: Path) -> None:
    provider.get_tracer("t").start_span("whole").end()
    provider.force_flush()
    with path.open("ab") as file:
        file.write(b'{"resourceSpans":[{"resource":{"attr')
    assert [span["name"] for span in read_spans(path)] == ["whole"]
    assert list(read_spans(path.with_name("absent"))) == []


def test_torn_and_strange_lines_are_counted_and_cost_no_other(
    provider: TracerProvider, path: Path
) -> None:
    provider.get_tracer("t").start_span("first").end()
    provider.force_flush()
    whole = path.read_bytes()
    strange = b'{"resourceSpans":[{"scopeSpans":[{"spans":[{"name":5}]}]}]}\n'
    path.write_bytes(whole + whole[:-9] + b"\n" + strange + b"\x00\xff\n" + whole + whole[:40])
    reader = SpanReader(path)
    assert [span["name"] for span in reader.spans()] == ["first", "first"]
    assert reader.skipped == 4
    assert [span["name"] for span in reader.spans()] == ["first", "first"] and reader.skipped == 4


def test_a_line_that_a_killed_process_left_does_not_swallow_the_next(path: Path) -> None:
    path.parent.mkdir(parents=True)
    path.write_bytes(b'{"resourceSpans":[{"resource":{"attr')
    provider = file_provider(path, instance="next")
    provider.get_tracer("t").start_span("whole").end()
    provider.shutdown()
    reader = SpanReader(path)
    assert [(span["name"], span["instance"]) for span in reader.spans()] == [("whole", "next")]
    assert reader.skipped == 1


def test_only_lines_that_mention_an_id_are_read(provider: TracerProvider, path: Path) -> None:
    tracer = provider.get_tracer("t")
    for number in range(3):
        tracer.start_span(f"n{number}", attributes={"envwright.run.id": f"run-{number}"}).end()
    provider.force_flush()
    reader = SpanReader(path)
    assert [span["name"] for span in reader.spans(["run-1", "run-2"])] == ["n1", "n2"]
    assert list(reader.spans(["run-7"])) == []
    with path.open("ab") as file:
        file.write(b'{"resourceSpans":[{"re')
    assert list(reader.spans(["run-7"])) == [] and reader.skipped == 1, "torn lines count anyway"


def test_span_files_of_a_home_are_read_together(provider: TracerProvider, path: Path) -> None:
    provider.get_tracer("t").start_span("one").end()
    provider.force_flush()
    path.with_name("spans-of-another-machine.jsonl").write_bytes(path.read_bytes())
    assert len(span_files(path.parent)) == 2
    assert len(list(SpanReader(*span_files(path.parent)).spans())) == 2


def test_more_spans_than_the_queue_holds_are_dropped_and_nobody_waits(
    provider: TracerProvider, path: Path
) -> None:
    tracer = provider.get_tracer("t")
    for number in range(3000):
        tracer.start_span(f"n{number}").end()
    provider.shutdown()
    assert 2048 <= len(list(read_spans(path))) <= 3000


WRITER = """
import sys
from pathlib import Path
from envwright.agents.span_file import file_provider
provider = file_provider(Path(sys.argv[1]), instance=sys.argv[2])
tracer = provider.get_tracer("t")
for number in range(300):
    tracer.start_span("n", attributes={"long": "x" * number * 20}).end()
    if number % 10 == 0:
        provider.force_flush()
provider.shutdown()
"""


@pytest.mark.slow
def test_processes_share_the_file_without_torn_lines(path: Path) -> None:
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, str(path), str(number)])
        for number in range(2)
    ]
    assert [writer.wait(timeout=60) for writer in writers] == [0, 0]
    assert len(path.read_bytes().splitlines()) == len(list(read_spans(path))) == 600
