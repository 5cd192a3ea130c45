"""The command `show`: every kind of thing, as a page and as JSON."""

import json
from pathlib import Path

import pytest

from support.command_line import Finished, answer, envwright


def ids(finished: Finished) -> dict[str, str]:
    """Return an id of each kind."""
    with finished.runtime() as runtime:
        attempt = next(runtime.log.read_all(types=("attempt.started",)))
        gate = next(runtime.log.read_all(types=("gate.evaluated",)))
        claim = next(runtime.log.read_all(types=("work.claimed",)))
    return {
        "run": finished.run,
        "package": finished.package,
        "attempt": attempt.data["attempt"],
        "event": gate.id,
        "artifact": gate.data["result"]["evidence"]["digest"],
        "work": claim.data["work"],
    }


@pytest.mark.parametrize("kind", ["run", "package", "attempt", "event", "artifact", "work"])
def test_each_kind_has_a_page_and_an_object(kind: str, finished: Finished) -> None:
    name = ids(finished)[kind]
    found = answer("show", name, "--home", finished.home)
    assert kind in found
    page = envwright("show", name[:-1], "--home", finished.home)
    assert page.exit_code == 0
    assert page.stdout.splitlines()
    assert page.stderr == ""


def test_an_unknown_id_is_exit_2_and_names_what_is_near(finished: Finished) -> None:
    result = envwright("show", f"{finished.run}0", "--home", finished.home)
    assert result.exit_code == 2
    assert finished.run in result.stderr


def test_without_a_home_nothing_is_shown(tmp_path: object) -> None:
    result = envwright("show", "run-1", "--home", f"{tmp_path}/none")
    assert result.exit_code == 2
    assert "no home" in result.stderr


def test_the_report_of_a_run_is_written_as_one_page(finished: Finished, tmp_path: Path) -> None:
    file = tmp_path / "report.html"
    shown = envwright("show", finished.run, "--html", file, "--home", finished.home)
    assert shown.exit_code == 0 and shown.stdout == "" and str(file) in shown.stderr
    page = file.read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>") and finished.run in page
    both = envwright("show", finished.run, "--html", file, "--json", "--home", finished.home)
    assert json.loads(both.stdout)["run"] == finished.run


def test_only_runs_are_drawn_as_a_page(finished: Finished, tmp_path: Path) -> None:
    package = finished.report["packages"][0]["id"]
    file = tmp_path / "report.html"
    refused = envwright("show", package, "--html", file, "--home", finished.home)
    assert refused.exit_code == 2 and "package" in refused.stderr and not file.exists()
