"""The `eventsourcing` library in a virtual environment of its own, to be measured and tried."""

import hashlib
import json
import os
import subprocess
import sys
import tomllib
import venv
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from filelock import FileLock

from support.rooms import ROOT

GROUP = "bench"
"""The dependency group of pyproject.toml that is installed there."""

_PROGRAM = ROOT / "tests" / "support" / "store_faults_library_process.py"


class LibraryMissingError(Exception):
    """The library is not installed and cannot be."""


def environment() -> Path:
    """Return the Python of the environment, making it where it is missing.

    Raises:
        LibraryMissingError: it cannot be made or filled.
    """
    wanted: list[str] = tomllib.loads((ROOT / "pyproject.toml").read_text())["dependency-groups"][
        GROUP
    ]
    mark = hashlib.sha256(f"{sys.version} {wanted}".encode()).hexdigest()[:12]
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "envwright"
    folder = cache / f"{GROUP}-{mark}"
    python, complete = folder / "bin" / "python", folder / "complete"
    cache.mkdir(parents=True, exist_ok=True)
    with FileLock(f"{folder}.lock"):
        if not complete.exists():
            try:
                venv.create(folder, with_pip=True, clear=True)
                _run(python, "-m", "pip", "install", "--quiet", *wanted)
            except (OSError, subprocess.CalledProcessError) as error:
                said = getattr(error, "stderr", "") or str(error)
                raise LibraryMissingError(f"no {wanted[0]}: {said.strip()[-200:]}") from error
            complete.touch()
    return python


class Library:
    """A process that does with the library what it is told."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process

    def ask(self, do: str, place: str, **arguments: Any) -> Any:
        """Send one request and return its answer."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(json.dumps({"do": do, "place": place, **arguments}) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        assert line, "the library's process has failed"
        return json.loads(line)


@contextmanager
def library() -> Iterator[Library]:
    """Yield the library.

    Raises:
        LibraryMissingError: it cannot be installed.
    """
    process = subprocess.Popen(
        [str(environment()), str(_PROGRAM)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={name: value for name, value in os.environ.items() if name != "PYTHONPATH"},
    )
    try:
        yield Library(process)
    finally:
        assert process.stdin is not None and process.stdout is not None
        process.stdin.close()
        process.wait()
        process.stdout.close()


def _run(*command: object) -> None:
    subprocess.run([*map(str, command)], check=True, capture_output=True, text=True)
