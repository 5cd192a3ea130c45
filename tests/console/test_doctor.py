"""The command `doctor`."""

from pathlib import Path

import pytest

from envwright.console import doctor
from envwright.console.machine import Finding
from support.command_line import answer, envwright

FOUND = [
    Finding("python", True, "3.13", "everything"),
    Finding("engine", False, "not there", "images", "install it"),
    Finding("model", None, "off", "policies"),
]


def test_missing_things_are_no_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "findings", lambda settings, home: iter(FOUND))
    found = answer("doctor")["findings"]
    assert [finding["ok"] for finding in found] == [True, False, None]
    page = envwright("doctor")
    assert page.exit_code == 0
    assert "install it" in page.stdout


def test_the_home_that_is_named_is_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    homes: list[Path] = []
    monkeypatch.setattr(doctor, "findings", lambda settings, home: homes.append(home) or iter(()))
    answer("doctor", "--home", tmp_path / "h")
    assert homes == [tmp_path / "h"]
