"""Conduct: a run driven to its end under a terminal's signals, and what its ending means."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from envwright.agents import Ending, Runtime, Stop, drive, run_report
from envwright.console.bus import relaying
from envwright.console.exits import Exit, exit_code
from envwright.console.folders import write_exports, write_packages
from envwright.console.home import at_home
from envwright.console.pages.run import report_page
from envwright.console.progress import Progress
from envwright.console.report.file import write_report
from envwright.console.terminal import notice, print_json, print_page
from envwright.console.views.run import run_view
from envwright.events.canonical import Json
from envwright.events.errors import EnvwrightError

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


def default_workers() -> int:
    """Return how many workers a run gets where nobody says."""
    return min(2, os.cpu_count() or 1)


@dataclass(frozen=True)
class Outcome:
    """How a driven run ended, for a person and for a script."""

    code: Exit
    message: str = ""
    """Why the code is not 0; empty where it is."""


def conduct(
    runtime: Runtime,
    run_id: str,
    *,
    workers: int | None,
    out: Path | None,
    as_json: bool,
    report: Path | None = None,
) -> Exit:
    """Drive a run, write its packages, print its report; return the exit code.

    The report is printed, and written where a file for it is named, whatever goes wrong on the way.
    """
    written: list[Path] = []
    try:
        ending = _drive(runtime, run_id, default_workers() if workers is None else workers)
        outcome = _outcome(runtime, run_id, ending)
        if out is not None and ending in ("completed", "short"):
            written = write_packages(runtime, run_id, out)
            write_exports(runtime, run_id, out)
    except EnvwrightError as error:
        outcome = Outcome(exit_code(error), str(error))
    found = run_report(runtime, run_id)
    if as_json:
        print_json(_object(found, outcome, written))
    else:
        print_page(*report_page(found, at=at_home(runtime.config.home), written=written))
    if report is not None:
        write_report(report, run_view(runtime, run_id))
        write_exports(runtime, run_id, report.parent)
    if outcome.message:
        notice(outcome.message)
    return outcome.code


def _drive(runtime: Runtime, run_id: str, workers: int) -> Ending:
    stop = Stop()
    with stoppable(stop), relaying(runtime), Progress(runtime, run_id) as progress:
        return drive(runtime, run_id, workers=workers, stop=stop, progress=progress.refresh)


def _object(report: dict[str, Json], outcome: Outcome, written: list[Path]) -> dict[str, Json]:
    folders = {"folders": [str(folder) for folder in written]} if written else {}
    error = {"error": outcome.message} if outcome.code else {}
    return {**report, **folders, **error}


def _outcome(runtime: Runtime, run_id: str, ending: Ending) -> Outcome:
    state = runtime.run_state(run_id)
    go_on = f"go on with: {resume_command(runtime, run_id)}"
    if ending == "completed":
        return Outcome(Exit.DONE)
    if ending == "short":
        assert state.completed is not None
        return Outcome(
            Exit.CHECK_FAILED,
            f"shortfall: {state.completed.admitted} of {state.completed.requested} packages "
            f"admitted ({_SHORT[state.completed.reason]}); give more sources or another --seed, "
            "or say --allow-short",
        )
    if ending == "failed":
        reason = state.failed.reason if state.failed else ""
        return Outcome(Exit.BAD_INPUT, f"run {run_id} failed: {reason}")
    if ending == "stuck":
        return Outcome(Exit.INFRASTRUCTURE, f"{_parked(runtime, run_id)}\n{go_on}")
    if ending == "interrupted" or (state.paused and state.paused.cause in ("user", "interrupted")):
        return Outcome(Exit.INTERRUPTED, f"run {run_id} is paused; {go_on}")
    assert state.paused is not None
    cause = state.paused.cause.replace("_", " ")
    return Outcome(
        Exit.INFRASTRUCTURE,
        f"run {run_id} is paused ({cause}): {state.paused.detail}\n{_parked(runtime, run_id)}\n"
        f"when the cause is gone, {go_on}",
    )


_SHORT = {
    "enough": "the run was asked for fewer",
    "max_rounds": "no rounds were left",
    "dry_round": "a whole round admitted none",
}


def _parked(runtime: Runtime, run_id: str) -> str:
    """Name what was set aside after too many failures, with the error of each."""
    works = runtime.leases.parked(run_id)
    lines = [f"deliveries that are parked and hold the run up: {len(works)}"]
    for work in works:
        events = list(runtime.log.read(f"work/{work.work}"))
        error = [event.data["error"] for event in events if event.type == "delivery.parked"][-1]
        cause = runtime.log.get(work.cause)
        what = cause.type if cause else work.cause
        lines.append(f"  {work.work}  {work.group} on {what} of {work.stream}: {error}")
    return "\n".join(lines)


def resume_command(runtime: Runtime, run_id: str) -> str:
    """Return the line that makes a run go on."""
    return f"envwright resume {run_id}{at_home(runtime.config.home)}"


@contextmanager
def stoppable(stop: Stop) -> Iterator[None]:
    """Let the first signal ask for a clean stop and the second end the process at once."""

    def first(number: int, frame: FrameType | None) -> None:
        if stop.asked.is_set():
            os._exit(Exit.INTERRUPTED)
        stop.asked.set()
        notice("stopping: running work gets 10 s to finish; once more ends at once")

    before = {number: signal.signal(number, first) for number in _SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
