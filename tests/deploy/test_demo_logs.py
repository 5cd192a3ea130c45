"""The demo's logs are what their README says: recorded, complete, and repeatable."""

import json
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import jsonschema
import pytest

DEMO = Path(__file__).parents[2] / "deploy" / "demo"
SERVICES = ("helpdesk", "library")
FIELDS = ["trace_id", "seq", "ts", "service", "tool", "args", "result", "status", "error_code"]

Row = dict[str, Any]


@pytest.fixture(params=SERVICES)
def service(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def log(service: str) -> list[Row]:
    lines = (DEMO / f"{service}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


@pytest.fixture
def tools(service: str) -> dict[str, Row]:
    manifest = json.loads((DEMO / f"{service}-tools.json").read_text(encoding="utf-8"))
    assert {tool["type"] for tool in manifest} == {"function"}
    return {tool["function"]["name"]: tool["function"] for tool in manifest}


@pytest.fixture
def traces(log: list[Row]) -> list[list[Row]]:
    grouped = defaultdict(list)
    for call in log:
        grouped[call["trace_id"]].append(call)
    return list(grouped.values())


def is_write(tool: str) -> bool:
    return not tool.startswith(("get_", "find_", "list_"))


def creates(tool: str) -> bool:
    return tool.startswith(("create_", "place_"))


def texts(value: Any) -> set[str]:
    if isinstance(value, dict):
        return set().union(*map(texts, value.values()))
    if isinstance(value, list):
        return set().union(*map(texts, value))
    return {value} if isinstance(value, str) else set()


def entity(call: Row) -> str:
    return str(next(iter(call["args"].values())))


def test_each_shipped_file_is_small(service: str) -> None:
    for name in (f"{service}.jsonl", f"{service}-tools.json"):
        assert (DEMO / name).stat().st_size <= 600_000


def test_every_line_is_a_flat_call_record_of_its_service(service: str, log: list[Row]) -> None:
    for call in log:
        assert list(call)[:9] == FIELDS
        assert set(call) <= {*FIELDS, "user"}
        assert call["service"] == service
        assert call["status"] == ("error" if call["error_code"] else "ok")


def test_arguments_of_every_call_fit_the_manifest(log: list[Row], tools: dict[str, Row]) -> None:
    for call in log:
        jsonschema.validate(call["args"], tools[call["tool"]]["parameters"])
    assert {call["tool"] for call in log} == set(tools)


def test_traces_follow_each_other_and_number_their_calls_from_zero(log: list[Row]) -> None:
    expected = [
        (trace, seq)
        for trace, calls in Counter(call["trace_id"] for call in log).items()
        for seq in range(calls)
    ]
    assert [(call["trace_id"], call["seq"]) for call in log] == expected
    assert [call["ts"] for call in log] == sorted({call["ts"] for call in log})


def test_there_are_enough_traces_of_four_to_nine_calls(traces: list[list[Row]]) -> None:
    assert len(traces) >= 40
    assert {len(trace) for trace in traces} <= set(range(4, 10))


def test_only_the_first_call_of_a_trace_carries_the_words_of_the_user(
    traces: list[list[Row]],
) -> None:
    for trace in traces:
        assert trace[0]["user"]
        assert all("user" not in call for call in trace[1:])


def test_at_least_120_entities_are_read_by_their_id(log: list[Row]) -> None:
    read = {
        entity(call): call["result"]
        for call in log
        if call["status"] == "ok" and call["tool"].startswith(("get_", "find_"))
    }
    assert len(read) >= 120
    assert all(key in texts(row) for key, row in read.items())


def test_every_write_succeeds_at_least_fifteen_times_with_varied_entities(
    log: list[Row], tools: dict[str, Row]
) -> None:
    done = defaultdict(set)
    for call in log:
        if call["status"] == "ok":
            done[call["tool"]].add(entity(call))
    assert all(len(done[tool]) >= 15 for tool in tools if is_write(tool))


def test_every_written_row_was_read_before_it_was_written(traces: list[list[Row]]) -> None:
    for trace in traces:
        seen: set[str] = set()
        for call in trace:
            if call["status"] == "ok" and is_write(call["tool"]):
                assert (entity(call) in seen) is not creates(call["tool"])
            if call["status"] == "ok":
                seen.add(entity(call))


def test_a_write_returns_the_whole_row_with_the_given_arguments(log: list[Row]) -> None:
    for call in log:
        if call["status"] == "ok" and is_write(call["tool"]):
            assert texts(call["args"]) <= texts(call["result"])


def test_many_writes_are_read_again(traces: list[list[Row]]) -> None:
    pairs = [
        (write, after)
        for trace in traces
        for write, after in zip(trace, trace[1:], strict=False)
        if write["status"] == after["status"] == "ok" and is_write(write["tool"])
    ]
    again = [(w, a) for w, a in pairs if a["tool"].startswith("get_") and entity(a) == entity(w)]
    assert len(again) >= 30
    assert all(write["result"] == after["result"] for write, after in again)


def test_every_value_of_a_successful_call_was_said_by_the_user_or_returned_before(
    traces: list[list[Row]],
) -> None:
    for trace in traces:
        returned: set[str] = set()
        for call in trace:
            if call["status"] == "ok":
                unknown = texts(call["args"]) - returned
                assert all(value in trace[0]["user"] for value in unknown), call
                returned |= texts(call["result"])


def test_a_row_that_one_trace_writes_is_touched_by_no_other(log: list[Row]) -> None:
    touched, written = defaultdict(set), set()
    for call in log:
        if call["status"] == "ok":
            touched[entity(call)].add(call["trace_id"])
            if is_write(call["tool"]):
                written.add(entity(call))
    assert all(len(touched[key]) == 1 for key in written)


def test_some_calls_fail_on_unknown_ids_and_are_corrected(log: list[Row]) -> None:
    codes = Counter(call["error_code"] for call in log if call["error_code"])
    assert codes["404"] + codes["not_found"] >= 10
    assert set(codes) <= {"404", "not_found", "rate_limited"}


def test_an_id_occurs_in_few_traces(log: list[Row], traces: list[list[Row]]) -> None:
    where = defaultdict(set)
    for call in log:
        for text in texts(call["args"]) | texts(call["result"]):
            if len(text) == 9 and text[3] == "-":
                where[text].add(call["trace_id"])
    assert len(where) >= 120
    assert max(map(len, where.values())) <= len(traces) * 0.05


def test_the_readme_names_the_versions_that_record_them() -> None:
    servers = (DEMO / "servers.py").read_text(encoding="utf-8")
    readme = (DEMO / "README.md").read_text(encoding="utf-8")
    for package, version in (("json-server", "0.17.4"), ("mockworld-mcp", "0.3.3")):
        assert f"{package}@{version}" in servers or f"{package}=={version}" in servers
        assert f"`{package}` {version}" in readme
