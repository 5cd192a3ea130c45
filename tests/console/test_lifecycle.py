"""The commands `resume`, `pause` and `runs`."""

from pathlib import Path

from envwright.agents import RuntimeConfig, open_runtime, request_run
from envwright.events.values import RunSettings
from support.command_line import Finished, answer, envwright


def request(home: Path) -> str:
    """Record a request that nobody works on."""
    runtime = open_runtime(RuntimeConfig(home=home, checkpoints=False))
    settings = RunSettings(recipe="desk", count=1, slots=2, attempts=1)
    run_id = request_run(runtime, settings, [("subjects.json", b'["fan rattles", "flawed"]')])
    runtime.close()
    return run_id


def test_a_finished_run_is_reported_again(finished: Finished, tmp_path: Path) -> None:
    options = ["--workers", 1, "--home", finished.home, "--out", tmp_path]
    report = answer("resume", finished.run[:14], *options)
    assert report["packages"] == finished.report["packages"]
    assert len(report["folders"]) == 2


def test_a_paused_run_goes_on_when_it_is_resumed(tmp_path: Path) -> None:
    run = request(tmp_path)
    paused = envwright("pause", run, "--home", tmp_path)
    assert paused.exit_code == 0
    assert f"envwright resume {run}" in paused.stderr
    assert answer("runs", "--home", tmp_path)["runs"][0]["status"] == "paused"
    report = answer("resume", run, "--workers", 1, "--home", tmp_path)
    assert (report["status"], report["admitted"]) == ("completed", 1)


def test_a_run_that_does_not_run_cannot_be_paused(finished: Finished) -> None:
    result = envwright("pause", finished.run, "--home", finished.home)
    assert result.exit_code == 2
    assert "is completed" in result.stderr


def test_runs_are_listed_newest_first(tmp_path: Path) -> None:
    first, second = request(tmp_path), request(tmp_path)
    listed = answer("runs", "--home", tmp_path)["runs"]
    assert [run["run"] for run in listed] == [second, first]
    assert {"run", "recipe", "status", "admitted", "requested"} <= listed[0].keys()
    page = envwright("runs", "--home", tmp_path).stdout
    assert page.index(second) < page.index(first)
    assert "envwright resume RUN" in page


def test_without_a_home_there_are_no_runs(tmp_path: Path) -> None:
    home = tmp_path / "none"
    assert answer("runs", "--home", home) == {"runs": []}
    assert "envwright synth" in envwright("runs", "--home", home).stderr
    assert not home.exists()


def test_an_unknown_run_is_exit_2(finished: Finished) -> None:
    for command in ("resume", "pause", "replay"):
        result = envwright(command, "run-unknown", "--home", finished.home)
        assert result.exit_code == 2
        assert "run-unknown" in result.stderr and "envwright runs" in result.stderr


def test_a_log_that_is_cut_short_is_no_traceback(finished: Finished, tmp_path: Path) -> None:
    log = (finished.home / "log.sqlite").read_bytes()
    for name, kept in (("half", log[: len(log) // 2]), ("none", b"no database at all" * 100)):
        home = tmp_path / name
        home.mkdir()
        (home / "log.sqlite").write_bytes(kept)
        for command in (["runs"], ["show", finished.run], ["events"]):
            result = envwright(*command, "--home", home)
            assert result.exit_code in (1, 2, 3), (command, result.stdout)
            assert "error:" in result.stderr and "Traceback" not in result.stderr
