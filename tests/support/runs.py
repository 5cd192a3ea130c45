"""Runs for system tests: driven in this process or another, on the demo logs or the real ones."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

TESTS = Path(__file__).resolve().parents[1]
DEMO = TESTS.parent / "deploy" / "demo"
SHARED = TESTS.parent.parent / "shared" / "data" / "tau-bench"
HELPDESK = DEMO / "helpdesk.jsonl"
HELPDESK_TOOLS = DEMO / "helpdesk-tools.json"

SMALL: dict[str, Any] = {
    "sources": [str(HELPDESK), str(HELPDESK_TOOLS)],
    "settings": {"recipe": "toolspace", "count": 3, "seed": 7, "attempts": 2},
}
"""A run that takes a few seconds."""


def start(home: Path, spec: dict[str, Any], **environment: str) -> subprocess.Popen[str]:
    """Start a driver process on a run."""
    return subprocess.Popen(
        [sys.executable, "-m", "support.drive", str(home), json.dumps(spec)],
        cwd=TESTS,
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        text=True,
    )


def finish(process: subprocess.Popen[str], timeout: float = 300) -> dict[str, Any]:
    """Wait for a driver and return its report."""
    out, _ = process.communicate(timeout=timeout)
    assert process.returncode == 0, f"the driver exited with {process.returncode}: {out[-2000:]}"
    return dict(json.loads(out.splitlines()[-1]))


def run(home: Path, spec: dict[str, Any], **environment: str) -> dict[str, Any]:
    """Drive a run in another process to its end and return its report."""
    return finish(start(home, spec, **environment))


def digests(report: dict[str, Any]) -> list[str]:
    """Return the admitted revision digests in order of admission."""
    return [package["digest"] for package in report["packages"]]


def variant(spec: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """Return a spec with other top-level fields."""
    return {**spec, **changes}
