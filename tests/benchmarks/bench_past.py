"""How `show --at` and `runs --at` grow with the log: `python tests/benchmarks/bench_past.py [N…]`.

A finished run of the desk recipe is copied, under other ids, until the log has so many events:
once as many runs, and once as one run of many rounds. Each command is a process of its own, so
that its peak memory is its own. Ours: the sizes, and the places in the log that are shown.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from itertools import count, groupby
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from envwright.events import Envelope, NewEvent
from envwright.events.ports import Append, Commit
from envwright.events.upcasting import decode
from envwright.store import open_store
from support import desk_recipe
from support.desk_worker import TESTS, path
from support.office import Office

SIZES = (10_000, 100_000, 1_000_000)
BATCH = 2000
SHOW = (
    "import pytest; from support.desk_recipe import install; install(pytest.MonkeyPatch()); "
    "from envwright.console.main import run; run()"
)
_ID = re.compile(r"(run|pkg|att|trl|wrk)-[0-9a-f]{8,}")


def template(home: Path) -> list[Envelope]:
    """Drive one run and return its events."""
    office = Office(home)
    run = office.request("fan rattles", "ink is low", "none", count=2, slots=3, attempts=2)
    assert office.finish(run) == "completed"
    found = office.events()
    office.close()
    return found


def copies(events: list[Envelope], size: int, *, runs: bool) -> Iterator[NewEvent]:
    """Yield copies of a run's events under other ids: as runs of their own, or as more rounds."""
    made = len(events)
    for number in count(1):
        for event in events:
            if made >= size:
                return
            if not runs and event.type in ("run.requested", "run.started", "run.completed"):
                continue
            made += 1
            yield _copy(event, number, runs=runs)


def _copy(event: Envelope, number: int, *, runs: bool) -> NewEvent:
    def renamed(text: str) -> str:
        return _ID.sub(
            lambda found: found[0] if found[1] == "run" and not runs else f"{found[0]}{number:06x}",
            text,
        )

    data: dict[str, Any] = json.loads(renamed(json.dumps(event.data)))
    if not runs:
        for place in (data, data.get("brief", {})):
            if "round" in place:
                place["round"] = number + 1
        if "ordinal" in data and "number" in data:
            data["number"] += 2 * number
    return NewEvent(
        fact=decode(event.type, event.schema_version, data),
        run_id=renamed(event.run_id),
        correlation_id=renamed(event.correlation_id),
        actor=event.actor,
        idempotency_key=f"{event.idempotency_key}-{number}",
        causation_id=event.causation_id,
        metrics=event.metrics,
    )


def fill(home: Path, events: list[Envelope], size: int, *, runs: bool) -> None:
    """Append copies until the log has `size` events."""
    store = open_store(home)
    batch: list[NewEvent] = []
    for event in copies(events, size, runs=runs):
        batch.append(event)
        if len(batch) == BATCH:
            store.log.commit(Commit(appends=_appends(batch)))
            batch = []
    store.log.commit(Commit(appends=_appends(batch)))
    store.close()


def _appends(batch: list[NewEvent]) -> tuple[Append, ...]:
    """Keep the order of the events: positions must tell the same story as the original's."""
    return tuple(
        Append(stream=stream, events=tuple(some))
        for stream, some in groupby(batch, key=lambda event: event.fact.stream)
    )


def measured(home: Path, *arguments: str) -> tuple[float, float]:
    """Run a command in a process of its own; return its CPU seconds and its peak memory in MiB."""
    child = subprocess.Popen(
        [sys.executable, "-c", SHOW, *arguments, "--home", str(home), "--json"],
        cwd=TESTS,
        env={**os.environ, "PYTHONPATH": path()},
        stdout=subprocess.DEVNULL,
    )
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    assert child.returncode == 0, arguments
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main() -> None:
    """Print a table for each shape of log."""
    sizes = [int(text) for text in sys.argv[1:]] or SIZES
    desk_recipe.install(pytest.MonkeyPatch())
    for runs in (True, False):
        print("many runs" if runs else "one run of many rounds")
        for size in sizes:
            with tempfile.TemporaryDirectory() as folder:
                home = Path(folder)
                events = template(home)
                fill(home, events, size, runs=runs)
                _print(home, events, size, runs=runs)


def _print(home: Path, events: list[Envelope], size: int, *, runs: bool) -> None:
    run = events[0].run_id
    package = next(e.correlation_id for e in events if e.type == "package.drafted")
    last = f"{run}{size // len(events) // 2:06x}" if runs else run
    half = str(size * 3 // 4)
    for name, arguments in {
        "show RUN --at": ("show", last, "--at", half),
        "show PACKAGE --at": ("show", package, "--at", half),
        "show EVENT --at": ("show", events[10].id, "--at", half),
        "show BEGINNING --at": ("show", events[10].id[:-1], "--at", half),
        "runs --at": ("runs", "--at", half),
    }.items():
        if name == "show BEGINNING --at" and not runs:
            continue
        seconds, peak = measured(home, *arguments)
        print(f"  {size:>9,} events  {name:20} {seconds:7.2f} CPU s  {peak:7.1f} MiB", flush=True)


if __name__ == "__main__":
    main()
