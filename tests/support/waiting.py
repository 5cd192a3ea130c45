"""Waiting for what comes, not for time: a busy machine is slow and a test must not mind."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

Seen = TypeVar("Seen")

PATIENCE = 100.0
"""Seconds until a test gives up."""


def waited(look: Callable[[], Seen], enough: Callable[[Seen], object] = bool) -> Seen:
    """Look again and again until it is enough; return what was seen last."""
    deadline = time.monotonic() + PATIENCE
    while not enough(seen := look()):
        assert time.monotonic() < deadline, f"still {seen!r} after {PATIENCE:g} s"
        time.sleep(0.02)
    return seen


def alive(pid: int) -> bool:
    """Say whether a process runs; one that nobody has waited for does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
