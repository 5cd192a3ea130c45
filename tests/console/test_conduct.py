"""How a driven run ends, and how a person stops it."""

import json
import os
import signal
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from envwright.agents import Runtime, RuntimeConfig, Stop, open_runtime
from envwright.console import conduct as conducting
from envwright.events.catalog import Fact, RunFailed, RunPaused
from envwright.events.errors import InfrastructureError
from support.command_line import answer, envwright


def synth(source: Path, home: Path, *options: object) -> Any:
    """Run `synth` with one worker of this process and no retries."""
    fixed = ["--recipe", "desk", "--count", 1, "--workers", 1, "--home", home, "--json"]
    return envwright("synth", source, *fixed, "--set", "max_retries=0", *options)


def test_a_failing_machine_pauses_the_run_and_names_what_is_parked(tmp_path: Path) -> None:
    source = tmp_path / "subjects.json"
    source.write_text('["down"]')
    result = synth(source, tmp_path / "home")
    assert result.exit_code == 3
    report = json.loads(result.stdout)
    assert report["status"] == "paused"
    assert report["restarts"]["parked"] >= 1
    assert "the machine is down" in report["error"]
    assert "wrk-" in report["error"] and "brief.planned" in report["error"]
    assert f"envwright resume {report['run']}" in report["error"]
    assert "Traceback" not in result.stderr


def ended_by(
    fact: Fact | None, ending: str, monkeypatch: pytest.MonkeyPatch
) -> Callable[[Path, Path], Any]:
    """Return a `synth` whose run does nothing but end in a certain way."""

    def drive(runtime: Runtime, run_id: str, **_: Any) -> str:
        if fact is not None:
            runtime.record(fact.model_copy(update={"run": run_id}), role="operator")
        return ending

    monkeypatch.setattr(conducting, "drive", drive)
    return synth


@pytest.mark.parametrize(
    ("fact", "ending", "code", "message"),
    [
        (None, "completed", 0, ""),
        (RunFailed(run="", reason="no calls in it"), "failed", 2, "no calls in it"),
        (RunPaused(run="", cause="user"), "paused", 130, "envwright resume"),
        (RunPaused(run="", cause="interrupted"), "interrupted", 130, "envwright resume"),
        (RunPaused(run="", cause="infrastructure", detail="full"), "paused", 3, "full"),
        (RunPaused(run="", cause="outcome_unknown", detail="sent?"), "paused", 3, "sent?"),
        (None, "stuck", 3, "hold the run up: 0"),
    ],
)
def test_each_ending_has_its_exit_code(
    fact: Fact | None,
    ending: str,
    code: int,
    message: str,
    subjects: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    result = ended_by(fact, ending, monkeypatch)(subjects, tmp_path / "home")
    assert result.exit_code == code, result.stderr
    report = json.loads(result.stdout)
    assert message in report.get("error", "")
    assert ("error" in report) is bool(code)
    assert message in result.stderr


def test_an_error_on_the_way_still_prints_the_report(
    subjects: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def drive(*_: Any, **__: Any) -> str:
        raise InfrastructureError("the disk is full")

    monkeypatch.setattr(conducting, "drive", drive)
    result = synth(subjects, tmp_path / "home")
    assert result.exit_code == 3
    report = json.loads(result.stdout)
    assert report["run"].startswith("run-")
    assert report["error"] == "the disk is full"


def test_the_first_signal_asks_for_a_stop_and_the_second_ends_the_process(
    subjects: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    codes: list[int] = []
    monkeypatch.setattr(os, "_exit", codes.append)
    before = signal.getsignal(signal.SIGINT)

    def drive(runtime: Runtime, run_id: str, *, stop: Stop, **_: Any) -> str:
        os.kill(os.getpid(), signal.SIGINT)
        assert stop.asked.wait(5)
        assert codes == []
        os.kill(os.getpid(), signal.SIGTERM)
        threading.Event().wait(0.01)
        return "interrupted"

    monkeypatch.setattr(conducting, "drive", drive)
    result = synth(subjects, tmp_path / "home")
    assert codes == [130]
    assert result.exit_code == 130
    assert "running work gets 10 s" in result.stderr
    assert signal.getsignal(signal.SIGINT) is before


def test_an_interrupted_run_is_resumed_to_its_end(
    subjects: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    drive = conducting.drive

    def interrupt(runtime: Runtime, run_id: str, *, stop: Stop, **given: Any) -> str:
        stop.asked.set()
        return drive(runtime, run_id, stop=stop, **given)

    with monkeypatch.context() as patch:
        patch.setattr(conducting, "drive", interrupt)
        stopped = synth(subjects, home, "--out", tmp_path / "out")
    assert stopped.exit_code == 130
    run = json.loads(stopped.stdout)["run"]
    assert not list((tmp_path / "out").iterdir())
    options = ["--workers", 1, "--home", home, "--out", tmp_path / "out"]
    report = answer("resume", run, *options)
    assert report["status"] == "completed"
    assert [Path(folder).is_dir() for folder in report["folders"]] == [True]


def test_the_default_is_two_workers_where_there_are_two_cpus(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for cpus, workers in ((1, 1), (2, 2), (64, 2), (None, 1)):
        monkeypatch.setattr(os, "cpu_count", lambda cpus=cpus: cpus)
        assert conducting.default_workers() == workers


def test_the_line_that_resumes_leads_to_the_home(tmp_path: Path) -> None:
    runtime = open_runtime(RuntimeConfig(home=tmp_path, checkpoints=False))
    assert (
        conducting.resume_command(runtime, "run-1") == f"envwright resume run-1 --home {tmp_path}"
    )
    runtime.close()
