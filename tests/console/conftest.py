"""A finished run for the console's tests: made once, by the desk recipe."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from envwright.console.terminal import notices, results
from support.command_line import Finished, envwright
from support.desk_recipe import SUBJECTS, install


@pytest.fixture(scope="session", autouse=True)
def desk() -> Iterator[None]:
    """Let runs ask for the desk recipe, and pages be as wide on every machine."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COLUMNS", "120")
        results.cache_clear()
        notices.cache_clear()
        install(patch)
        yield


@pytest.fixture(scope="session")
def subjects(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A source of the desk recipe, with an element that is skipped."""
    source = tmp_path_factory.mktemp("source") / "subjects.json"
    source.write_text(json.dumps([*SUBJECTS, "flawed", 7]), encoding="utf-8")
    return source


@pytest.fixture(scope="session")
def finished(desk: None, subjects: Path, tmp_path_factory: pytest.TempPathFactory) -> Finished:
    """A run that admitted two packages and rejected one; not to be changed."""
    home = tmp_path_factory.mktemp("finished") / "home"
    options = ["--count", 2, "--slots", 3, "--seed", 7, "-k", 2, "--workers", 1, "--home", home]
    result = envwright("synth", subjects, "--recipe", "desk", *options, "--json")
    assert result.exit_code == 0, result.stderr
    return Finished(home, json.loads(result.stdout), result.stderr)
