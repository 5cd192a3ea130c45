"""Errors become a message and an exit code, never a traceback."""

import json
from collections.abc import Callable

import pytest
import typer
from typer.testing import CliRunner, Result

from envwright.console.exits import CommandGroup, Exit, exit_code
from envwright.events.errors import (
    ArtifactCorruptError,
    BadInputError,
    ConcurrencyError,
    InfrastructureError,
    IntegrityError,
    MissingExtraError,
    UnknownSchemaError,
)


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (BadInputError, Exit.BAD_INPUT),
        (IntegrityError, Exit.CHECK_FAILED),
        (ArtifactCorruptError, Exit.CHECK_FAILED),
        (UnknownSchemaError, Exit.CHECK_FAILED),
        (InfrastructureError, Exit.INFRASTRUCTURE),
        (ConcurrencyError, Exit.INFRASTRUCTURE),
        (MissingExtraError, Exit.INFRASTRUCTURE),
    ],
)
def test_each_kind_of_error_has_its_code(error: Callable[[str], Exception], code: Exit) -> None:
    assert exit_code(error("x")) is code


def ending_in(error: BaseException, *arguments: str) -> Result:
    """Run a command that ends in an error."""
    app = typer.Typer(cls=CommandGroup)

    @app.command()
    def fail(as_json: bool = typer.Option(False, "--json")) -> None:
        raise error

    @app.callback()
    def top() -> None: ...

    return CliRunner().invoke(app, ["fail", *arguments])


def test_an_error_is_a_message_on_standard_error() -> None:
    result = ending_in(BadInputError("no file 'x'; expected a log"))
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == "error: no file 'x'; expected a log\n"


def test_an_error_is_an_object_where_json_was_asked_for() -> None:
    result = ending_in(InfrastructureError("disk full"), "--json")
    assert result.exit_code == 3
    assert json.loads(result.stdout) == {"error": "disk full"}


def test_wrong_usage_is_an_object_too_where_json_was_asked_for() -> None:
    result = ending_in(ValueError(), "--json", "--unknown")
    assert result.exit_code == 2
    assert "--unknown" in json.loads(result.stdout)["error"]


def test_a_bug_says_how_to_see_where() -> None:
    result = ending_in(KeyError("x"))
    assert result.exit_code == 3
    assert "KeyError" in result.stderr and "ENVWRIGHT_DEBUG=1" in result.stderr
    assert "Traceback" not in result.stderr


def test_debugging_lets_errors_through(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ENVWRIGHT_DEBUG", "1")
    assert isinstance(ending_in(KeyError("x")).exception, KeyError)
    assert isinstance(ending_in(BadInputError("x")).exception, BadInputError)


def test_an_exit_code_of_a_command_is_kept() -> None:
    assert ending_in(typer.Exit(1)).exit_code == 1
    assert ending_in(KeyboardInterrupt()).exit_code == 130
