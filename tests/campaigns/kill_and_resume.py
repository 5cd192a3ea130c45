"""Kills runs with signal 9 at random moments, resumes them, and compares what they come to.

`python tests/campaigns/kill_and_resume.py --seeds N [--kills 20] [--workers 2] [--packages 3]
[--max-delay 0.05] [--smoke]`

For each seed a log of the demo is run undisturbed, and then, with random delays in every handler:

    process  the whole process is killed, again and again, each time followed by a resume
    worker   one of several worker processes is killed; the others must get on; then the run is
             stopped cleanly and resumed

Runs are begun anew until the kills are used up. Each must admit the revisions of the undisturbed
run; chains must verify, each effect have one outcome, and every doorbell be answered. Prints a
line for each seed and mode, then one JSON object; exits with 1 on any difference.
"""

import argparse
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))

from envwright.agents import Runtime, RuntimeConfig, open_runtime  # noqa: E402
from support.soundness import check_log  # noqa: E402

DEMO = ROOT / "deploy" / "demo"
SOURCES = [str(DEMO / "helpdesk.jsonl"), str(DEMO / "helpdesk-tools.json")]
COMMAND = [sys.executable, "-m", "envwright.console.main"]

DELAY = 0.05
"""Seconds that every handler may sleep, before it acts and before it commits, unless asked."""

PACKAGES = 3
"""Packages of a run, unless asked."""

PATIENCE = 600.0
"""Seconds after which a process that neither ends nor moves on is a failure."""

ADVANCE = 5
"""Events that the others must write after a worker was killed."""

HEADER = "seed  mode     kills  runs  resumes  takeovers  re-executed  events  seconds  result"


class CampaignError(Exception):
    """What should have held did not."""


@dataclass(frozen=True)
class Plan:
    """What is done for one seed."""

    seed: int
    kills: int
    workers: int
    count: int = PACKAGES
    max_delay: float = DELAY

    @property
    def synth(self) -> list[str]:
        """The arguments of a run."""
        options = ["--recipe", "toolspace", "--count", str(self.count), "-k", "2"]
        return ["synth", *SOURCES, *options, "--seed", str(self.seed)]


@dataclass
class Record:
    """What became of one seed in one mode."""

    seed: int
    mode: str
    kills: int = 0
    runs: int = 0
    resumes: int = 0
    takeovers: int = 0
    reexecuted: int = 0
    events: int = 0
    effects: int = 0
    seconds: float = 0.0
    problems: list[str] = field(default_factory=list)

    def line(self) -> str:
        """Return a row of the table."""
        result = "held" if not self.problems else f"FAILED: {self.problems[0]}"
        return (
            f"{self.seed:>4}  {self.mode:<7}  {self.kills:>5}  {self.runs:>4}  {self.resumes:>7}  "
            f"{self.takeovers:>9}  {self.reexecuted:>11}  {self.events:>6}  {self.seconds:>7.0f}  "
            f"{result}"
        )


class Process:
    """One command that works on a run, from outside."""

    def __init__(self, home: Path, arguments: list[str], *, delay: float, workers: int) -> None:
        environment = {"ENVWRIGHT_FAULTS__MAX_DELAY": str(delay)} if delay else {}
        options = ["--home", str(home), "--workers", str(workers), "--json"]
        self._said: list[str] = []
        self._popen = subprocess.Popen(
            [*COMMAND, *arguments, *options],
            env={**os.environ, **environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.run = self._begun()

    def _begun(self) -> str:
        assert self._popen.stderr is not None
        for line in self._popen.stderr:
            self._said.append(line)
            named = re.match(r"run (run-\w+)", line)
            if named:
                return named[1]
        raise CampaignError(f"the command did not begin: {''.join(self._said)[-500:]}")

    @property
    def ended(self) -> bool:
        """Whether the command has ended by itself."""
        return self._popen.poll() is not None

    def children(self) -> list[int]:
        """Return the process ids of the workers."""
        pid = self._popen.pid
        with suppress(OSError):
            listed = Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii").split()
            return [int(child) for child in listed]
        return []

    def send(self, number: int) -> None:
        """Send a signal to the command and wait for its end."""
        self._popen.send_signal(number)
        self._popen.communicate(timeout=PATIENCE)

    def report(self) -> dict[str, Any]:
        """Wait for the end and return what the command reports."""
        out, err = self._popen.communicate(timeout=PATIENCE)
        if self._popen.returncode != 0:
            raise CampaignError(f"exit code {self._popen.returncode}: {err.strip()[-500:]}")
        return dict(json.loads(out))


class Campaign:
    """One seed in one mode, in a home of its own."""

    def __init__(self, plan: Plan, mode: str, reference: dict[str, Any], home: Path) -> None:
        self._plan = plan
        self._mode = mode
        self._reference = reference
        self._home = home
        self._chance = random.Random(f"{plan.seed}/{mode}")
        self._workers = 1 if mode == "process" else plan.workers
        # So many events between two kills that a run is killed about ten times.
        self._stride = max(2, 2 * int(reference["events"]) // 10)
        self.record = Record(plan.seed, mode)

    def go(self) -> Record:
        """Kill until the kills are used up; what went wrong is in the record."""
        began = time.monotonic()
        try:
            while self.record.kills < self._plan.kills:
                self._run()
            self._check_home()
        except (CampaignError, subprocess.TimeoutExpired) as error:
            self.record.problems.append(str(error))
        self.record.seconds = round(time.monotonic() - began, 1)
        return self.record

    def _run(self) -> None:
        """Bring one run to its end, through as many kills as there are left."""
        self.record.runs += 1
        process = self._start(self._plan.synth)
        with self._watching() as runtime:
            while self.record.kills < self._plan.kills and self._strike(runtime, process):
                self.record.resumes += 1
                process = self._start(["resume", process.run])
            if not process.ended:
                self._await(runtime, process, None)
        self._compare(process)

    def _start(self, arguments: list[str]) -> Process:
        return Process(self._home, arguments, delay=self._plan.max_delay, workers=self._workers)

    def _strike(self, runtime: Runtime, process: Process) -> bool:
        """Kill at a random moment; False where the run ended first."""
        self._await(runtime, process, self._chance.randrange(1, self._stride))
        time.sleep(self._chance.uniform(0, 0.05))
        if process.ended:
            return False
        if self._mode == "process":
            self.record.kills += 1
            process.send(signal.SIGKILL)
            return True
        return self._strike_worker(runtime, process)

    def _strike_worker(self, runtime: Runtime, process: Process) -> bool:
        """Kill one worker, see the others get on, and stop the run; False where it ended."""
        workers = process.children()
        if len(workers) < self._workers:
            return not process.ended and self._strike(runtime, process)
        os.kill(self._chance.choice(workers), signal.SIGKILL)
        self.record.kills += 1
        self._await(runtime, process, ADVANCE)
        if process.ended:
            return False
        process.send(signal.SIGINT)
        return True

    def _await(self, runtime: Runtime, process: Process, events: int | None) -> None:
        """Wait until so many events were added, or for the end; a standstill is a failure."""
        head = moved_to = runtime.log.head()
        moved_at = time.monotonic()
        while not process.ended and (events is None or runtime.log.head() < head + events):
            time.sleep(0.005)
            if runtime.log.head() != moved_to:
                moved_to, moved_at = runtime.log.head(), time.monotonic()
            if time.monotonic() - moved_at > PATIENCE:
                process.send(signal.SIGKILL)
                raise CampaignError(f"nothing happened for {PATIENCE:g} s in {process.run}")

    def _compare(self, process: Process) -> None:
        report = process.report()
        for what in ("admitted", "rejected", "planned"):
            if report[what] != self._reference[what]:
                raise CampaignError(
                    f"{process.run}: {what} is {report[what]}, undisturbed it is "
                    f"{self._reference[what]}"
                )
        if revisions(report) != revisions(self._reference):
            raise CampaignError(f"{process.run} admitted other revisions")
        self.record.takeovers += report["restarts"]["takeovers"]
        self.record.reexecuted += report["restarts"]["effects_reexecuted"]

    def _check_home(self) -> None:
        with self._watching() as runtime:
            found = check_log(runtime)
        self.record.events, self.record.effects = found.events, found.effects
        self.record.problems += found.problems

    @contextmanager
    def _watching(self) -> Iterator[Runtime]:
        runtime = open_runtime(RuntimeConfig(home=self._home, checkpoints=False))
        try:
            yield runtime
        finally:
            runtime.close()


def revisions(report: dict[str, Any]) -> list[str]:
    """Return the admitted revisions in their order."""
    return [package["digest"] for package in report["packages"]]


def campaigns(plan: Plan, modes: list[str]) -> Iterator[Record]:
    """Run one seed undisturbed, and then in each mode."""
    with tempfile.TemporaryDirectory(prefix="envwright-campaign-") as folder:
        undisturbed = Process(Path(folder, "reference"), plan.synth, delay=0.0, workers=1)
        reference = undisturbed.report()
        for mode in modes:
            yield Campaign(plan, mode, reference, Path(folder, mode)).go()


def main() -> int:
    """Run the campaign; return the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--seeds", type=int, default=1, help="how many seeds")
    parser.add_argument("--kills", type=int, default=20, help="kills for each seed and mode")
    parser.add_argument("--workers", type=int, default=2, help="worker processes in mode `worker`")
    parser.add_argument("--packages", type=int, default=PACKAGES, help="packages of a run")
    parser.add_argument(
        "--max-delay",
        type=float,
        default=DELAY,
        help="seconds that a handler may sleep, before it acts and before it commits",
    )
    parser.add_argument("--mode", choices=["process", "worker", "both"], default="both")
    parser.add_argument("--smoke", action="store_true", help="one seed, few kills, a small run")
    options = parser.parse_args()
    if options.packages < 1 or options.max_delay < 0:
        parser.error("--packages takes 1 or more, --max-delay takes 0 or more seconds")
    seeds, kills = (1, 2) if options.smoke else (options.seeds, options.kills)
    count = 1 if options.smoke else options.packages
    modes = ["process", "worker"] if options.mode == "both" else [options.mode]
    records: list[Record] = []
    print(HEADER, flush=True)
    for seed in range(1, seeds + 1):
        plan = Plan(seed, kills, options.workers, count, options.max_delay)
        for record in campaigns(plan, modes):
            records.append(record)
            print(record.line(), flush=True)
    held = all(not record.problems for record in records)
    print(json.dumps({"held": held, "records": [asdict(record) for record in records]}))
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
