"""Anchors: copies of signed checkpoints outside of the home, one JSON line each, only added to."""

import fcntl
import importlib
import json
import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from envwright.events.errors import BadInputError, InfrastructureError, MissingExtraError
from envwright.store.sealing.verify import Record


@dataclass(frozen=True)
class Found:
    """One line of anchors."""

    line: int
    record: Record | None
    """None where the line is no JSON object."""


class Anchors(Protocol):
    """A place where checkpoints are kept out of reach of whoever can change the log."""

    location: str

    def read(self) -> list[Found]:
        """Return all lines, oldest first; none where the place does not exist yet.

        Raises:
            InfrastructureError: the place cannot be reached.
        """

    def add(self, checkpoints: Iterable[Record]) -> None:
        """Add those checkpoints that are newer than what is there, durably.

        Raises:
            InfrastructureError: the place cannot be reached or written.
        """


def default_anchors(home_id: str) -> Path:
    """Return where anchors go unless a user says otherwise: a file under `$XDG_STATE_HOME`."""
    state = Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state")
    return state / "envwright" / "anchors" / home_id


def open_anchors(location: str, home_id: str) -> Anchors:
    """Open anchors at a file, a folder (one file for each log) or an fsspec URL; "" is the default.

    Raises:
        MissingExtraError: a URL was given and fsspec is not installed.
        BadInputError: the URL means nothing to fsspec.
    """
    if not location:
        return FileAnchors(default_anchors(home_id))
    if "://" in location:
        place = f"{location}{home_id}" if location.endswith("/") else location
        return _remote(place)
    path = Path(location)
    return FileAnchors(path / home_id if location.endswith("/") or path.is_dir() else path)


def _remote(location: str) -> "RemoteAnchors":
    try:
        fsspec = importlib.import_module("fsspec.core")
    except ImportError as error:
        raise MissingExtraError(f"anchors at {location!r} need: pip install fsspec") from error
    try:
        filesystem, path = fsspec.url_to_fs(location)
    except (ImportError, ValueError) as error:
        raise BadInputError(f"anchors at {location!r} cannot be opened: {error}") from error
    return RemoteAnchors(location, filesystem, path)


class FileAnchors:
    """Anchors in a local file, which processes add to one after the other."""

    def __init__(self, path: Path) -> None:
        self.location = str(path)
        self._path = path

    def read(self) -> list[Found]:
        """Return all lines."""
        try:
            return _parsed(self._path.read_bytes())
        except FileNotFoundError:
            return []
        except OSError as error:
            raise _unreachable(self.location, error) from error

    def add(self, checkpoints: Iterable[Record]) -> None:
        """Add what is newer, under a lock."""
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with self._path.open("ab") as file:
                fcntl.flock(file, fcntl.LOCK_EX)
                lines = _lines(checkpoints, self._path.read_bytes())
                if lines:
                    file.write(lines)
                    file.flush()
                    os.fsync(file.fileno())
        except OSError as error:
            raise _unreachable(self.location, error) from error


class RemoteAnchors:
    """Anchors in any file system that fsspec knows and that can add to a file."""

    def __init__(self, location: str, filesystem: Any, path: str) -> None:
        self.location = location
        self._filesystem = filesystem
        self._path = path

    def read(self) -> list[Found]:
        """Return all lines."""
        return _parsed(self._content())

    def add(self, checkpoints: Iterable[Record]) -> None:
        """Add what is newer; two that add at once may each add a line, which harms nothing."""
        lines = _lines(checkpoints, self._content())
        if not lines:
            return
        try:
            self._filesystem.makedirs(self._path.rpartition("/")[0], exist_ok=True)
            with self._filesystem.open(self._path, "ab") as file:
                file.write(lines)
        # Each file system fails in its own way, and none of them may stop a run.
        except Exception as error:
            raise _unreachable(self.location, error) from error

    def _content(self) -> bytes:
        try:
            return bytes(self._filesystem.cat_file(self._path))
        except FileNotFoundError:
            return b""
        except Exception as error:
            raise _unreachable(self.location, error) from error


def _parsed(content: bytes) -> list[Found]:
    return [
        Found(number, _record(line))
        for number, line in enumerate(content.splitlines(), start=1)
        if line.strip()
    ]


def _record(line: bytes) -> Record | None:
    try:
        record = json.loads(line)
    except ValueError:
        return None
    return record if isinstance(record, dict) else None


def _lines(checkpoints: Iterable[Record], content: bytes) -> bytes:
    """Return the lines to add; a line that a crash cut off is ended first."""
    known = [found.record for found in _parsed(content) if found.record is not None]
    seen = [(record.get("home"), record.get("number")) for record in known]
    newest = {home: max(_number(n) for of, n in seen if of == home) for home, _ in seen}
    added = [
        json.dumps(dict(record), sort_keys=True, separators=(",", ":")).encode("ascii") + b"\n"
        for record in checkpoints
        if record["number"] > newest.get(record["home"], 0)
    ]
    torn = content and not content.endswith(b"\n")
    return (b"\n" if torn and added else b"") + b"".join(added)


def _number(value: Any) -> int:
    return value if isinstance(value, int) else 0


def _unreachable(location: str, error: Exception) -> InfrastructureError:
    return InfrastructureError(
        f"anchors at {location} cannot be reached: {error}; name another place with --anchors or "
        "ENVWRIGHT_ANCHORS"
    )
