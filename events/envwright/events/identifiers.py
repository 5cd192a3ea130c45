"""Identifiers: minted ones for runs and events, derived ones for everything else."""

import os
import threading
import time
from uuid import UUID

from envwright.events.canonical import Json, digest

_PREFIXES = {"package": "pkg", "attempt": "att", "work": "wrk", "trial": "trl"}
_lock = threading.Lock()
_last = (0, 0)


def uuid7() -> str:
    """Mint a UUIDv7 (RFC 9562), rising within one process even if the clock steps back."""
    global _last
    with _lock:
        milliseconds, counter = time.time_ns() // 1_000_000, 0
        if milliseconds <= _last[0]:
            milliseconds, counter = _last[0], _last[1] + 1
            if counter > 0xFFF:
                milliseconds, counter = milliseconds + 1, 0
        _last = (milliseconds, counter)
    random = int.from_bytes(os.urandom(8), "big") & 0x3FFF_FFFF_FFFF_FFFF
    return str(UUID(int=milliseconds << 80 | 0x7 << 76 | counter << 64 | 0b10 << 62 | random))


def mint_run_id() -> str:
    """Mint a run id that sorts by time of minting."""
    tail = uuid7().replace("-", "")
    return f"run-{tail[:12]}{tail[-8:]}"


def derive_id(kind: str, *parts: Json) -> str:
    """Derive the id of a package, attempt, trial or work item, so a retry cannot mint a twin."""
    if kind not in _PREFIXES:
        raise ValueError(f"unknown kind of id {kind!r}; known are {', '.join(sorted(_PREFIXES))}")
    return f"{_PREFIXES[kind]}-{digest([kind, *parts])[:24]}"


def work_id(group: str, cause: str) -> str:
    """Derive the id of the work that `group` owes to the event `cause`."""
    return derive_id("work", group, cause)


def content_seed(seed: int, recipe: str, round_number: int, ordinal: int) -> str:
    """Derive the seed of a package's content; no run or package id enters it."""
    return digest(["content", seed, recipe, round_number, ordinal])
