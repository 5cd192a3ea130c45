"""The command line in this process, and one finished run in a home, for tests of the console."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from typer.testing import CliRunner, Result

from envwright.agents import Runtime, RuntimeConfig, open_runtime
from envwright.console.main import app


def envwright(*arguments: object) -> Result:
    """Run a command and return how it ended, with standard output and error apart."""
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def answer(*arguments: object) -> dict[str, Any]:
    """Run a command with --json that must succeed and return its object."""
    result = envwright(*arguments, "--json")
    assert result.exit_code == 0, result.stderr
    return dict(json.loads(result.stdout))


@dataclass(frozen=True)
class Finished:
    """A run of the desk recipe that has ended, in a home of its own."""

    home: Path
    report: dict[str, Any] = field(repr=False)
    stderr: str = field(repr=False)

    @property
    def run(self) -> str:
        """Id of the run."""
        return str(self.report["run"])

    @property
    def package(self) -> str:
        """Id of its first admitted package."""
        return str(self.report["packages"][0]["id"])

    @contextmanager
    def runtime(self) -> Iterator[Runtime]:
        """Open the home."""
        runtime = open_runtime(RuntimeConfig(home=self.home, checkpoints=False))
        try:
            yield runtime
        finally:
            runtime.close()
