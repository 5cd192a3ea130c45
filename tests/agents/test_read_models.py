"""The read models of a real run say what its streams say; no handler can reach one."""

import ast
from collections import Counter

import pytest

from envwright.agents import tally
from envwright.agents.stages import StageTimes
from envwright.events.catalog import PackageRevised, RepairRequested, VerdictReached
from support.office import Office
from support.rooms import ROOT, Source

HANDLERS = ("planner", "builder", "tester", "critic", "solver", "judge")
READS = {"projection", "projection_row", "read_models", "projections"}


def rows(office: Office, name: str) -> list[dict]:
    return list(office.runtime.read_models.rows(name))


def test_the_list_of_runs_agrees_with_the_runs_own_streams(varied: Office) -> None:
    (row,) = rows(varied, "run-list")
    state = varied.runtime.run_state(row["run"])
    assert state.requested is not None
    assert (row["status"], row["round"], row["planned"]) == (
        state.status,
        state.round,
        len(state.briefs),
    )
    assert row["admitted"] == len(state.admitted)
    assert row["rejected"] == len(state.outcomes) - len(state.admitted)
    assert row["requested"] == state.requested.settings.count


def test_packages_have_the_lineage_that_their_events_tell(varied: Office) -> None:
    listed = {row["package"]: row for row in rows(varied, "packages")}
    (row,) = rows(varied, "run-list")
    state = varied.runtime.run_state(row["run"])
    assert set(listed) == {brief.package for brief in state.briefs.values()}
    revised = Counter(fact.package for fact in varied.facts(PackageRevised))
    repairs = Counter(fact.package for fact in varied.facts(RepairRequested))
    assert revised and {
        package: len(found["revisions"]) - 1
        for package, found in listed.items()
        if len(found["revisions"]) > 1
    } == dict(revised)
    assert {key: len(found["repairs"]) for key, found in listed.items() if found["repairs"]} == {
        **repairs
    }
    for fact in state.admitted:
        assert listed[fact.package]["revision"] == fact.revision


def test_counts_agree_with_the_report(varied: Office) -> None:
    counts = tally(varied.events())
    gates = {row["gate"]: row["verdicts"] for row in rows(varied, "gates")}
    assert gates == {gate: dict(found) for gate, found in counts.gates.items()}
    verdicts = rows(varied, "verdicts")
    assert len(verdicts) == len(varied.facts(VerdictReached))
    assert sum(row["n"] for row in rows(varied, "trials") if row["closed"]) == len(verdicts)
    times = StageTimes()
    for envelope in varied.events():
        times.apply(envelope)
    told = {row["stage"]: row["works"] for row in times.report()}
    assert sum(row["seconds"] > 0 for row in rows(varied, "costs")) == sum(told.values())
    assert sum(sum(row["effects"].values()) for row in rows(varied, "costs")) == counts.effects


def test_all_rows_rebuild_to_the_same_bytes(varied: Office) -> None:
    models, log = varied.runtime.read_models, varied.runtime.log
    models.catch_up()
    before = {name: list(log.projection(name)) for name in models.names}
    for name in models.names:
        models.rebuild(name)
    assert before == {name: list(log.projection(name)) for name in models.names}
    assert all(before.values())


def modules_of_handlers() -> list[Source]:
    """Return what runs inside a handler: the roles, their context, graphs and streams."""
    agents = ROOT / "agents" / "envwright" / "agents"
    paths = [path for role in HANDLERS for path in (agents / role).rglob("*.py")]
    names = ("context", "graph", "handlers", "slots", "streams", "withdrawal")
    paths += [agents / f"{name}.py" for name in names]
    paths += (ROOT / "agents" / "envwright" / "recipes").rglob("*.py")
    return [Source(path) for path in paths]


def reads_of_projections(name: str, tree: ast.Module) -> list[str]:
    """Return the places where a module reads a projection or imports what does."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in READS:
            found.append(f"{name}:{node.lineno} .{node.attr}")
        if isinstance(node, ast.Import | ast.ImportFrom) and "read_models" in ast.unparse(node):
            found.append(f"{name}:{node.lineno} {ast.unparse(node)}")
        if isinstance(node, ast.ImportFrom) and {each.name for each in node.names} & {
            "ReadModels",
            "ProjectionState",
            "ProjectionWrite",
        }:
            found.append(f"{name}:{node.lineno} {ast.unparse(node)}")
    return found


def test_no_handler_reads_a_projection() -> None:
    sources = modules_of_handlers()
    assert len(sources) > 50
    assert [
        place for source in sources for place in reads_of_projections(source.name, source.tree)
    ] == []


@pytest.mark.parametrize(
    "code",
    [
        "def f(ctx): return dict(ctx.ports.log.projection('run-list'))",
        "def f(log): return log.projection_row('run-list', 'r')",
        "def f(runtime): return runtime.read_models",
        "from envwright.events.ports import ReadModels",
        "from envwright.events.ports.read_models import Parked",
    ],
)
def test_a_handler_that_did_would_be_found(code: str) -> None:
    assert reads_of_projections("desk.py", ast.parse(code))
