"""Puts the log under faults on both engines and counts what is lost, doubled or out of order.

`python tests/campaigns/store_faults.py --seeds N [--engine sqlite|postgres|both]
[--appends 100000] [--kills 200] [--part NAME ...] [--smoke]`

    tails     8 writers, killed and begun again, some of their transactions slow; readers that
              follow by position see every event once and in order
    library   the same for the `eventsourcing` library: with `enable_db_functions` its subscription
              must lose events, else this test could not see a loss; without it must lose none
    kills     processes killed with signal 9 during appends: what was acknowledged is there
    copies    copies of the SQLite file and its WAL, taken while the writer is stopped
    faults    full disk, read-only file, locks, lost connections, server crashes, and clocks
              that step back

Prints a line for each part, engine and seed, then one JSON object; exits with 1 on any difference.
A part that cannot run here says why and does not count as held.
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
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))

from support import postgres_server  # noqa: E402
from support.store_faults import Place  # noqa: E402
from support.store_faults_library import LibraryMissingError  # noqa: E402
from support.store_faults_parts import (  # noqa: E402
    LIBRARY_TAILS,
    Counts,
    Load,
    copies,
    faults,
    kills,
    library_tails,
    tails,
)

PARTS = ("tails", "library", "kills", "copies", "faults")
FULL = Load()
SMOKE = Load(appends=4_000, kills=6, tail_kills=8, copies=4, crashes=1, library_seconds=2.0)


@dataclass
class Record:
    """What became of one part on one engine."""

    part: str
    engine: str
    seed: int
    counts: Counts = field(default_factory=dict)
    seconds: float = 0.0
    load: float = 0.0
    """Load average of the machine at the end, over one minute."""
    skipped: str = ""
    problems: list[str] = field(default_factory=list)

    def line(self) -> str:
        """Return a row of the table."""
        counted = "  ".join(f"{name} {count:,}" for name, count in self.counts.items())
        result = "skipped" if self.skipped else "FAILED" if self.problems else "held"
        said = self.skipped or (self.problems[0] if self.problems else counted)
        return (
            f"{self.seed:>4}  {self.part:<22}  {self.engine:<10}  {self.seconds:>7.1f}  "
            f"{self.load:>5.1f}  {result:<7}  {said}"
        )


HEADER = "seed  part                    engine      seconds   load  result   what was counted"


class Campaign:
    """One seed on one engine."""

    def __init__(self, engine: str, seed: int, load: Load, stack: ExitStack) -> None:
        self._engine = engine
        self._seed = seed
        self._load = load
        self._stack = stack
        self._server: postgres_server.PostgresServer | None = None

    def go(self, parts: list[str]) -> Iterator[Record]:
        """Yield the record of each part."""
        for part in PARTS:
            if part in parts and not (part == "copies" and self._engine == "postgres"):
                yield from self._part(part)

    def _part(self, part: str) -> Iterator[Record]:
        chance = random.Random(f"{self._seed}/{part}/{self._engine}")
        load = self._load
        match part:
            case "tails":
                yield self._record(part, lambda place: tails(place, load, chance))
            case "kills":
                yield self._record(part, lambda place: kills(place, load, chance))
            case "copies":
                yield self._record(part, lambda place: copies(place, load, chance))
            case "library" if self._engine == "postgres":
                for name, how in LIBRARY_TAILS.items():
                    if load is not SMOKE or how["slow"]:
                        tried = partial(library_tails, load=load, **how)
                        yield self._record(name, tried)
            case "faults":
                server = self.server if self._engine == "postgres" else None
                for name, fault in faults(self._engine, server, self._seed, load).items():
                    yield self._record(name, fault)

    def _record(self, name: str, act: Callable[[Place], tuple[Counts, list[str]] | str]) -> Record:
        record = Record(name, self._engine, self._seed)
        began = time.monotonic()
        try:
            with self.place() as place:
                found = act(place)
            if isinstance(found, str):
                record.skipped = found
            else:
                record.counts, record.problems = found
        except LibraryMissingError as error:
            record.skipped = str(error)
        except (AssertionError, TimeoutError) as error:
            record.problems.append(f"{type(error).__name__}: {error}")
        record.seconds = round(time.monotonic() - began, 1)
        record.load = round(os.getloadavg()[0], 1)
        return record

    @contextmanager
    def place(self) -> Iterator[Place]:
        """Yield a place for one log."""
        with tempfile.TemporaryDirectory(prefix="envwright-faults-") as name, ExitStack() as stack:
            url = ""
            if self._engine == "postgres":
                url = stack.enter_context(postgres_server.database(self.server.url))
            yield Place(self._engine, Path(name), url)

    @property
    def server(self) -> postgres_server.PostgresServer:
        """The server, started when it is first asked for."""
        if self._server is None:
            self._server = self._stack.enter_context(postgres_server.started())
        return self._server


def main() -> int:
    """Run the campaign; return the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--seeds", type=int, default=1, help="how many seeds")
    parser.add_argument("--engine", choices=["sqlite", "postgres", "both"], default="both")
    parser.add_argument("--appends", type=int, default=FULL.appends, help="events of part `tails`")
    parser.add_argument("--kills", type=int, default=FULL.kills, help="kills of part `kills`")
    parser.add_argument("--part", choices=PARTS, action="append", help="only this part")
    parser.add_argument("--smoke", action="store_true", help="one seed, few of everything")
    options = parser.parse_args()
    load = SMOKE if options.smoke else Load(appends=options.appends, kills=options.kills)
    engines = ["sqlite", "postgres"] if options.engine == "both" else [options.engine]
    if "postgres" in engines and not postgres_server.installed():
        print("PostgreSQL is skipped: deploy/services.sh installs it", flush=True)
        engines.remove("postgres")
    records: list[Record] = []
    print(HEADER, flush=True)
    with ExitStack() as stack:
        for seed in range(1, 1 + (1 if options.smoke else options.seeds)):
            for engine in engines:
                campaign = Campaign(engine, seed, load, stack)
                for record in campaign.go(options.part or list(PARTS)):
                    records.append(record)
                    print(record.line(), flush=True)
    held = bool(records) and all(not record.problems for record in records)
    print(json.dumps({"held": held, "records": [asdict(record) for record in records]}))
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
