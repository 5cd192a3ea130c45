"""Worker processes: they serve their run, end with their parent, and say how they ended."""

import io
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from envwright.agents import RuntimeConfig, Stop, drive, processes
from envwright.events.errors import InfrastructureError
from support.desk_worker import employ, path
from support.office import Office
from support.waiting import alive, waited

WAITING = "import sys; sys.stdin.read()"
"""A child that does nothing until its parent ends."""

PARENT = """
import json, sys, time
from pathlib import Path
import pytest
from support.desk_recipe import install
from support.desk_worker import employ
from support.office import Office
patch = pytest.MonkeyPatch()
install(patch)
employ(patch)
office = Office(Path(sys.argv[1]))
crew = office.crew(office.request())
print(json.dumps(crew.pids), flush=True)
time.sleep(600)
"""


@pytest.fixture(autouse=True)
def desk_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    employ(monkeypatch)


def test_two_processes_share_a_run_whatever_lies_in_the_current_folder(
    office: Office, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "langgraph.py").write_text("raise SystemExit(9)")
    monkeypatch.chdir(tmp_path)
    run = office.request("a", "b", "c", "d", count=4, slots=4)
    assert office.finish(run, workers=2) == "completed"
    holders = {event.actor.instance for event in office.events("package.drafted")}
    assert office.runtime.instance not in holders
    assert not office.runtime.leases.holders()


@pytest.mark.slow
def test_the_children_of_a_parent_that_was_killed_end_soon(tmp_path: Path) -> None:
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT, str(tmp_path)],
        env={**os.environ, "PYTHONPATH": path()},
        stdout=subprocess.PIPE,
    )
    assert parent.stdout is not None
    children = json.loads(parent.stdout.readline())
    assert len(children) == 2 and all(alive(pid) for pid in children)
    parent.kill()
    parent.communicate()
    waited(lambda: [pid for pid in children if alive(pid)], lambda left: not left)


def test_children_that_cannot_work_are_an_error_that_names_how_they_ended(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "ENTRY", "raise SystemExit(7)")
    with pytest.raises(InfrastructureError, match=r"ended with code 7, worker process \d+ ended"):
        drive(office.runtime, office.request(), workers=2, stop=Stop())


def test_processes_that_cannot_be_started_are_an_error_and_leave_none_behind(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "ENTRY", WAITING)
    popen, started = subprocess.Popen, []

    def limited(*arguments: object, **given: object) -> object:
        if started:
            raise OSError("no more processes")
        started.append(popen(*arguments, **given))  # type: ignore[call-overload]
        return started[-1]

    monkeypatch.setattr(subprocess, "Popen", limited)
    with pytest.raises(InfrastructureError, match="worker process 2 of 2 cannot be started"):
        office.crew("run-0")
    assert started[0].poll() is not None


def test_a_killed_worker_is_reported_and_the_other_goes_on(
    office: Office, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "ENTRY", WAITING)
    crew = office.crew(office.request())
    try:
        killed, living = crew.pids
        os.kill(killed, signal.SIGKILL)
        waited(lambda: crew.pids, lambda left: left == (living,))
        assert crew.alive() and crew.alive()
        ending = f"worker process {killed} was killed by signal 9"
        assert crew.ending() == ending
        assert [record.message for record in caplog.records] == [
            f"{ending}; its work is taken over"
        ]
    finally:
        crew.stop()


def test_children_that_take_too_long_to_stop_are_killed(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "ENTRY", "import time; time.sleep(600)")
    monkeypatch.setattr(processes, "_STOP_SECONDS", 0.1)
    office.runtime.config = office.runtime.config.model_copy(update={"drain_seconds": 0})
    crew = office.crew("run-0")
    assert crew.alive()
    crew.stop()
    assert crew.pids == ()


def started_with(patch: pytest.MonkeyPatch, opening: bytes) -> None:
    """Run what a child runs, given its first line of standard input."""
    patch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(opening)))
    patch.setattr(sys, "argv", ["-c", "run-0"])
    patch.setattr(signal, "signal", lambda *_: None)
    patch.setattr(processes, "_watch", lambda *_: None)
    processes.main()


def test_a_parent_that_ends_before_it_says_anything_ends_the_child(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    started_with(monkeypatch, b"")


def test_a_child_that_cannot_open_the_home_says_so_and_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("")
    config = RuntimeConfig(home=tmp_path / "file" / "home")
    with pytest.raises(SystemExit) as ended:
        started_with(monkeypatch, config.model_dump_json().encode() + b"\n")
    assert ended.value.code == 3
    assert "a worker process cannot go on" in caplog.text and "Traceback" not in caplog.text
