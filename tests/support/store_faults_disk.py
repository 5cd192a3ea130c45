"""Disks that are too small, and files that may only be read, for real."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

BALLAST = "ballast"


class Disk:
    """A small file system of its own, in memory."""

    def __init__(self, folder: Path, size: int) -> None:
        self.folder = folder
        self.size = size

    def fill(self, free: int) -> None:
        """Take all but so many bytes of what is free."""
        room = os.statvfs(self.folder)
        with (self.folder / BALLAST).open("wb") as ballast:
            os.posix_fallocate(ballast.fileno(), 0, room.f_bavail * room.f_frsize - free)

    def relieve(self) -> None:
        """Give back what was taken."""
        (self.folder / BALLAST).unlink()

    def allow_writing(self, allowed: bool) -> None:
        """Let the file system be written, or only read; nobody may have a file open for writing."""
        _run("mount", "-o", f"remount,{'rw' if allowed else 'ro'}", str(self.folder))


@contextmanager
def small_disk(folder: Path, megabytes: int) -> Iterator[Disk | None]:
    """Mount a small file system at a folder; yields None where that is not allowed."""
    folder.mkdir(parents=True, exist_ok=True)
    size = f"size={megabytes}m"
    try:
        _run("mount", "-t", "tmpfs", "-o", size, "tmpfs", str(folder))
    except (OSError, subprocess.CalledProcessError):
        yield None
        return
    try:
        yield Disk(folder, megabytes << 20)
    finally:
        # Lazily: a server that was just ended may still have its files open.
        _run("umount", "--lazy", str(folder))


@contextmanager
def read_only(folder: Path, disk: Disk | None) -> Iterator[bool]:
    """Make all in a folder readable only; yields False where nothing could keep us from writing."""
    if disk is not None:
        disk.allow_writing(False)
        try:
            yield True
        finally:
            disk.allow_writing(True)
        return
    if os.geteuid() == 0:  # Permissions do not stop root.
        yield False
        return
    paths = [*folder.rglob("*"), folder]
    modes = {path: path.stat().st_mode for path in paths}
    for path, mode in modes.items():
        path.chmod(mode & ~0o222)
    try:
        yield True
    finally:
        for path in reversed(paths):
            path.chmod(modes[path])


def _run(*command: str) -> None:
    subprocess.run(command, check=True, capture_output=True)
