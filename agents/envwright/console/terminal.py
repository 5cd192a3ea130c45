"""The terminal: standard output for results, standard error for progress and everything else."""

import json
import logging
import shutil
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import TextIO

from rich.console import Console, RenderableType
from rich.logging import RichHandler

from envwright.events.canonical import Json

_PLAIN_WIDTH = 120
"""Columns where no terminal and no COLUMNS tells how many there are."""


@cache
def results() -> Console:
    """Return the console of standard output."""
    return Console(highlight=False, width=_width(sys.stdout))


@cache
def notices() -> Console:
    """Return the console of standard error."""
    return Console(stderr=True, highlight=False, width=_width(sys.stderr))


def _width(stream: TextIO) -> int | None:
    return None if stream.isatty() else shutil.get_terminal_size((_PLAIN_WIDTH, 0)).columns


def print_page(*parts: RenderableType) -> None:
    """Print a page for people on standard output."""
    if results().is_terminal:
        _draw(parts)
        return
    with results().capture() as capture:
        _draw(parts)
    # Tables are padded to their width, which helps no one who reads a file or a pipe.
    sys.stdout.writelines(line.rstrip() + "\n" for line in capture.get().splitlines())


def _draw(parts: Sequence[RenderableType]) -> None:
    for part in parts:
        results().print(part, crop=False)


def print_json(value: Json) -> None:
    """Print one JSON object on standard output."""
    sys.stdout.write(json.dumps(value, indent=2) + "\n")


def notice(text: str) -> None:
    """Say something on standard error, as it is."""
    notices().print(text, markup=False, soft_wrap=True)


@contextmanager
def measuring(what: str) -> Iterator[Callable[[int, int], None]]:
    """Show how much of how much is done, and how fast, on a terminal's standard error.

    Elsewhere it is silent.
    """
    started = time.monotonic()

    def show(done: int, total: int) -> None:
        rate = done / max(time.monotonic() - started, 1e-6)
        status.update(f"{done} of {total} {what}, {rate:.1f}/s")

    with notices().status(f"0 {what}") as status:
        yield show


def prepare(debug: bool) -> None:
    """Send warnings to standard error, and let no character that a stream lacks stop a command."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")
    # It logs each refused connection as an error; what matters we say ourselves.
    logging.getLogger("kafka").setLevel(logging.CRITICAL)
    logger = logging.getLogger("envwright")
    logger.setLevel(logging.INFO if debug else logging.WARNING)
    logger.propagate = False
    logger.handlers = [_handler(debug)]


def _handler(debug: bool) -> logging.Handler:
    handler = RichHandler(console=notices(), show_path=False, show_time=False, markup=False)
    handler.setFormatter(logging.Formatter("%(message)s") if debug else _OneLine("%(message)s"))
    return handler


class _OneLine(logging.Formatter):
    """Says what went wrong without the traceback, which is for those who set ENVWRIGHT_DEBUG."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the message and, of an exception, its kind and text."""
        message = record.getMessage()
        error = record.exc_info[1] if record.exc_info else None
        return f"{message}: {type(error).__name__}: {error}" if error else message
