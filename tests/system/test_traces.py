"""Traces of whole runs: two worker processes, a kill in between, links checked against the log."""

import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from envwright.agents.span_tree import Node, span_of
from envwright.agents.traces import trace_of
from envwright.events.catalog import PackageAdmitted, PackageDrafted
from support.runs import DESK, SMALL, Driven, Spec, run, variant, watching
from support.waiting import waited

pytestmark = pytest.mark.timeout(400)

Start = Callable[[Path, Spec], Driven]

CHAIN = ["planner", "builder", "tester", "critic", "judge", "solver", "judge"]


def roles_to(root: Node) -> set[tuple[str, ...]]:
    """Return the roles of the deliveries on every way from the root to a leaf."""
    ways, pending = set(), [(root, ())]
    while pending:
        node, above = pending.pop()
        here = (*above, str(node.attributes["envwright.role"])) if node.is_delivery else above
        if not node.children:
            ways.add(here)
        pending.extend((child, here) for child in node.children)
    return ways


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("two-workers") / "home"
    run(place, variant(SMALL, workers=2))
    return place


@pytest.mark.slow
def test_every_admitted_package_of_a_real_log_has_its_whole_story_in_one_tree(home: Path) -> None:
    with watching(home) as runtime:
        admitted = [envelope.fact for envelope in runtime.log.read_all(types=("package.admitted",))]
        assert len(admitted) == 3
        for fact in admitted:
            assert isinstance(fact, PackageAdmitted)
            trace = trace_of(runtime, "package", fact.package)
            [root] = trace.roots
            assert tuple(CHAIN) in {way[: len(CHAIN)] for way in roles_to(root)}
            drafted = [
                made.fact
                for made in runtime.log.read_all(types=("package.drafted",))
                if made.correlation_id == fact.package
            ]
            assert isinstance(drafted[-1], PackageDrafted)
            gates = {spec.gate for spec in drafted[-1].gate_set}
            testers = [node for node in trace.nodes() if node.name == "invoke_agent tester"]
            below = {
                child.attributes.get("envwright.gate.id")
                for tester in testers
                for child in tester.children
            }
            assert gates <= below


@pytest.mark.slow
def test_spans_of_both_processes_and_the_log_name_each_other(home: Path) -> None:
    with watching(home) as runtime:
        events = {envelope.id: envelope for envelope in runtime.log.read_all()}
        run_id = next(iter(events.values())).run_id
        nodes = {node.span: node for node in trace_of(runtime, "run", run_id).nodes()}
    assert len({node.instance for node in nodes.values()}) == 2
    assert {node.state for node in nodes.values()} <= {"ok", "error"}
    told = [envelope for envelope in events.values() if span_of(envelope) is not None]
    assert len(told) > 100
    for envelope in told:
        writer = nodes[str(span_of(envelope))]
        assert envelope.id in writer.attributes["envwright.events.written"]
        assert writer.attributes["envwright.role"] == envelope.actor.role
        assert writer.instance == envelope.actor.instance
    for node in nodes.values():
        for written in node.attributes.get("envwright.events.written", ()):
            assert span_of(events[written]) == node.span
        if node.cause is not None:
            assert dict(node.links).get("cause", span_of(events[node.cause])) == span_of(
                events[node.cause]
            )


def pid_of(holder: str) -> int:
    """Return the process of a holder's name: machine, process, start."""
    return int(holder.rsplit(":", 2)[1])


@pytest.mark.slow
def test_a_worker_that_was_killed_leaves_tries_that_are_linked_to_those_that_took_over(
    tmp_path: Path, start: Start
) -> None:
    driven = start(tmp_path, variant(DESK, workers=2, max_delay=0.6))
    driven.await_events(1, "package.drafted")
    with watching(tmp_path) as runtime:
        holders = waited(lambda: [pid_of(name) for name in runtime.leases.holders()])
        os.kill(holders[0], signal.SIGKILL)
    driven.finish()
    with watching(tmp_path) as runtime:
        nodes = {node.span: node for node in trace_of(runtime, "run", driven.run).nodes()}
        expired = list(runtime.log.read_all(types=("work.expired",)))
    lost = [node for node in nodes.values() if node.is_delivery and node.state == "killed"]
    assert len(lost) == len(expired) > 0
    for node in lost:
        [heir] = [each for each in nodes.values() if ("earlier try", node.span) in each.links]
        assert heir.cause == node.cause and heir.parent == node.parent
        assert heir.instance != node.instance
