"""The store beside this disk, the raw driver and the `eventsourcing` library, with its goals.

`PYTHONPATH=tests python tests/benchmarks/bench_store.py [--rounds 7] [--json]`

All measures are taken in turn, in another order each round, and their medians are compared. The
library runs in an environment of its own, see tests/support/store_faults_library.py; PostgreSQL is
skipped where it is not installed. `bench_verify.py` says more about verification.
"""

import argparse
import json
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median

from support import postgres_server
from support.store_faults_library import Library, LibraryMissingError, library
from support.store_rates import BATCH, CLIENTS, Disk, RawSqlite, StoreRates

SECONDS = 0.5
"""How long a measure that is not counted lasts."""

SINGLES, BATCHES = 1_000, 40
"""Commits of a measure."""

LOG = 20_000
"""Events of the logs that are read."""

_BUSY = 0.7
"""Share of the time on a CPU from which a measure is limited by it."""

Measures = dict[str, Callable[[], float]]


@dataclass(frozen=True)
class Goal:
    """A figure that is to reach a multiple of another one, or so many events a second."""

    figure: str
    base: str
    ratio: float


GOALS = (
    Goal("sqlite: singles", "disk: 4 KiB overwritten", 0.6),
    Goal("sqlite: singles", "disk: 4 KiB appended", 0.6),
    Goal("sqlite: batches", "sqlite3 alone: batches, same tables", 0.7),
    Goal("sqlite: batches", "sqlite3 alone: batches, plain table", 0.7),
    Goal("sqlite: reads", "library on sqlite: reads", 2.0),
    Goal(f"sqlite: singles, {CLIENTS} clients", "sqlite: singles", 2.0),
    Goal("postgres: singles", "library on postgres: singles", 2.0),
    Goal("postgres: batches", "library on postgres: batches", 2.0),
    Goal("sqlite: verified", "", 250_000.0),
)


@dataclass(frozen=True)
class Figure:
    """The median of a measure over all rounds."""

    name: str
    rate: float
    spread: tuple[float, float]
    """The lowest and the highest round."""
    cpu: float
    """Share of the time in which this process used a CPU."""


def sqlite_measures(folder: Path) -> Measures:
    """Return what is measured without a server."""
    disk = Disk(folder, SECONDS)
    rates = StoreRates(folder / "home", folder / "artifacts")
    rates.singles(1)
    raw = RawSqlite(folder / "raw.sqlite", rates.store)
    reading = StoreRates(folder / "reading", folder / "artifacts")
    reading.batches(LOG // BATCH)
    return {
        "disk: 4 KiB overwritten": disk.overwrite,
        "disk: 4 KiB appended": disk.append,
        "sqlite3 alone: singles, same tables": lambda: raw.inserts(SINGLES, 1),
        "sqlite3 alone: batches, same tables": lambda: raw.inserts(BATCHES, BATCH),
        "sqlite3 alone: batches, plain table": lambda: raw.plain_inserts(BATCHES, BATCH),
        "sqlite3 alone: rows read": reading.raw_rows,
        "sqlite: singles": lambda: rates.singles(SINGLES),
        f"sqlite: singles, {CLIENTS} clients": lambda: rates.singles(SINGLES // 4, CLIENTS),
        "sqlite: batches": lambda: rates.batches(BATCHES),
        "sqlite: batches, events made too": lambda: rates.batches_made(BATCHES),
        "sqlite: reads": reading.reads,
        "sqlite: verified": reading.verified,
    }


def postgres_measures(url: str, other_url: str, folder: Path) -> Measures:
    """Return what is measured on a server, in a database for writes and one for reads."""
    rates = StoreRates(url, folder / "artifacts")
    reading = StoreRates(other_url, folder / "artifacts")
    reading.batches(LOG // BATCH)
    return {
        "postgres: singles": lambda: rates.singles(SINGLES),
        f"postgres: singles, {CLIENTS} clients": lambda: rates.singles(SINGLES // 4, CLIENTS),
        "postgres: batches": lambda: rates.batches(BATCHES),
        "postgres: reads": reading.reads,
        "postgres: verified": reading.verified,
    }


def library_measures(peer: Library, engine: str, place: str, other_place: str) -> Measures:
    """Return what the library is measured by, in places of its own."""

    def append(batch: int) -> float:
        return float(peer.ask("append", place, batch=batch, seconds=SECONDS))

    peer.ask("fill", other_place, count=LOG)
    return {
        f"library on {engine}: singles": lambda: append(1),
        f"library on {engine}: batches": lambda: append(BATCH),
        f"library on {engine}: reads": lambda: float(peer.ask("read", other_place)),
    }


@contextmanager
def measures(folder: Path) -> Iterator[Measures]:
    """Yield all measures that can be taken here."""
    with ExitStack() as stack:
        found = sqlite_measures(folder)
        peer: Library | None = None
        try:
            peer = stack.enter_context(library())
            places = [str(folder / name) for name in ("library.sqlite", "library-reading.sqlite")]
            found |= library_measures(peer, "sqlite", *places)
        except LibraryMissingError as error:
            say(f"the library is skipped: {error}")
        if postgres_server.installed():
            server = stack.enter_context(postgres_server.started())
            urls = [stack.enter_context(postgres_server.database(server.url)) for _ in range(4)]
            found |= postgres_measures(*urls[:2], folder)
            if peer is not None:
                found |= library_measures(peer, "postgres", *urls[2:])
        else:
            say("PostgreSQL is skipped: deploy/services.sh installs it")
        yield found


def taken(found: Measures, rounds: int) -> dict[str, Figure]:
    """Take every measure once a round, in turn."""
    rates: dict[str, list[tuple[float, float]]] = {name: [] for name in found}
    for number in range(rounds):
        order = list(found)
        random.Random(number).shuffle(order)
        for name in order:
            clock, busy = time.perf_counter(), time.process_time()
            rate = found[name]()
            share = (time.process_time() - busy) / (time.perf_counter() - clock)
            rates[name].append((rate, share))
        say(f"round {number + 1} of {rounds}, load {os.getloadavg()[0]:.1f}")
    return {
        name: Figure(
            name,
            median(rate for rate, _ in some),
            (min(some)[0], max(some)[0]),
            median(share for _, share in some),
        )
        for name, some in rates.items()
    }


def judged(figures: dict[str, Figure]) -> list[dict[str, object]]:
    """Return what became of every goal."""
    rows: list[dict[str, object]] = []
    for goal in GOALS:
        if goal.figure not in figures or (goal.base and goal.base not in figures):
            rows.append({**asdict(goal), "held": None})
            continue
        base = figures[goal.base].rate if goal.base else 1.0
        ratio = figures[goal.figure].rate / base
        limit = "this process's CPU" if figures[goal.figure].cpu >= _BUSY else "disk or server"
        held = ratio >= goal.ratio
        rows.append({**asdict(goal), "measured": ratio, "held": held, "limited by": limit})
    return rows


def table(figures: dict[str, Figure], goals: list[dict[str, object]]) -> Iterator[str]:
    """Yield the lines that a person reads."""
    yield f"{'measure':40} {'median /s':>10} {'lowest':>10} {'highest':>10}   CPU of this process"
    for figure in figures.values():
        low, high = figure.spread
        yield f"{figure.name:40} {figure.rate:10,.0f} {low:10,.0f} {high:10,.0f}   {figure.cpu:.0%}"
    yield ""
    yield f"{'figure':30} {'beside':38} {'goal':>9} {'measured':>9}  {'held':12}  limited by"
    for row in goals:
        held = {True: "yes", False: "no", None: "not measured"}[row["held"]]  # type: ignore[index]
        measured = f"{row['measured']:,.2f}" if "measured" in row else ""
        yield (
            f"{row['figure']:30} {row['base'] or 'events a second':38} {row['ratio']:9,.1f} "
            f"{measured:>9}  {held:12}  {row.get('limited by', '')}"
        )


def say(line: str) -> None:
    """Tell how far it is."""
    sys.stderr.write(line + "\n")
    sys.stderr.flush()


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--rounds", type=int, default=7, help="times that everything is measured")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args()
    before = os.getloadavg()
    with (
        tempfile.TemporaryDirectory(prefix="envwright-bench-") as name,
        measures(Path(name)) as found,
    ):
        figures = taken(found, options.rounds)
    goals = judged(figures)
    if options.json:
        report = {
            "rounds": options.rounds,
            "load": {"before": before, "after": os.getloadavg()},
            "figures": [asdict(figure) for figure in figures.values()],
            "goals": goals,
        }
        print(json.dumps(report))
        return
    print("\n".join(table(figures, goals)))
    print(f"\nload averages {before[0]:.1f} before, {os.getloadavg()[0]:.1f} after; payloads 1 KiB")


if __name__ == "__main__":
    main()
