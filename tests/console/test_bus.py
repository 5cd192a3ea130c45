"""The option `--bus`: which broker a command uses, and where its password is not seen."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from envwright.console.bus import bus_url, is_bus_given, relaying, with_bus
from envwright.console.home import at_home, new_or_known_home
from support.command_line import envwright

URL = "kafka://host:9092/mine?sasl_plain_username=me&sasl_plain_password=secret"


def test_the_option_wins_over_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ENVWRIGHT_BUS", "kafka://host/usual")
    seen: list[tuple[str, bool, str]] = []

    def command() -> None:
        seen.append((bus_url().get_secret_value(), is_bus_given(), at_home(Path("h"))))

    taking = with_bus(command, relays=True)
    taking(bus=URL)
    taking()
    assert seen == [
        (URL, True, " --home h --bus kafka://host:9092/mine"),
        ("kafka://host/usual", False, " --home h"),
    ]


@pytest.mark.parametrize("name", ["synth", "resume", "fork", "solve", "worker", "relay"])
def test_every_command_that_works_takes_it(name: str) -> None:
    text = envwright(name, "--help").stdout
    assert "--bus" in text
    assert ("--no-relay" in text) == (name not in ("worker", "relay"))


def test_what_only_looks_needs_no_broker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ENVWRIGHT_BUS", "kafka://127.0.0.1:9/nowhere")
    (tmp_path / "home").mkdir()
    result = envwright("runs", "--home", tmp_path / "home", "--json")
    assert result.exit_code == 0 and "broker" not in result.stderr


@pytest.mark.parametrize("url", ["amqp://host", "kafka://", "kafka://host/a b"])
def test_a_wrong_url_is_exit_2(tmp_path: Path, url: str) -> None:
    result = envwright("worker", "--home", tmp_path / "home", "--bus", url)
    assert result.exit_code == 2, result.stderr


def test_without_a_broker_nothing_is_carried(tmp_path: Path) -> None:
    with new_or_known_home(tmp_path / "home") as runtime, relaying(runtime):
        assert runtime.truth is runtime.bus


def test_the_list_of_processes_does_not_show_the_password() -> None:
    code = (
        "import sys; from envwright.console.store import hide_password; hide_password(sys.argv[1]);"
        "print(open('/proc/self/cmdline').read().split(chr(0))[-2])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, URL], capture_output=True, text=True, env={**os.environ}
    )
    assert done.stdout.strip() == URL.replace("secret", "******"), json.dumps(done.stderr)
