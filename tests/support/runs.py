"""Runs for system tests: each driven in a process of its own, watched through its home."""

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock
from pydantic import SecretStr

from envwright.agents import Runtime, RuntimeConfig, open_runtime
from envwright.agents.config import STORE_VARIABLE
from support.desk_worker import TESTS, path
from support.waiting import PATIENCE, waited

DEMO = TESTS.parent / "deploy" / "demo"
HELPDESK = DEMO / "helpdesk.jsonl"
HELPDESK_TOOLS = DEMO / "helpdesk-tools.json"

Spec = dict[str, Any]

SMALL: Spec = {
    "sources": [str(HELPDESK), str(HELPDESK_TOOLS)],
    "settings": {"recipe": "toolspace", "count": 3, "seed": 7, "attempts": 2},
}
"""A run on a log of the demo that takes some seconds."""

DESK: Spec = {
    "subjects": ["scanner jams", "lid is loose", "none", "fan rattles", "ink is low"],
    "settings": {"recipe": "desk", "count": 3, "slots": 5, "seed": 7, "attempts": 2},
}
"""A run of the desk recipe that takes about a second."""


class Driven:
    """A run in a process of its own."""

    def __init__(self, home: Path, spec: Spec, **environment: str) -> None:
        self.home = home
        self.store = environment.get(STORE_VARIABLE, "")
        # A file: nobody reads a pipe while the test waits for something else.
        self._errors = home.parent / f"{home.name}-{time.monotonic_ns()}.err"
        with self._errors.open("w") as errors:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "support.drive", str(home), json.dumps(spec)],
                cwd=TESTS,
                env={**os.environ, "PYTHONPATH": path(), **environment},
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
            )
        assert self.process.stdout is not None
        self._out = self.process.stdout
        self.run = self._out.readline().strip()
        assert self.run, f"the driver did not begin: {self._ended()[1]}"

    @property
    def workers(self) -> tuple[int, ...]:
        """Process ids of the driver's children."""
        pid = self.process.pid
        listed = Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii").split()
        return tuple(int(child) for child in listed)

    def await_events(self, count: int, *types: str) -> int:
        """Wait until the run has so many events of some types (or of any), or has ended."""
        with watching(self.home, self.store) as runtime:
            found = waited(
                lambda: len(list(runtime.log.read_all(run_id=self.run, types=types or None))),
                lambda found: found >= count or self.process.poll() is not None,
            )
        return int(found)

    def kill(self) -> None:
        """Kill the process as nothing else can be killed; one that has ended stays so."""
        self.process.kill()
        self._ended()

    def finish(self) -> dict[str, Any]:
        """Wait for the end and return the report."""
        out, err = self._ended()
        assert self.process.returncode == 0, f"exit code {self.process.returncode}: {err}"
        return dict(json.loads(out.splitlines()[-1]))

    def fail(self) -> str:
        """Wait for an end with exit code 3 and return what the process said."""
        _, err = self._ended()
        assert self.process.returncode == 3, f"exit code {self.process.returncode}: {err}"
        return err

    def _ended(self) -> tuple[str, str]:
        """Wait for the end, however it comes; return what was said."""
        overdue = threading.Timer(PATIENCE, self.process.kill)
        overdue.start()
        out = self._out.read()
        self.process.wait()
        overdue.cancel()
        self._out.close()
        return out, self._errors.read_text(encoding="utf-8")[-2000:]


@contextmanager
def watching(home: Path, store: str = "") -> Iterator[Runtime]:
    """Open a home, or a database on a server, that another process works in."""
    config = RuntimeConfig(home=home, store=SecretStr(store), checkpoints=False)
    runtime = open_runtime(config)
    try:
        yield runtime
    finally:
        runtime.close()


def run(home: Path, spec: Spec, **environment: str) -> dict[str, Any]:
    """Drive a run in another process to its end and return its report."""
    return Driven(home, spec, **environment).finish()


def run_once(factory: pytest.TempPathFactory, name: str, spec: Spec) -> tuple[Path, dict[str, Any]]:
    """Drive a run once for all processes of the test session; return its home and report.

    The home may be read and not changed.
    """
    base = factory.getbasetemp()
    place = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    home, kept = place / name, place / f"{name}.json"
    with FileLock(place / f"{name}.lock"):
        if not kept.exists():
            kept.write_text(json.dumps(run(home, spec)), encoding="utf-8")
    return home, dict(json.loads(kept.read_text(encoding="utf-8")))


def digests(report: dict[str, Any]) -> list[str]:
    """Return the admitted revision digests in order of admission."""
    return [package["digest"] for package in report["packages"]]


def variant(spec: Spec, **changes: Any) -> Spec:
    """Return a spec with other top-level fields."""
    return {**spec, **changes}
