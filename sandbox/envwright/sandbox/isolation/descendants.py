"""Descendants: finds what a job started by a mark in its environment, and kills it."""

import contextlib
import os
import signal
from pathlib import Path

_PROC = Path("/proc")
_ROUNDS = 20


def kill_group(group: int) -> None:
    """Kill a process group; one that is gone is fine."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)


def kill_marked(name: str, value: str) -> int:
    """Kill every process whose environment holds `name=value`; return how many were found.

    A process keeps its environment when it leaves its session, so this finds what a process group
    loses. It goes on until a pass finds nothing, since a process may fork while it is looked for.
    Where there is no /proc it finds nothing.
    """
    found: set[int] = set()
    for _ in range(_ROUNDS):
        alive = _marked(f"{name}={value}".encode())
        if not alive:
            break
        for process in alive:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(process, signal.SIGKILL)
        found |= alive
    return len(found)


def _marked(mark: bytes) -> set[int]:
    if not _PROC.is_dir():
        return set()
    own = os.getpid()
    return {
        int(entry)
        for entry in os.listdir(_PROC)
        if entry.isdigit() and int(entry) != own and mark in _environment(entry)
    }


def _environment(process: str) -> list[bytes]:
    # Gone, a zombie (whose environment is empty) or another user's: none of ours to kill.
    try:
        return (_PROC / process / "environ").read_bytes().split(b"\0")
    except OSError:
        return []
