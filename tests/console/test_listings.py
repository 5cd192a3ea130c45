"""The commands `packages`, `yields`, `costs` and `projections`."""

from pathlib import Path

import pytest

from envwright.agents import RuntimeConfig, open_runtime, request_run
from envwright.events.values import RunSettings
from envwright.store.readmodels import Yields
from support.command_line import Finished, answer, envwright


def test_packages_of_a_run_are_listed_with_what_became_of_them(finished: Finished) -> None:
    listed = answer("packages", finished.run[:14], "--home", finished.home)
    assert listed["run"] == finished.run
    statuses = [row["status"] for row in listed["packages"]]
    assert sorted(statuses) == ["admitted", "admitted", "rejected"]
    admitted = [row for row in listed["packages"] if row["status"] == "admitted"]
    assert [row["package"] for row in admitted] == [
        made["id"] for made in finished.report["packages"]
    ]
    assert [row["revision"] for row in admitted] == [
        made["digest"] for made in finished.report["packages"]
    ]
    page = envwright("packages", "--home", finished.home).stdout
    assert finished.package in page and finished.run in page


def test_the_yield_is_that_of_the_report(finished: Finished) -> None:
    (found,) = answer("yields", finished.run, "--home", finished.home)["yields"]
    report = finished.report
    assert (found["admitted"], found["rejected"]) == (report["admitted"], report["rejected"])
    assert {gate: row["verdicts"] for gate, row in found["gates"].items()} == report["gates"]
    assert "2 admitted of 3 slots" in envwright("yields", "--home", finished.home).stdout


def test_the_costs_are_those_of_the_report(finished: Finished) -> None:
    found = answer("costs", finished.run, "--home", finished.home)
    told = {row["stage"]: row for row in finished.report["stages"]}
    assert [row["stage"] for row in found["stages"]] == list(told)
    for row in found["stages"]:
        assert round(row["longest"], 3) == told[row["stage"]]["longest"]
        # Work that had nothing to say is counted here, and took part in no stage.
        assert row["works"] >= told[row["stage"]]["works"]
    assert found["total"]["effects"] == {"gate": finished.report["restarts"]["effects"]}
    assert "read and mine" in envwright("costs", "--home", finished.home).stdout


def test_projections_say_where_they_stand_and_rebuild_to_the_same_rows(finished: Finished) -> None:
    listed = answer("projections", "--home", finished.home)["projections"]
    assert {row["state"] for row in listed} == {"live"}
    with finished.runtime() as runtime:
        runtime.read_models.catch_up()
        before = {name: dict(runtime.log.projection(name)) for name in runtime.read_models.names}
    rebuilt = answer("projections", "--rebuild", "all", "--home", finished.home)["projections"]
    assert {row["lag"] for row in rebuilt} == {0}
    with finished.runtime() as runtime:
        after = {name: dict(runtime.log.projection(name)) for name in runtime.read_models.names}
    assert after == before and all(before.values())


@pytest.fixture
def broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with a request, and yields that cannot fold it."""
    runtime = open_runtime(RuntimeConfig(home=tmp_path / "home", checkpoints=False))
    settings = RunSettings(recipe="desk", count=1)
    request_run(runtime, settings, [("subjects.json", b'["fan rattles"]')])
    with monkeypatch.context() as patch:
        patch.setattr(Yields, "types", frozenset({"run.requested"}))
        runtime.read_models.catch_up()
    runtime.close()
    return tmp_path / "home"


def test_a_parked_projection_is_shown_with_its_error_until_it_is_rebuilt(broken: Path) -> None:
    rows = {row["name"]: row for row in answer("projections", "--home", broken)["projections"]}
    assert rows["yields"]["state"] == "parked"
    assert "belongs to no round" in rows["yields"]["parked"]["error"]
    assert {row["state"] for name, row in rows.items() if name != "yields"} == {"live"}
    page = envwright("projections", "--home", broken).stdout
    assert "belongs to no round" in page and "--rebuild NAME" in page
    rebuilt = answer("projections", "--rebuild", "yields", "--home", broken)["projections"]
    assert {row["state"] for row in rebuilt} == {"live"}


def test_an_unknown_projection_is_exit_2_with_those_that_there_are(finished: Finished) -> None:
    result = envwright("projections", "--rebuild", "lists", "--home", finished.home)
    assert result.exit_code == 2
    assert "run-list" in result.stderr
