"""Folders: package files on disk, read without following links and written whole or not at all."""

import json
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from envwright.events.errors import BadInputError, InfrastructureError
from envwright.sandbox.packages.paths import PROVENANCE, package_path

MAX_BYTES = 128 * 1024 * 1024
"""A package folder above this size is refused."""


def read_files(folder: Path) -> tuple[dict[str, bytes], frozenset[str]]:
    """Return the content files of a package folder and the paths that are executable.

    Raises:
        BadInputError: no folder, a symbolic link or another special file, an unexpected or
            unsafe path, or over 128 MiB; the message names the file.
    """
    if not folder.is_dir():
        raise BadInputError(f"{str(folder)!r} is not a folder; expected a package folder")
    files: dict[str, bytes] = {}
    executable = set()
    size = 0
    for path, entry in _walk(folder):
        if path == PROVENANCE:
            continue
        status = entry.lstat()
        size += status.st_size
        if size > MAX_BYTES:
            raise BadInputError(f"{str(folder)!r} is over {MAX_BYTES} bytes at {path!r}; shrink it")
        files[package_path(path)] = _read(path, entry)
        if status.st_mode & stat.S_IXUSR:
            executable.add(path)
    return files, frozenset(executable)


def write_files(folder: Path, files: Mapping[str, bytes], executable: frozenset[str]) -> None:
    """Write package files into a new folder, JSON indented for people.

    The folder appears whole or not at all: the files are written beside it and moved.

    Raises:
        BadInputError: the folder exists and is not empty, or its parent is no folder.
        InfrastructureError: the disk refused.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise BadInputError(f"{str(folder)!r} exists and is not empty; name another or remove it")
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        draft = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    except OSError as error:
        raise BadInputError(f"cannot make {str(folder)!r}: {error.strerror}") from error
    try:
        for path in sorted(files):
            place = draft / package_path(path)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(readable(path, files[path]))
            place.chmod(0o755 if path in executable else 0o644)
        draft.chmod(0o755)
        draft.replace(folder)
    except OSError as error:
        raise InfrastructureError(f"cannot write {str(folder)!r}: {error}") from error
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def write_beside(folder: Path, name: str, data: bytes) -> None:
    """Put a file that is no content, such as the provenance, into a written folder.

    Raises:
        InfrastructureError: the disk refused.
    """
    draft = folder / f".{name}.draft"
    try:
        draft.write_bytes(readable(name, data))
        draft.replace(folder / name)
    except OSError as error:
        raise InfrastructureError(f"cannot write {name} into {str(folder)!r}: {error}") from error


def readable(path: str, data: bytes) -> bytes:
    """Return a file as a person likes to read it; reading it back gives the canonical form."""
    if not path.endswith(".json"):
        return data
    text = json.dumps(json.loads(data), indent=2, sort_keys=True, ensure_ascii=False)
    # A lone surrogate has no UTF-8 form; its escape is the same JSON.
    return text.encode("utf-8", "backslashreplace") + b"\n"


def _walk(folder: Path) -> Iterator[tuple[str, Path]]:
    """Yield every file below `folder` with its path; links and special files are refused."""
    for entry in sorted(folder.iterdir()):
        mode = entry.lstat().st_mode
        name = entry.name
        if stat.S_ISDIR(mode):
            for path, below in _walk(entry):
                yield f"{name}/{path}", below
        elif stat.S_ISREG(mode):
            yield name, entry
        else:
            kind = "a symbolic link" if stat.S_ISLNK(mode) else "no regular file"
            raise BadInputError(f"{str(entry)!r} is {kind}; a package holds plain files alone")


def _read(path: str, entry: Path) -> bytes:
    """Read one file; a link that took its place since it was listed is refused."""
    try:
        handle = os.open(entry, os.O_RDONLY | os.O_NOFOLLOW)
    except OSError as error:
        raise BadInputError(f"{path}: cannot be read: {error.strerror}") from error
    with os.fdopen(handle, "rb") as file:
        return file.read(MAX_BYTES + 1)
