"""The option `--pseudonymise`: nothing of what it names is kept anywhere."""

import json
from pathlib import Path

import pytest

from envwright.agents import read_sources
from envwright.recipes import Disguise
from support.clinic import lines, records
from support.command_line import answer, envwright

OPTIONS = ["--count", 1, "--slots", 2, "--panel", "", "--workers", 1, "--allow-short"]
FIELDS = ["--pseudonymise", "email", "--pseudonymise", "name", "--pseudonymise", "author"]


@pytest.fixture(scope="module")
def clinic(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The clinic's log as a file."""
    source = tmp_path_factory.mktemp("clinic") / "clinic.jsonl"
    source.write_bytes(lines(records(36)))
    return source


def kept(*folders: Path) -> bytes:
    """Every byte below some folders."""
    paths = [path for folder in folders for path in folder.rglob("*") if path.is_file()]
    return b"".join(path.read_bytes() for path in sorted(paths))


def test_personal_values_and_the_key_are_in_no_file_of_a_run(
    clinic: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ENVWRIGHT_PSEUDONYM_KEY", "a-long-secret")
    home, out = tmp_path / "home", tmp_path / "out"
    told = answer(
        "synth", clinic, "--recipe", "toolspace", *OPTIONS, *FIELDS, "--home", home, "--out", out
    )
    raw = clinic.read_bytes()
    everything = kept(home, out) + json.dumps(told).encode()
    for value in (b"person1@example.org", b"person7@", b"Ada Holm", b"Bo Lind"):
        assert value in raw
        assert value not in everything
    assert b"a-long-secret" not in everything
    assert told["sources"][0]["name"] == "clinic.jsonl"


def test_the_key_decides_the_pseudonyms(clinic: Path) -> None:
    def read(key: str) -> list[tuple[str, bytes]]:
        return read_sources([clinic], "toolspace", Disguise(("email", "name"), key.encode()))

    assert read("one") == read("one") != read("two")
    assert read("") == read("") != read("one")


def test_a_field_that_is_not_there_is_refused_before_a_run(clinic: Path, tmp_path: Path) -> None:
    options = ["--pseudonymise", "e_mail", "--home", tmp_path / "home"]
    refused = envwright("synth", clinic, "--recipe", "toolspace", *options)
    assert refused.exit_code == 2
    assert "no source has a field 'e_mail'" in refused.stderr
    assert not (tmp_path / "home").exists()
