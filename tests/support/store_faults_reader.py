"""Readers that follow a log by position in a process of their own and note what they saw."""

import hashlib
import json
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from envwright.events import Envelope
from support.store_faults import LogCheck, Place, order_line, processes

PATIENCE = 60.0
"""Seconds without a new event after which a reader that has not seen the last one gives up."""

_PAUSE = 0.002


@dataclass
class Seen:
    """What a reader saw."""

    events: int = 0
    doubled: int = 0
    disordered: int = 0
    """Events that did not follow the one before by position, gaps and steps back alike."""
    last: int = 0
    order: str = ""
    """Digest of the positions and ids in the order in which they came."""


@dataclass
class Follower:
    """Takes events as they come."""

    seen: Seen = field(default_factory=Seen)
    _ids: set[str] = field(default_factory=set)
    _order: Any = field(default_factory=hashlib.sha256)

    def take(self, event: Envelope) -> None:
        """Note one event."""
        seen = self.seen
        seen.doubled += event.id in self._ids
        seen.events += event.id not in self._ids
        seen.disordered += event.position != seen.last + 1
        self._ids.add(event.id)
        self._order.update(order_line(event))
        seen.last = event.position
        seen.order = self._order.hexdigest()


def follow(place: Place, stop: Path, report: Path) -> None:
    """Read all that comes until the position that the file `stop` names, and report."""
    log, follower = place.open(), Follower()
    moved = time.monotonic()
    while True:
        before = follower.seen.last
        for event in log.read_all(after=before):
            follower.take(event)
        if follower.seen.last != before:
            moved = time.monotonic()
            continue
        if stop.exists():
            end = int(stop.read_text("ascii"))
            if follower.seen.last >= end or time.monotonic() - moved > PATIENCE:
                break
        time.sleep(_PAUSE)
    report.write_text(json.dumps(asdict(follower.seen)))
    log.close()


class ReaderProcess:
    """A reader in a process of its own."""

    def __init__(self, place: Place, name: str) -> None:
        self._stop, self._report = (place.folder / f"{name}.{what}" for what in ("stop", "seen"))
        arguments = (place, self._stop, self._report)
        self._process = processes().Process(target=follow, args=arguments, daemon=True)
        self._process.start()

    def seen(self, head: int) -> Seen:
        """Let it read up to a position and return what it saw."""
        part = self._stop.with_suffix(".part")
        part.write_text(str(head))
        part.rename(self._stop)
        self._process.join(10 * PATIENCE)
        assert self._process.exitcode == 0, f"a reader has failed: {self._process.exitcode}"
        return Seen(**json.loads(self._report.read_text()))


def compare(seen: Seen, truth: LogCheck) -> list[str]:
    """Return how what a reader saw differs from what a log holds."""
    problems = []
    if missed := len(truth.found) - seen.events:
        problems.append(f"a reader missed {missed} of {len(truth.found)} events")
    if seen.doubled:
        problems.append(f"a reader saw {seen.doubled} events twice")
    if seen.disordered:
        problems.append(f"a reader saw {seen.disordered} events out of order")
    if not problems and seen.order != truth.order:
        problems.append("a reader saw other events than the log holds")
    return problems
