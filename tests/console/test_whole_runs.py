"""Whole runs of the installed command in processes of their own, with two workers."""

import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from support.runs import HELPDESK, HELPDESK_TOOLS

COMMAND = [sys.executable, "-m", "envwright.console.main"]
OPTIONS = ["--recipe", "toolspace", "--count", "2", "--seed", "7", "-k", "1", "--workers", "2"]


@contextmanager
def started(*arguments: object) -> Iterator[subprocess.Popen[str]]:
    """Start a command, and end it whatever happens."""
    process = subprocess.Popen(
        [*COMMAND, *(str(argument) for argument in arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with process:
        try:
            yield process
        finally:
            process.kill()


def children(pid: int) -> list[int]:
    """Return the process ids of a process's children."""
    listed = Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii").split()
    return [int(child) for child in listed]


def alive(pid: int) -> bool:
    """Say whether a process runs."""
    try:
        return Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.slow
def test_ctrl_c_stops_a_run_of_two_workers_and_resume_ends_it(tmp_path: Path) -> None:
    home = tmp_path / "home"
    options = [*OPTIONS, "--home", home, "--json"]
    with started("synth", HELPDESK, HELPDESK_TOOLS, *options) as running:
        assert running.stderr is not None
        said = running.stderr.readline()
        assert said.startswith("run run-"), said + running.stderr.read()
        run = said.split()[1]
        while running.poll() is None and not (workers := children(running.pid)):
            time.sleep(0.05)
        time.sleep(2.0)
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=60)
    assert running.returncode == 130, err
    assert f"envwright resume {run}" in err and "Traceback" not in err
    assert json.loads(out)["run"] == run
    assert not [pid for pid in workers if alive(pid)]

    with started("resume", run, "--home", home, "--out", tmp_path / "out", "--json") as resumed:
        out, err = resumed.communicate(timeout=120)
    assert resumed.returncode == 0, err
    report = json.loads(out)
    assert (report["admitted"], report["status"]) == (2, "completed")
    assert all((Path(folder) / "provenance.json").is_file() for folder in report["folders"])


def test_a_reader_that_leaves_early_is_no_error(tmp_path: Path) -> None:
    shell = f"{' '.join(COMMAND)} --help | head -n 1"
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", shell], capture_output=True, text=True, check=False
    )
    assert "Traceback" not in done.stderr and "Broken pipe" not in done.stderr
