"""Progress: how far a run is, counted from its events, and how it is shown while it goes."""

import time
from collections import Counter
from dataclasses import dataclass, field
from types import TracebackType
from typing import Protocol, Self

from rich.live import Live
from rich.spinner import Spinner
from rich.table import Table
from rich.text import Text

from envwright.agents import Runtime
from envwright.console.terminal import notice, notices
from envwright.events.envelope import Envelope

_LINE_SECONDS = 3.0
"""Time between two plain lines, where no terminal redraws one."""


@dataclass
class StageCounts:
    """How many things of a run have passed each stage; folded, never decided from."""

    requested: int
    """Packages that the run shall admit."""
    seen: Counter[str] = field(default_factory=Counter)
    position: int = 0
    promising: int = 0
    """Candidates that passed everything before admission."""
    gating_attempts: int = 0
    round: int = 0

    def apply(self, envelope: Envelope) -> None:
        """Count one event."""
        self.position = envelope.position
        self.seen[envelope.type] += 1
        if envelope.type == "package.candidate":
            self.promising += bool(envelope.data["ok"])
        elif envelope.type == "round.opened":
            self.round = int(envelope.data["round"])

    def stages(self) -> list[tuple[str, str]]:
        """Return each stage's name and count, in the order of the work."""
        seen = self.seen
        return [
            ("briefs", str(seen["brief.planned"])),
            ("built", str(seen["package.drafted"])),
            ("tested", str(seen["testing.completed"])),
            ("reviewed", str(seen["review.completed"])),
            ("attempts", f"{seen['verdict.reached']}/{seen['attempt.requested']}"),
            ("candidates", str(seen["package.candidate"])),
            ("admitted", f"{seen['package.admitted']}/{self.requested}"),
        ]

    @property
    def phase(self) -> str:
        """What the run is about, in a word or two."""
        if not self.seen["run.started"]:
            return "reading sources"
        return f"round {self.round}" if self.round else "planning"


@dataclass
class Pace:
    """How fast candidates come, and how long the rest may take at that rate."""

    began: float | None = None
    base: int = 0

    def rate(self, counts: StageCounts, now: float) -> float | None:
        """Return candidates per minute since work was first seen; None while nothing tells."""
        candidates = counts.seen["package.candidate"]
        if self.began is None:
            if counts.round:
                self.began, self.base = now, candidates
            return None
        if candidates <= self.base or now <= self.began:
            return None
        return (candidates - self.base) / (now - self.began) * 60

    def seconds_left(self, counts: StageCounts, now: float) -> float | None:
        """Return an estimate from the rate and the share of candidates that are promising."""
        rate = self.rate(counts, now)
        if rate is None or not counts.promising:
            return None
        share = counts.promising / counts.seen["package.candidate"]
        missing = max(0, counts.requested - counts.promising)
        return missing / share / rate * 60


def describe(counts: StageCounts, pace: Pace, now: float) -> str:
    """Return rate and time left as text; empty while nothing is known."""
    rate, left = pace.rate(counts, now), pace.seconds_left(counts, now)
    parts = [] if rate is None else [f"{rate:.1f} candidates/min"]
    if left is not None:
        parts.append(f"about {_span(left)} left" if left >= 1 else "nearly done")
    return ", ".join(parts)


def _span(seconds: float) -> str:
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    return f"{minutes} min {rest} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"


class Screen(Protocol):
    """Where progress is shown."""

    def show(self, counts: StageCounts, pace: Pace) -> None:
        """Show the counts as they are now."""

    def close(self) -> None:
        """Show nothing more."""


class LiveScreen:
    """One redrawn block on a terminal."""

    def __init__(self) -> None:
        self._spinner = Spinner("dots")
        self._live = Live(console=notices(), transient=True, refresh_per_second=8)
        self._live.start()

    def show(self, counts: StageCounts, pace: Pace) -> None:
        """Redraw the block."""
        stages = Text()
        for name, count in counts.stages():
            stages.append(f"{name} ", style="dim").append(f"{count}   ", style="bold")
        block = Table.grid(padding=(0, 1))
        block.add_row(self._spinner, Text(f"{counts.phase}   ") + stages)
        block.add_row("", Text(describe(counts, pace, time.monotonic()), style="dim"))
        self._live.update(block)

    def close(self) -> None:
        """Take the block away."""
        self._live.stop()


class LineScreen:
    """A plain line every few seconds, for logs and pipes."""

    def __init__(self) -> None:
        self._began = time.monotonic()
        self._last = self._began
        self._shown = ""

    def show(self, counts: StageCounts, pace: Pace) -> None:
        """Print a line where the last one is old and something has changed."""
        now = time.monotonic()
        if now - self._last < _LINE_SECONDS:
            return
        stages = "  ".join(f"{name} {count}" for name, count in counts.stages())
        if stages == self._shown:
            return
        self._last, self._shown = now, stages
        told = describe(counts, pace, now)
        tail = f"  ({told})" if told else ""
        notice(f"{now - self._began:.0f} s  {counts.phase}: {stages}{tail}")

    def close(self) -> None:
        """Nothing to take away."""


class Progress:
    """Follows a run's events and shows how far it is; a context manager."""

    def __init__(self, runtime: Runtime, run_id: str) -> None:
        requested = runtime.run_state(run_id).requested
        self._log = runtime.log
        self._run_id = run_id
        self._counts = StageCounts(requested.settings.count if requested else 0)
        self._pace = Pace()
        self._screen: Screen = LiveScreen() if notices().is_terminal else LineScreen()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._screen.close()

    def refresh(self) -> None:
        """Count what is new and show it."""
        for envelope in self._log.read_all(after=self._counts.position, run_id=self._run_id):
            self._counts.apply(envelope)
        self._pace.rate(self._counts, time.monotonic())
        self._screen.show(self._counts, self._pace)
