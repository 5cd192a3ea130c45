"""The option `--store`: which log a command works on, and where its password is not seen."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from envwright.console.home import at_home, known_home
from envwright.console.store import is_given, store_url, with_store
from envwright.events.errors import BadInputError
from support.command_line import envwright
from support.postgres_server import PASSWORD

URL = "postgresql://me:secret@127.0.0.1:1/log"


def test_the_option_wins_over_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ENVWRIGHT_STORE", "postgresql://host/usual")
    seen: list[tuple[str, bool, str]] = []

    def command(home: Path | None = None) -> None:
        seen.append((store_url().get_secret_value(), is_given(), at_home(Path("h"))))

    taking = with_store(command)
    taking(home=None, store=URL)
    taking(home=None)
    assert seen == [
        (URL, True, " --home h --store postgresql://me@127.0.0.1:1/log"),
        ("postgresql://host/usual", False, " --home h"),
    ]


def test_a_command_without_a_home_has_no_store() -> None:
    def command() -> None: ...

    assert with_store(command) is command


@pytest.mark.parametrize(
    "name", ["synth", "resume", "pause", "runs", "show", "events", "replay", "solve", "doctor"]
)
def test_every_command_of_a_log_takes_it(name: str) -> None:
    assert "--store" in envwright(name, "--help").stdout


def test_a_server_that_cannot_be_reached_is_exit_3_without_the_password(tmp_path: Path) -> None:
    result = envwright("runs", "--home", tmp_path / "home", "--store", URL, "--json")
    assert result.exit_code == 3
    assert "me@127.0.0.1:1/log cannot be reached" in result.stderr
    assert "secret" not in result.stdout + result.stderr


@pytest.mark.parametrize(
    ("url", "words"),
    [("mysql://me:secret@host/log", "not known"), ("postgresql://me:secret@host", "no database")],
)
def test_a_wrong_url_is_exit_2_without_the_password(tmp_path: Path, url: str, words: str) -> None:
    result = envwright("runs", "--home", tmp_path / "home", "--store", url)
    assert result.exit_code == 2 and words in result.stderr
    assert "secret" not in result.stdout + result.stderr


def test_a_home_is_made_for_a_log_that_is_elsewhere(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match="no home at"), known_home(tmp_path / "home"):
        pass


@pytest.mark.postgres
def test_it_lists_the_runs_of_a_server_from_an_empty_folder(
    tmp_path: Path, postgres_url: str
) -> None:
    result = envwright("runs", "--home", tmp_path / "home", "--store", postgres_url, "--json")
    assert result.exit_code == 0, result.stderr
    assert json.loads(result.stdout)["runs"] == []
    assert not (tmp_path / "home" / "log.sqlite").exists()


@pytest.mark.postgres
def test_doctor_tries_the_database_by_doing(postgres_url: str) -> None:
    def found(url: str) -> dict[str, object]:
        result = envwright("doctor", "--store", url, "--json")
        assert PASSWORD not in result.stdout + result.stderr
        findings = json.loads(result.stdout)["findings"]
        return next(each for each in findings if each["name"] == "database")

    assert found(postgres_url)["ok"] is True
    wrong = found(postgres_url.replace(PASSWORD, "wrong-word"))
    assert wrong["ok"] is False and "PGPASSWORD" in str(wrong["found"])


@pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="needs /proc")
def test_a_password_that_was_typed_is_blotted_out_of_the_command_line() -> None:
    code = (
        "import sys; from envwright.console.store import hide_password; hide_password(sys.argv[2]);"
        "print(open('/proc/self/cmdline').read().replace(chr(0), ' '))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "--store", URL, "tail"],
        capture_output=True,
        text=True,
        check=True,
        env=dict(os.environ),
    )
    assert "--store postgresql://me:******@127.0.0.1:1/log tail" in done.stdout
