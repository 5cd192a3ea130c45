"""How fast a log is verified, sealed and audited, and in how much memory; run as a script.

`PYTHONPATH=tests python tests/benchmarks/bench_verify.py [EVENTS ...]`: sizes of the logs, by
default 10,000 and 100,000. Each measure runs in a process of its own, whose peak memory is printed.
Rates are by the wall clock and by the CPU time of all processes together: where others use the
machine too, only the latter says something.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

from envwright.store import open_store
from envwright.store.chains import chain_pages
from envwright.store.sealing import Evidence, open_signing_key
from envwright.store.verification import verify_log

GOAL = 250_000
"""Events a second that chain verification is to reach."""

SIZES = (10_000, 100_000)
REPEATS = int(os.environ.get("BENCH_REPEATS", "3"))


def build(home: Path, events: int) -> dict[str, float]:
    """Write a log of about so many events: runs of up to 500 packages."""
    # Here, so that processes which only verify do not load what makes packages.
    from support.audited_log import PACKAGE_EVENTS, Writer, write_run

    store = open_store(home)
    packages = max(1, events // PACKAGE_EVENTS)
    for start in range(0, packages, 500):
        writer = Writer(store.log, store.artifacts, f"run-{start}")
        write_run(writer, min(500, packages - start), batch=25)
    head = store.log.head()
    store.close()
    return {"events": head}


def bare(home: Path) -> dict[str, float]:
    """Hash the bytes that verification must hash at least, from memory, and nothing else."""
    store = open_store(home)
    seconds, used, count = 0.0, 0.0, 0
    for page in chain_pages(store.database):
        parts = [(row[8], row[-1]) for row in page]
        started, busy = time.perf_counter(), time.process_time()
        for header, payload in parts:
            sha256(header).digest()
            sha256(payload).digest()
        seconds += time.perf_counter() - started
        used += time.process_time() - busy
        count += len(page)
    store.close()
    return {"rate": count / seconds, "cpu_rate": count / used}


def verified(home: Path, workers: int) -> dict[str, float]:
    """Verify payloads, headers, links, columns and artifacts."""
    started, busy = time.perf_counter(), _cpu()
    found = verify_log(partial(open_store, home), workers=workers)
    seconds, used = time.perf_counter() - started, _cpu() - busy
    assert found.chains.failed == found.artifacts.failed == 0
    return {"rate": found.chains.checked / seconds, "cpu_rate": found.chains.checked / used}


def sealed(home: Path) -> dict[str, float]:
    """Sign a checkpoint over the whole log."""
    store = open_store(home)
    evidence = Evidence(store.database, partial(open_store, home), str(home / "../anchors"))
    started, busy = time.perf_counter(), _cpu()
    evidence.sealer.seal()
    evidence.sealer.publish()
    seconds, used, head = time.perf_counter() - started, _cpu() - busy, store.log.head()
    store.close()
    return {"rate": head / seconds, "cpu_rate": head / used}


def proved(home: Path) -> dict[str, float]:
    """Prove the inclusion of the event in the middle."""
    store = open_store(home)
    evidence = Evidence(store.database, partial(open_store, home))
    started = time.perf_counter()
    proof = evidence.prover.inclusion(str(store.log.head() // 2))
    seconds = time.perf_counter() - started
    store.close()
    return {"seconds": seconds, "bytes": len(json.dumps(proof)), "steps": len(proof["path"])}


def audited(home: Path) -> dict[str, float]:
    """Audit the whole home."""
    from envwright.agents.audit import Question, audit

    store = open_store(home)
    key = open_signing_key()
    assert key is not None
    evidence = Evidence(store.database, partial(open_store, home), str(home / "../anchors"))
    started, busy = time.perf_counter(), _cpu()
    found = audit(store.log, evidence.gather(key.public_keys), Question())
    seconds, used = time.perf_counter() - started, _cpu() - busy
    assert found["ok"], {name: c["failures"][:2] for name, c in found["checks"].items()}
    store.close()
    return {"rate": found["events"] / seconds, "cpu_rate": found["events"] / used}


def _cpu() -> float:
    own, children = (
        resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


MEASURES: dict[str, Callable[[Path], dict[str, float]]] = {
    "bare": bare,
    "one": partial(verified, workers=1),
    "two": partial(verified, workers=2),
    "sealed": sealed,
    "proved": proved,
    "audited": audited,
}


def apart(measure: str, home: Path) -> dict[str, Any]:
    """Run a measure in a process of its own."""
    done = subprocess.run(
        [sys.executable, __file__, "--measure", measure, str(home)],
        env={**os.environ, "XDG_CONFIG_HOME": str(home.parent / "config")},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        sys.exit(done.stderr)
    return dict(json.loads(done.stdout))


def best(measure: str, home: Path) -> dict[str, Any]:
    """Return the median of some runs of a measure, by its rate."""
    found = sorted((apart(measure, home) for _ in range(REPEATS)), key=lambda one: one["rate"])
    return found[len(found) // 2]


def say(what: str, found: dict[str, Any], base: dict[str, Any]) -> None:
    """Print a rate with its ratios to the goal and to bare hashing."""
    rate, cpu = found["rate"], found["cpu_rate"]
    sys.stdout.write(
        f"  {what:24} {rate:9,.0f} events/s {rate / GOAL:5.2f} x goal {rate / base['rate']:5.2f} "
        f"x bare   {cpu:9,.0f} a CPU second {cpu / base['cpu_rate']:5.2f} x bare   "
        f"peak {found['peak_mib']:.0f} MiB\n"
    )
    sys.stdout.flush()


def measure_all(home: Path, events: int) -> None:
    """Build a log and print all there is to say about it."""
    count = build(home, events)["events"]
    sys.stdout.write(f"log of {count:,.0f} events\n")
    floor = best("bare", home)
    say("bare sha256, one process", floor, floor)
    for name, what in (("one", "verified, one process"), ("two", "verified, two processes")):
        say(what, best(name, home), floor)
    say("sealed", apart("sealed", home), floor)
    say("audited", apart("audited", home), floor)
    proof = apart("proved", home)
    sys.stdout.write(
        f"  inclusion proof: {proof['seconds']:.2f} s, {proof['steps']} steps, "
        f"{proof['bytes']} bytes, peak {proof['peak_mib']:.0f} MiB\n"
    )


def main() -> None:
    """Measure logs of the sizes given."""
    if sys.argv[1:2] == ["--measure"]:
        found = MEASURES[sys.argv[2]](Path(sys.argv[3]))
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        sys.stdout.write(json.dumps({**found, "peak_mib": peak}))
        return
    for size in map(int, sys.argv[1:] or SIZES):
        with tempfile.TemporaryDirectory() as folder:
            measure_all(Path(folder) / "home", size)


if __name__ == "__main__":
    main()
