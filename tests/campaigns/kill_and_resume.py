"""Kills runs at random moments, resumes them, and compares what they admit with an unkilled run.

`python tests/campaigns/kill_and_resume.py --seeds 1 --kills 20` kills the whole process of a run
with one worker, and one worker of two; it prints a line for each kill and a summary as JSON, and
exits with 1 where a digest, a chain or an effect is not as it should be.
"""

import argparse
import json
import os
import random
import signal
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from support.runs import SMALL, Driven, Spec, digests, run, variant, watching
from support.soundness import check_log

DELAY = 0.05
"""Longest delay that is put into every handler, in seconds."""


def kill_once(home: Path, spec: Spec, moment: int, chance: random.Random) -> dict[str, Any]:
    """Drive a run, kill it (or one of its two workers) after `moment` events; its report."""
    driven = Driven(home, spec)
    driven.await_events(moment)
    if spec["workers"] == 1:
        driven.kill()
        return run(home, variant(spec, resume=driven.run))
    workers = driven.workers
    if workers:
        os.kill(chance.choice(workers), signal.SIGKILL)
    return driven.finish()


def problems_of(home: Path, report: dict[str, Any], wanted: list[str]) -> list[str]:
    """Return what is wrong with a run that was killed and went on."""
    with watching(home) as runtime:
        found = list(check_log(runtime).problems)
    if report["ending"] != "completed":
        found.append(f"the run ended {report['ending']}")
    if digests(report) != wanted:
        found.append(f"admitted {digests(report)}, an unkilled run {wanted}")
    return found


def campaign(seed: int, kills: int, workers: int, folder: Path) -> dict[str, Any]:
    """Kill `kills` runs of one seed, each at another moment; returns counts and problems."""
    chance = random.Random(f"{seed}/{workers}")
    calm = variant(SMALL, settings={**SMALL["settings"], "seed": seed})
    reference = run(folder / "calm", calm)
    spec = variant(calm, max_delay=DELAY, workers=workers, lease_seconds=3)
    restarts: Counter[str] = Counter()
    problems: list[str] = []
    for number in range(kills):
        home = folder / f"{workers}-{number}"
        moment = chance.randrange(1, reference["events"])
        report = kill_once(home, spec, moment, chance)
        found = problems_of(home, report, digests(reference))
        restarts.update(report["restarts"])
        problems += [f"kill {number} at event {moment}: {problem}" for problem in found]
        takeovers, again = (report["restarts"][n] for n in ("takeovers", "effects_reexecuted"))
        print(
            f"seed {seed}, {workers} worker(s), kill {number + 1} at event {moment}: "
            f"{takeovers} taken over, {again} effects again, {found or 'sound'}",
            flush=True,
        )
    return {
        "seed": seed,
        "workers": workers,
        "kills": kills,
        "problems": problems,
        "restarts": dict(restarts),
    }


def main() -> int:
    """Run the campaign in both modes for each seed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--kills", type=int, default=20)
    options = parser.parse_args()
    results = []
    for seed in range(1, options.seeds + 1):
        for workers in (1, 2):
            with tempfile.TemporaryDirectory(prefix="envwright-campaign-") as folder:
                results.append(campaign(seed, options.kills, workers, Path(folder)))
    print(json.dumps({"campaign": "kill_and_resume", "results": results}, indent=2))
    return 1 if any(result["problems"] for result in results) else 0


if __name__ == "__main__":
    sys.exit(main())
