"""The command tree: what is listed, and that every command explains itself."""

from importlib import metadata

import pytest

from envwright.console.main import flowing
from support.command_line import envwright

COMMANDS = [
    "synth",
    "resume",
    "pause",
    "fork",
    "runs",
    "packages",
    "yields",
    "costs",
    "show",
    "trace",
    "events",
    "replay",
    "solve",
    "recipes",
    "doctor",
    "projections",
    "worker",
    "relay",
]
LATER = ["export", "serve", "console"]


def test_the_help_lists_every_command_and_none_that_is_not_there() -> None:
    text = envwright("--help").stdout
    listed = {line.split()[1] for line in text.splitlines() if line.startswith("│ ")}
    assert set(COMMANDS) <= listed
    assert not set(LATER) & listed


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_of_a_command_teaches_with_an_example(command: str) -> None:
    result = envwright(command, "--help")
    assert result.exit_code == 0
    assert "Example" in result.stdout
    assert f"   envwright {command}" in result.stdout
    assert "--json" in result.stdout


@pytest.mark.parametrize("command", ["list", "show", "replay"])
def test_the_help_of_a_command_about_dead_letters_teaches_too(command: str) -> None:
    result = envwright("dead", command, "--help")
    assert result.exit_code == 0
    assert f"   envwright dead {command}" in result.stdout and "--json" in result.stdout
    assert "--bus" in result.stdout and "--store" in result.stdout


@pytest.mark.parametrize("command", LATER)
def test_a_command_of_a_later_version_is_unknown(command: str) -> None:
    assert envwright(command).exit_code == 2


def test_the_version_is_that_of_the_distribution() -> None:
    assert envwright("--version").stdout == f"envwright {metadata.version('envwright')}\n"


def test_help_flows_but_examples_keep_their_lines() -> None:
    docstring = """One line.

    A paragraph that
    goes on.

    Examples:
      envwright a
      envwright b
    """
    assert flowing(docstring).split("\n\n") == [
        "One line.",
        "A paragraph that goes on.",
        "Examples:\n  envwright a\n  envwright b",
    ]
