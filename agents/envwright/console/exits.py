"""Exit codes, and how every error of a command becomes a message and one of them."""

import os
import sys
from enum import IntEnum
from typing import Any

import typer
from typer.core import TyperGroup

from envwright.console.settings import load_settings
from envwright.console.terminal import notice, prepare, print_json
from envwright.events.errors import (
    ArtifactError,
    BadInputError,
    EnvwrightError,
    IntegrityError,
    UnknownSchemaError,
)

_JSON_FLAG = "--json"


class Exit(IntEnum):
    """What an exit code says."""

    DONE = 0
    CHECK_FAILED = 1
    BAD_INPUT = 2
    INFRASTRUCTURE = 3
    INTERRUPTED = 130


def exit_code(error: Exception) -> Exit:
    """Return the exit code that stands for an error."""
    if isinstance(error, BadInputError):
        return Exit.BAD_INPUT
    if isinstance(error, IntegrityError | ArtifactError | UnknownSchemaError):
        return Exit.CHECK_FAILED
    return Exit.INFRASTRUCTURE


class CommandGroup(TyperGroup):
    """The command tree; errors end as a message on standard error, never as a traceback."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Note whether the command was asked for JSON before its own options are parsed."""
        ctx.obj = _JSON_FLAG in args
        return super().parse_args(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        """Run the command."""
        debug = False
        try:
            debug = load_settings().debug
            prepare(debug)
            return super().invoke(ctx)
        except BrokenPipeError:
            # The reader has seen enough; a later flush at exit must not complain again.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise typer.Exit(Exit.DONE) from None
        except EnvwrightError as error:
            if debug:
                raise
            raise _ended(str(error), exit_code(error), as_json=ctx.obj) from None
        except Exception as error:
            message = getattr(error, "format_message", None)
            if message is not None and ctx.obj:
                print_json({"error": message()})
            if message is not None or debug or isinstance(error, typer.Exit | typer.Abort):
                raise  # Typer's own: wrong usage, exit and abort.
            text = f"{type(error).__name__}: {error}; ENVWRIGHT_DEBUG=1 shows where"
            raise _ended(text, Exit.INFRASTRUCTURE, as_json=ctx.obj) from None


def _ended(message: str, code: Exit, *, as_json: bool) -> typer.Exit:
    notice(f"error: {message}")
    if as_json:
        print_json({"error": message})
    return typer.Exit(code)
