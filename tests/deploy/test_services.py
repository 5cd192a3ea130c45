"""The script that installs what the tests with services run: what it says, without installing."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from support.rooms import ROOT

SCRIPT = ROOT / "deploy" / "services.sh"


def services(*arguments: str, script: Path = SCRIPT, path: str = "") -> tuple[int, str]:
    done = subprocess.run(
        ["bash", str(script), *arguments],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PATH": path or os.environ["PATH"]},
    )
    return done.returncode, done.stdout + done.stderr


@pytest.fixture
def lacking(tmp_path: Path) -> Path:
    """The script with a service that no machine has."""
    script = tmp_path / "services.sh"
    line = "nowhere | false | no-such-package another\n"
    script.write_text(SCRIPT.read_text().replace("SERVICES='\n", f"SERVICES='\n{line}"))
    return script


@pytest.fixture
def foreign(tmp_path: Path) -> str:
    """A PATH without a package manager, as on another system."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in ("bash", "id", "tr", "ls"):
        (folder / name).symlink_to(str(shutil.which(name)))
    return str(folder)


def test_it_lists_every_service_with_its_packages(lacking: Path):
    code, said = services("--list", script=lacking)
    assert code == 0
    assert "nowhere: missing; packages: no-such-package another" in said.splitlines()
    assert any(line.startswith("postgres: ") for line in said.splitlines())


def test_a_name_that_it_does_not_know_is_wrong_usage():
    code, said = services("nothing")
    assert code == 2 and "no service 'nothing'; there are: postgres" in said


def test_where_it_cannot_install_it_says_what_to_install(lacking: Path, foreign: str):
    code, said = services("nowhere", script=lacking, path=foreign)
    assert code == 3
    assert "missing: nowhere" in said and "apt-get install no-such-package another" in said


@pytest.mark.postgres
def test_what_is_here_is_left_alone(foreign: str):
    assert services("postgres", path=foreign) == (0, "everything is here\n")
