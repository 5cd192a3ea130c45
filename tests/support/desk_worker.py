"""Worker processes that know the desk recipe."""

import os
from pathlib import Path

import pytest

from envwright.agents import processes
from support.desk_recipe import install

TESTS = Path(__file__).resolve().parents[1]

ENTRY = "from support.desk_worker import main; main()"
"""What such a process runs."""


def main() -> None:
    """Serve a run as any worker process does."""
    install(pytest.MonkeyPatch())
    processes.main()


def path() -> str:
    """Return the PYTHONPATH under which a process finds this module."""
    before = os.environ.get("PYTHONPATH")
    return os.pathsep.join([str(TESTS), *([before] if before else [])])


def employ(patch: pytest.MonkeyPatch) -> None:
    """Let the runs of this process start such workers."""
    patch.setattr(processes, "ENTRY", ENTRY)
    patch.setenv("PYTHONPATH", path())
