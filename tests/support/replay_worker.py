"""Worker processes of a replay that know the recipes of the tests."""

import importlib
import os

import pytest

from envwright.agents.replay import child, pool
from support import desk_recipe, mending_recipe
from support.desk_worker import path

ENTRY = "from support.replay_worker import main; main()"
"""What such a process runs."""

FURTHER = "ENVWRIGHT_TEST_RECIPE"
"""Names a module whose `install` puts one more recipe in."""


def main() -> None:
    """Serve tasks as any worker process of a replay does."""
    patch = pytest.MonkeyPatch()
    desk_recipe.install(patch)
    mending_recipe.install(patch)
    if FURTHER in os.environ:
        importlib.import_module(os.environ[FURTHER]).install(patch)
    child.main()


def employ(patch: pytest.MonkeyPatch) -> None:
    """Let the replays of this process start such workers."""
    patch.setattr(pool, "ENTRY", ENTRY)
    patch.setenv("PYTHONPATH", path())
