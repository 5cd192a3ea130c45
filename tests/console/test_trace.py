"""The command `trace`: the tree on a terminal, as JSON and as a page."""

from pathlib import Path
from typing import Any

from support.command_line import Finished, answer, envwright


def spans(view: dict[str, Any]) -> list[dict[str, Any]]:
    """Return all spans of a trace."""
    found, pending = [], list(view["roots"])
    while pending:
        row = pending.pop()
        found.append(row)
        pending.extend(row["children"])
    return found


def test_a_run_has_a_tree_with_every_role(finished: Finished) -> None:
    view = answer("trace", finished.run[:14], "--home", finished.home)
    assert (view["kind"], view["id"], view["run"]) == ("run", finished.run, finished.run)
    assert (view["errors"], view["killed"], view["unrecorded"]) == (0, 0, 0)
    found = spans(view)
    assert len(found) == view["spans"] > 50
    roles = {row["attributes"].get("gen_ai.agent.name") for row in found} - {None}
    assert roles == {"planner", "builder", "tester", "critic", "solver", "judge"}


def test_a_package_is_drawn_with_its_gates_and_the_events_they_led_to(finished: Finished) -> None:
    page = envwright("trace", finished.package, "--home", finished.home).stdout
    order = ["planner:", "builder:", "tester:", "critic:", "judge:", "solver:", "evaluate attempt"]
    places = [page.index(word) for word in order]
    assert places == sorted(places)
    assert "execute_tool gate no_leak" in page and "package.admitted #" in page
    assert "calls of" in page
    every = envwright("trace", finished.package, "--all", "--home", finished.home).stdout
    assert len(every.splitlines()) > len(page.splitlines())


def test_an_event_leads_to_its_span_and_the_span_to_the_event(finished: Finished) -> None:
    package = answer("trace", finished.package, "--home", finished.home)
    for row in spans(package):
        for event in row["events"]:
            if event["type"] == "package.drafted":
                found = answer("trace", event["event"], "--home", finished.home)
                [writer] = [each for each in spans(found) if event in each["events"]]
                assert writer["span"] == row["span"]
                return
    raise AssertionError("no span wrote the draft")


def test_the_waterfall_is_a_page_that_needs_nothing_else(
    finished: Finished, tmp_path: Path
) -> None:
    page = tmp_path / "trace.html"
    result = envwright("trace", finished.package, "--html", page, "--home", finished.home)
    assert result.exit_code == 0 and f"trace written to {page}" in result.stderr
    assert result.stdout == ""
    text = page.read_text(encoding="utf-8")
    assert (
        "execute_tool gate no_leak" in text
        and "<script" not in text
        and "http" not in (text.replace("http-equiv", ""))
    )


def test_what_has_no_trace_is_exit_2(finished: Finished) -> None:
    digest = finished.report["packages"][0]["digest"]
    assert envwright("trace", digest, "--home", finished.home).exit_code in (0, 2)
    unknown = envwright("trace", "pkg-unknown", "--home", finished.home)
    assert unknown.exit_code == 2 and "pkg-unknown" in unknown.stderr
    with finished.runtime() as runtime:
        [started] = runtime.log.read_all(types=("run.started",))
    artifact = started.data["profile"]["digest"]
    refused = envwright("trace", artifact, "--home", finished.home)
    assert refused.exit_code == 2 and "of the kind 'artifact'" in refused.stderr
