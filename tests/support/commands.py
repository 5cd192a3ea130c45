"""Commands in processes of their own that know the desk recipe, to be stopped and killed."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from envwright.agents.context import Context
from envwright.agents.handlers import Handler
from support.desk_recipe import install
from support.desk_worker import TESTS, employ, path
from support.waiting import PATIENCE, waited


class Command:
    """A command that runs until it ends or is ended."""

    def __init__(self, folder: Path, *arguments: object, **environment: str) -> None:
        self._out = folder / f"command-{time.monotonic_ns()}"
        with self._out.with_suffix(".out").open("w") as out, self.errors.open("w") as errors:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "support.commands", *map(str, arguments)],
                cwd=TESTS,
                env={**os.environ, "PYTHONPATH": path(), **environment},
                stdout=out,
                stderr=errors,
            )

    @property
    def errors(self) -> Path:
        """Where standard error goes."""
        return self._out.with_suffix(".err")

    @property
    def said(self) -> str:
        """What it has said on standard error so far."""
        return self.errors.read_text(encoding="utf-8")

    def await_word(self, word: str) -> str:
        """Wait until it has said something; return all that it said."""
        return waited(lambda: self.said, lambda said: word in said or self.ended)

    @property
    def ended(self) -> bool:
        """Whether it has ended."""
        return self.process.poll() is not None

    def stop(self, how: signal.Signals = signal.SIGTERM) -> int:
        """Send a signal and wait for the end; return the exit code."""
        if not self.ended:
            self.process.send_signal(how)
        return self.process.wait(PATIENCE)

    def finish(self) -> dict[str, Any]:
        """Wait for the end and return the object that it printed."""
        code = self.process.wait(PATIENCE)
        assert code == 0, f"exit code {code}: {self.said[-2000:]}"
        return dict(json.loads(self._out.with_suffix(".out").read_text(encoding="utf-8")))


class Commands:
    """Starts commands in one folder with one environment."""

    def __init__(self, folder: Path, **environment: str) -> None:
        self.folder = folder
        self.environment = environment
        self.started: list[Command] = []

    def start(self, *arguments: object, **environment: str) -> Command:
        """Start a command."""
        self.started.append(Command(self.folder, *arguments, **self.environment, **environment))
        return self.started[-1]

    def close(self) -> None:
        """Kill what still runs."""
        for command in self.started:
            command.stop(signal.SIGKILL)


@contextmanager
def commands(folder: Path, **environment: str) -> Iterator[Commands]:
    """Yield what starts commands; none outlives the block."""
    found = Commands(folder, **environment)
    try:
        yield found
    finally:
        found.close()


def _poisoned(role: str, handle: Callable[..., None]) -> Callable[..., None]:
    """Return a handler that always fails for a role."""

    def fail(self: Handler, ctx: Context) -> None:
        if ctx.delivery.role == role:
            raise ZeroDivisionError(f"the {role} is ill")
        handle(self, ctx)

    return fail


def main() -> None:
    """Run the command line with the desk recipe."""
    from envwright.console.main import run

    patch = pytest.MonkeyPatch()
    install(patch)
    ill = os.environ.get("TEST_POISONED_ROLE")
    if ill:
        patch.setattr(Handler, "handle", _poisoned(ill, Handler.handle))
    employ(patch)
    run()


if __name__ == "__main__":
    main()
