"""The command `fork`, and showing things as they were."""

import json
from pathlib import Path
from typing import Any

import pytest

from support.command_line import Finished, answer, envwright
from support.replay_worker import employ


@pytest.fixture(scope="module")
def origin(subjects: Path, tmp_path_factory: pytest.TempPathFactory) -> Finished:
    """A finished run that the tests of this module may fork."""
    home = tmp_path_factory.mktemp("origin") / "home"
    options = ["--count", 2, "--slots", 3, "--seed", 7, "-k", 1, "--panel", "random"]
    more = ["--workers", 1, "--home", home, "--json"]
    result = envwright("synth", subjects, "--recipe", "desk", *options, *more)
    assert result.exit_code == 0, result.stderr
    return Finished(home, json.loads(result.stdout), result.stderr)


def fork(origin: Finished, at: object, *more: object) -> Any:
    return envwright("fork", origin.run, "--at", at, *more, "--home", origin.home)


def digests(report: dict[str, Any]) -> list[str]:
    return [package["digest"] for package in report["packages"]]


def test_a_fork_is_driven_and_reported_like_a_run(origin: Finished, tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    options = ["--workers", 1, "--out", tmp_path / "out", "--report", page, "--json"]
    result = fork(origin, "round:1", *options)
    assert result.exit_code == 0, result.stderr
    report = json.loads(result.stdout)
    assert f"forked from {origin.run}" in result.stderr and "envwright resume" in result.stderr
    assert digests(report) == digests(origin.report)
    assert [row["inherited_from"] for row in report["packages"]] == [origin.run] * 2
    assert report["fork"]["origin"] == origin.run and report["gates"] == {}
    assert f"forked from <code>{origin.run}</code>" in page.read_text(encoding="utf-8")
    folders = [Path(folder) for folder in report["folders"]]
    provenance = json.loads((folders[0] / "provenance.json").read_text(encoding="utf-8"))
    assert provenance["run"] == report["run"] and provenance["gates"]
    types = [event["type"] for event in provenance["events"]]
    assert {"package.drafted", "gate.evaluated", "package.inherited"} <= set(types)
    assert types[-1] == "package.admitted"


def test_a_fork_with_a_higher_count_marks_what_is_its_own(origin: Finished) -> None:
    options = ["--set", "count=3", "--workers", 1]
    result = fork(origin, "round:1", *options, "--json")
    assert result.exit_code == 0, result.stderr
    report = json.loads(result.stdout)
    assert report["admitted"] == 3 and digests(report)[:2] == digests(origin.report)
    assert [row["inherited_from"] for row in report["packages"]] == [origin.run, origin.run, None]
    shown = envwright("show", report["run"], "--home", origin.home).stdout
    assert f"{origin.run} at position" in shown and "count = 3" in shown
    assert "inherited from" in shown and "forked from" in shown
    [listed] = [
        run for run in answer("runs", "--home", origin.home)["runs"] if run["run"] == report["run"]
    ]
    assert (listed["origin"], listed["requested"]) == (origin.run, 3)
    package = answer("show", origin.package, "--home", origin.home)
    assert report["run"] in package["lineage"]["inherited_by"]


def test_a_fork_can_be_recorded_first_and_resumed_later(origin: Finished) -> None:
    result = fork(origin, "round:1", "--no-run", "--set", "seed=9", "--json")
    assert result.exit_code == 0, result.stderr
    made = json.loads(result.stdout)
    assert made["status"] == "requested" and made["fork"]["set"] == {"seed": 9}
    assert made["fork"]["settled"] == 3 and made["fork"]["what"] == "round 1 settled"
    report = answer("resume", made["run"], "--workers", 1, "--home", origin.home)
    assert report["status"] == "completed" and report["seed"] == 9
    assert not set(digests(report)) & set(digests(origin.report))


def test_a_point_in_between_is_moved_back_and_said_so(origin: Finished) -> None:
    with origin.runtime() as runtime:
        end = next(runtime.log.read_all(run_id=origin.run, types=("run.completed",)))
        settled = next(runtime.log.read_all(run_id=origin.run, types=("round.settled",)))
    for at in (end.position, end.id, end.id[:-2]):
        result = fork(origin, at, "--no-run", "--json")
        assert result.exit_code == 0, result.stderr
        assert f"{settled.position} (round 1 settled)" in result.stderr
        made = json.loads(result.stdout)["fork"]
        assert (made["at"], made["asked"]) == (settled.position, end.position)


@pytest.mark.parametrize(
    ("at", "more", "message"),
    [
        ("999999", [], "beyond the head of the log"),
        ("round:7", [], "no settled round '7'"),
        ("nothing", [], "is called 'nothing'"),
        ("round:1", ["--set", "colour=red"], "What may be set: recipe, count, seed"),
        ("round:1", ["--set", "count=none"], "--set count"),
        ("round:1", ["--set", "gates.none.seeds=[1]"], "no gate 'none'"),
    ],
)
def test_bad_input_is_exit_2(origin: Finished, at: str, more: list[str], message: str) -> None:
    before = len(answer("runs", "--home", origin.home)["runs"])
    result = fork(origin, at, *more)
    assert result.exit_code == 2 and message in result.stderr, result.stderr
    assert len(answer("runs", "--home", origin.home)["runs"]) == before


def test_an_unknown_run_cannot_be_forked(origin: Finished) -> None:
    result = envwright("fork", "run-none", "--at", "1", "--home", origin.home)
    assert result.exit_code == 2 and "envwright runs" in result.stderr


@pytest.mark.slow
def test_a_fork_replays_without_divergence_and_audits_clean(
    origin: Finished, monkeypatch: pytest.MonkeyPatch
) -> None:
    employ(monkeypatch)
    result = fork(origin, "round:1", "--set", "count=3", "--workers", 1, "--json")
    run = json.loads(result.stdout)["run"]
    for level in ("state", "execution", "decision"):
        replayed = answer("replay", run, "--level", level, "--home", origin.home)
        assert replayed["diverged"] is None and replayed["compared"] > 0, level
    checks = answer("audit", run, "--home", origin.home)["checks"]
    assert checks["admissions"]["checked"] == 3
    assert all(check["ok"] for check in checks.values()), checks


def test_things_are_shown_as_they_were(finished: Finished) -> None:
    at_home = ["--home", finished.home]
    with finished.runtime() as runtime:
        head = runtime.log.head()
        admitted = next(runtime.log.read_all(types=("package.admitted",)))
        drafted = next(
            e for e in runtime.log.read_all(types=("package.drafted",))
            if e.correlation_id == finished.package
        )  # fmt: skip
    run = answer("show", finished.run, "--at", admitted.position, *at_home)
    assert (run["status"], run["admitted"]) == ("running", 1)
    assert (run["at"]["position"], run["at"]["head"]) == (admitted.position, head)
    assert answer("show", finished.run, "--at", admitted.id, *at_home) == run
    page = envwright("show", finished.run, "--at", admitted.position, *at_home).stdout
    assert page.startswith(f"as of position {admitted.position} of {head}")
    package = answer("show", finished.package, "--at", drafted.position, *at_home)
    assert package["status"] == "package.drafted" and package["gates"] == []
    stream = answer("show", drafted.stream, "--at", drafted.position, *at_home)
    assert [event["type"] for event in stream["events"]] == ["package.drafted"]
    listed = answer("runs", "--at", "1", *at_home)
    assert [(row["run"], row["status"]) for row in listed["runs"]] == [(finished.run, "requested")]
    assert listed["at"]["position"] == 1
    assert envwright("runs", "--at", "1", *at_home).stdout.startswith("as of position 1")


@pytest.mark.parametrize(
    ("what", "at", "message"),
    [
        ("package", "1", "was not there at position 1: it came at position"),
        ("run", "999999", "beyond the head of the log"),
        ("run", "0", "before the first event"),
        ("run", "nothing-there", "is called 'nothing-there'"),
    ],
)
def test_a_moment_that_cannot_be_shown_is_exit_2(
    finished: Finished, what: str, at: str, message: str
) -> None:
    name = {"run": finished.run, "package": finished.package}[what]
    result = envwright("show", name, "--at", at, "--home", finished.home)
    assert result.exit_code == 2 and message in result.stderr, result.stderr


def test_the_page_of_the_past_says_so_in_html(finished: Finished, tmp_path: Path) -> None:
    file = tmp_path / "then.html"
    options = ["--at", "40", "--html", file, "--home", finished.home]
    assert envwright("show", finished.run, *options).exit_code == 0
    assert "as of position 40 of" in file.read_text(encoding="utf-8")
