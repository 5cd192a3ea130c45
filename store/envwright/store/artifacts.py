"""Artifacts: content-addressed bytes in a local folder, or behind any fsspec URL."""

import importlib
import os
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

from envwright.events import digest_bytes
from envwright.events.errors import (
    ArtifactCorruptError,
    ArtifactMissingError,
    InfrastructureError,
    MissingExtraError,
)
from envwright.events.ports import ArtifactStore
from envwright.events.values import ArtifactRef

_DIGEST = re.compile(r"[0-9a-f]{64}")


def open_artifacts(location: str | Path) -> ArtifactStore:
    """Open the artifact store at a folder, or at an fsspec URL such as `s3://bucket/folder`.

    Raises:
        MissingExtraError: a URL was given and fsspec is not installed.
        InfrastructureError: the place cannot be used.
    """
    if isinstance(location, Path) or "://" not in location:
        return FolderArtifacts(Path(location))
    try:
        fsspec = importlib.import_module("fsspec.core")
    except ImportError as error:
        raise MissingExtraError(
            f"artifacts at {location!r} need fsspec: pip install fsspec"
        ) from error
    try:
        filesystem, root = fsspec.url_to_fs(location)
    except (ImportError, ValueError) as error:
        raise InfrastructureError(f"artifacts at {location!r} cannot be opened: {error}") from error
    return FsspecArtifacts(filesystem, root)


class FolderArtifacts:
    """Artifacts in a local folder, fanned out by the first byte of their digest.

    ```
    <root>/
    ├── 3f/
    │   └── 9a…   62 hex digits: the rest of the sha256 of the file's bytes
    └── incoming/ files that are being written; what a crash leaves here is garbage
    ```
    """

    def __init__(self, root: Path) -> None:
        self._root = root
        self._incoming = root / "incoming"
        self._numbers = count()
        # Kept by this process, or seen and made durable by it: a file that another process has
        # renamed a moment ago may not survive a power cut yet.
        self._durable: set[str] = set()

    def put(self, data: bytes, media_type: str = "application/octet-stream") -> ArtifactRef:
        """Keep `data` durably; the same bytes are kept once."""
        reference = ArtifactRef(digest=digest_bytes(data), size=len(data), media_type=media_type)
        place = self._place(reference.digest)
        if reference.digest in self._durable and place.exists():
            return reference
        with _explained(self._root):
            if not place.exists() or place.stat().st_size != len(data):
                self._write(place, data)
            _sync_folder(place.parent)
            _sync_folder(self._root)
        self._durable.add(reference.digest)
        return reference

    def get(self, digest: str) -> bytes:
        """Return the bytes."""
        _check_name(digest)
        try:
            with _explained(self._root):
                data = self._place(digest).read_bytes()
        except FileNotFoundError:
            raise _missing(digest, str(self._root)) from None
        return _checked(data, digest)

    def has(self, digest: str) -> bool:
        """Say whether something is kept under `digest`."""
        return _DIGEST.fullmatch(digest) is not None and self._place(digest).is_file()

    def _place(self, digest: str) -> Path:
        return self._root / digest[:2] / digest[2:]

    def _write(self, place: Path, data: bytes) -> None:
        if not self._incoming.is_dir():
            self._incoming.mkdir(parents=True, exist_ok=True)
            _sync_folder(self._root.parent)
        place.parent.mkdir(exist_ok=True)
        name = f"{os.getpid()}-{threading.get_ident()}-{next(self._numbers)}"
        temporary = self._incoming / name
        try:
            with temporary.open("wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(place)
        finally:
            temporary.unlink(missing_ok=True)


class FsspecArtifacts:
    """Artifacts in any file system that fsspec knows."""

    def __init__(self, filesystem: Any, root: str) -> None:
        """Take an `fsspec.AbstractFileSystem` and a folder in it."""
        self.filesystem = filesystem
        self.root = root.rstrip("/")

    def put(self, data: bytes, media_type: str = "application/octet-stream") -> ArtifactRef:
        """Keep `data`; the same bytes are kept once."""
        reference = ArtifactRef(digest=digest_bytes(data), size=len(data), media_type=media_type)
        place = self._place(reference.digest)
        with _explained(self.root):
            # A size that differs is what an interrupted upload left.
            if self._size(place) != len(data):
                self.filesystem.makedirs(place.rpartition("/")[0], exist_ok=True)
                self.filesystem.pipe_file(place, data)
        return reference

    def get(self, digest: str) -> bytes:
        """Return the bytes."""
        _check_name(digest)
        try:
            with _explained(self.root):
                data = self.filesystem.cat_file(self._place(digest))
        except FileNotFoundError:
            raise _missing(digest, self.root) from None
        return _checked(data, digest)

    def has(self, digest: str) -> bool:
        """Say whether something is kept under `digest`."""
        if _DIGEST.fullmatch(digest) is None:
            return False
        with _explained(self.root):
            return bool(self.filesystem.exists(self._place(digest)))

    def _place(self, digest: str) -> str:
        return f"{self.root}/{digest[:2]}/{digest[2:]}"

    def _size(self, place: str) -> int | None:
        try:
            return int(self.filesystem.size(place))
        except FileNotFoundError:
            return None


@contextmanager
def _explained(root: Path | str) -> Iterator[None]:
    """Turn a file system's errors into ours; a missing file stays what it is."""
    try:
        yield
    except FileNotFoundError:
        raise
    except OSError as error:
        raise InfrastructureError(
            f"the artifact store at {root} failed: {error}; check its permissions and free space"
        ) from error


def _check_name(digest: str) -> None:
    if _DIGEST.fullmatch(digest) is None:
        raise ArtifactMissingError(f"{digest!r:.80} is no sha256 of 64 hex digits")


def _missing(digest: str, root: str) -> ArtifactMissingError:
    return ArtifactMissingError(
        f"artifact {digest} is not in {root}; it was deleted, or this is not the run's store"
    )


def _checked(data: bytes, digest: str) -> bytes:
    actual = digest_bytes(data)
    if actual != digest:
        raise ArtifactCorruptError(
            f"artifact {digest} holds bytes that hash to {actual}; restore it from a copy"
        )
    return data


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
