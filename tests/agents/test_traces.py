"""Traces join spans and log both ways; a killed try is told from the log, beside the next."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from envwright.agents.bootstrap import open_runtime
from envwright.agents.config import RuntimeConfig
from envwright.agents.runtime import Runtime
from envwright.agents.span_file import SPANS
from envwright.agents.span_tree import Node, span_of
from envwright.agents.traces import Trace, trace_of
from envwright.events.errors import BadInputError
from support.office import Office

DYING = """
import os, sys, time
from pathlib import Path
from envwright.agents.span_file import SPANS
from support.office import Office

home = Path(sys.argv[1])
office = Office(home)
delivery, claim = office.claim(office.newest("package.drafted"))
tracing = office.runtime.tracing
with tracing.process(delivery, claim), tracing.invoke_agent("tester", claim):
    with tracing.gate("executable"):
        pass
    while b"gate executable" not in (home / SPANS).read_bytes():
        time.sleep(0.05)
    os._exit(9)
"""
"""A Tester that is gone after its first gate, before its own span has ended."""


@pytest.fixture(scope="module")
def home(recipes: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with a finished run in which one Tester was killed in its second gate."""
    place = tmp_path_factory.mktemp("traced") / "home"
    office = Office(place)
    run = office.request("good", "broken", recipe="mending", count=2, slots=2, attempts=2)
    office.advance(run, "package.drafted")
    dying = [sys.executable, "-c", DYING, str(place)]
    subprocess.run(dying, env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}, check=False)
    assert office.runtime.reap() == 1
    assert office.finish(run) == "completed"
    office.close()
    return place


@pytest.fixture
def runtime(home: Path) -> Iterator[Runtime]:
    opened = open_runtime(RuntimeConfig(home=home, checkpoints=False))
    yield opened
    opened.close()


def run_of(runtime: Runtime) -> str:
    return next(iter(runtime.log.read_all())).run_id


def whole(runtime: Runtime) -> Trace:
    return trace_of(runtime, "run", run_of(runtime))


def named(trace: Trace, name: str) -> list[Node]:
    return [node for node in trace.nodes() if node.name == name]


def test_every_event_that_names_a_span_stands_on_it_and_on_no_other(runtime: Runtime) -> None:
    trace = whole(runtime)
    placed = {event.id: node.span for node in trace.nodes() for event in node.events}
    told = {
        event.id: span_of(event) for event in runtime.log.read_all() if span_of(event) is not None
    }
    assert placed == told and len(told) > 50


def test_every_span_names_the_events_that_the_log_has_of_it(runtime: Runtime) -> None:
    known = {event.id for event in runtime.log.read_all()}
    for node in whole(runtime).nodes():
        written = node.attributes.get("envwright.events.written", [])
        assert list(written) == [event.id for event in node.events]
        assert node.cause is None or node.cause in known


def test_every_claim_is_one_delivery_span(runtime: Runtime) -> None:
    claims = {
        (event.data["work"], event.data["token"])
        for event in runtime.log.read_all(types=("work.claimed",))
    }
    deliveries = [node for node in whole(runtime).nodes() if node.is_delivery]
    assert len(deliveries) == len(claims)
    assert claims == {
        (node.attributes["envwright.work.id"], node.attributes["envwright.claim.token"])
        for node in deliveries
    }
    assert sum(node.state == "killed" for node in deliveries) == 1


def test_a_killed_try_and_the_one_that_took_over_are_linked_below_the_same_cause(
    runtime: Runtime,
) -> None:
    trace = whole(runtime)
    [killed] = [node for node in trace.nodes() if node.is_delivery and node.state == "killed"]
    [heir] = [node for node in trace.nodes() if ("earlier try", killed.span) in node.links]
    assert killed.name == heir.name == "process package.drafted"
    assert killed.parent == heir.parent is not None
    tokens = [node.attributes["envwright.claim.token"] for node in (killed, heir)]
    assert tokens == [1, 2]
    assert killed.cause == heir.cause and heir.state == "ok"
    [agent] = killed.children
    [gate] = agent.children
    assert (agent.name, agent.state, gate.name) == (
        "invoke_agent tester",
        "killed",
        "execute_tool gate executable",
    )
    assert killed.seconds is not None and killed.seconds >= 0


def test_a_package_has_its_own_spans_and_those_of_the_planner_that_ordered_it(
    runtime: Runtime,
) -> None:
    packages = [event.correlation_id for event in runtime.log.read_all(types=("brief.planned",))]
    for package in packages:
        trace = trace_of(runtime, "package", package)
        [root] = trace.roots
        assert root.name == "process run.requested"
        below = [node for node in root.walk() if node.span != root.span]
        assert {node.attributes.get("envwright.package.id") for node in below} == {package, None}
        roles = {node.attributes.get("envwright.role") for node in trace.nodes()}
        assert roles == {"planner", "builder", "tester", "critic", "judge", "solver"}


def test_an_attempt_has_its_solver_its_judge_and_who_ordered_it(runtime: Runtime) -> None:
    [first, *_] = runtime.log.read_all(types=("attempt.finished",))
    trace = trace_of(runtime, "attempt", first.data["attempt"])
    [root] = trace.roots
    assert root.name == "process review.completed"
    assert [node.name for node in root.walk() if node.is_delivery] == [
        "process review.completed",
        "process attempt.requested",
        "process attempt.finished",
    ]
    assert named(trace, "open world") and named(trace, "evaluate attempt")


def test_an_event_leads_to_the_span_that_wrote_it_and_to_those_that_answer_it(
    runtime: Runtime,
) -> None:
    [drafted, *_] = runtime.log.read_all(types=("package.drafted",))
    trace = trace_of(runtime, "event", drafted.id)
    [root] = trace.roots
    assert root.name == "process brief.planned"
    written = [node for node in trace.nodes() if drafted in node.events]
    assert [node.span for node in written] == [span_of(drafted)]
    answers = [node for node in trace.nodes() if node.cause == drafted.id]
    assert {node.name for node in answers} == {"process package.drafted"}
    assert named(trace, "execute_tool gate executable")
    gate = next(iter(runtime.log.read_all(types=("gate.evaluated",))))
    around = trace_of(runtime, "event", gate.id)
    assert len(named(around, "execute_tool gate reference_passes")) == 1


def test_a_piece_of_work_is_shown_with_all_its_tries(runtime: Runtime) -> None:
    [expired] = runtime.log.read_all(types=("work.expired",))
    trace = trace_of(runtime, "work", expired.data["work"])
    states = [node.state for node in trace.nodes() if node.name == "process package.drafted"]
    assert states == ["killed", "ok"]


def test_what_the_log_does_not_know_has_no_trace(runtime: Runtime) -> None:
    for kind in ("run", "package", "attempt", "event", "work"):
        with pytest.raises(BadInputError, match="nothing-of-the-kind"):
            trace_of(runtime, kind, "nothing-of-the-kind")


def test_without_span_files_the_log_alone_draws_the_deliveries(
    runtime: Runtime, tmp_path: Path
) -> None:
    before = whole(runtime)
    runtime.config = runtime.config.model_copy(update={"home": tmp_path})
    bare = whole(runtime)
    deliveries = [node for node in before.nodes() if node.is_delivery]
    again = [node for node in bare.nodes() if node.is_delivery]
    assert {node.span for node in again} == {node.span for node in deliveries}
    assert {node.state for node in again} == {"killed", "unrecorded"}
    assert {event.id for node in bare.nodes() for event in node.events} == {
        event.id for node in before.nodes() for event in node.events
    }


def test_a_live_claim_is_running(office: Office) -> None:
    run = office.request("good")
    drafted = office.advance(run, "package.drafted")
    office.claim(drafted)
    trace = trace_of(office.runtime, "event", drafted.id)
    assert [node.state for node in trace.nodes() if node.cause == drafted.id] == ["running"]


def test_torn_lines_are_counted(runtime: Runtime, home: Path, tmp_path: Path) -> None:
    (tmp_path / SPANS).write_bytes((home / SPANS).read_bytes() + b'{"resourceSpans":[{"re')
    runtime.config = runtime.config.model_copy(update={"home": tmp_path})
    assert whole(runtime).skipped == 1
