"""Homes are checked before they are opened."""

import os
from pathlib import Path

import pytest

from envwright.console.home import at_home, home_folder, known_home, new_or_known_home
from envwright.events.errors import BadInputError


def test_a_home_is_made_where_it_is_absent(tmp_path: Path) -> None:
    home = tmp_path / "deep" / "home"
    with new_or_known_home(home) as runtime:
        assert runtime.log.head() == 0
    assert (home / "log.sqlite").is_file()
    with known_home(home, roles=("judge",)) as runtime:
        assert runtime.config.roles == ("judge",)
        assert runtime.checkpointer is None


def test_reading_makes_no_home(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match="envwright synth"), known_home(tmp_path / "home"):
        pass
    assert not (tmp_path / "home").exists()


@pytest.mark.parametrize("opening", [known_home, new_or_known_home])
def test_a_file_is_no_home(opening: type, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(BadInputError, match="is a file"), opening(tmp_path / "file"):
        pass


def test_a_home_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with (
        pytest.raises(BadInputError, match="name a folder that can be written"),
        new_or_known_home(tmp_path / "file" / "home"),
    ):
        pass


@pytest.mark.parametrize("opening", [known_home, new_or_known_home])
def test_a_home_that_cannot_be_written_is_refused(
    opening: type, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: not mode & os.W_OK)
    with pytest.raises(BadInputError, match="cannot be written"), opening(tmp_path):
        pass


def test_commands_name_a_home_that_is_not_the_usual_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ENVWRIGHT_HOME", "usual")
    assert home_folder(None) == Path("usual")
    assert home_folder(Path("other")) == Path("other")
    assert at_home(Path("usual")) == ""
    assert at_home(Path("a b")) == " --home 'a b'"
