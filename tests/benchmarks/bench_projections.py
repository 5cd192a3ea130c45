"""Events a second and memory of the read models: caught up, rebuilt, listed; run as a script.

python tests/benchmarks/bench_projections.py [EVENTS]
"""

import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from envwright.events import Fact, NewEvent
from envwright.events.catalog import (
    BriefPlanned,
    GateEvaluated,
    PackageAdmitted,
    PackageCandidate,
    TestingCompleted,
    WorkClaimed,
)
from envwright.events.ports import Append, Commit
from envwright.events.values import Actor, Brief, GateResult
from envwright.store import Store, open_store

ACTOR = Actor(role="tester", instance="bench", code_version="0")
EVENTS = 20_000
COMMIT = 200
GATES = ("executable", "reference_passes", "noop_fails", "no_leak", "deterministic")


def story(run: str, number: int) -> Iterator[Fact]:
    """Yield the life of one package: ten events."""
    package = f"pkg-{run}-{number}"
    place = {"round": 1 + number // 100, "ordinal": 1 + number % 100}
    brief = Brief(package=package, recipe="x", recipe_version="1", content_seed="s", **place)
    yield BriefPlanned(run=run, brief=brief)
    yield WorkClaimed(
        work=f"wrk-{number}", group="envwright.tester", cause="c", token=1, try_number=1
    )
    for gate in GATES:
        result = GateResult(gate=gate, version="1", verdict="pass")
        yield GateEvaluated(package=package, revision="a" * 64, result=result)
    yield TestingCompleted(package=package, revision="a" * 64, outcome="pass")
    yield PackageCandidate(package=package, run=run, ok=True, **place)
    yield PackageAdmitted(run=run, package=package, revision="a" * 64, number=number + 1, **place)


def event(fact: Fact, key: str, run: str) -> NewEvent:
    return NewEvent(
        fact=fact,
        run_id=run,
        correlation_id=str(getattr(fact, "package", run)),
        actor=ACTOR,
        idempotency_key=key,
        causation_id=f"cause-{key.rpartition('/')[0]}",
        metrics={"seconds": 0.5},
    )


def fill(store: Store, events: int) -> None:
    """Append so many events, twenty packages a commit."""
    for start in range(0, events // 10, COMMIT // 10):
        run = f"run-{start // 1000}"
        appends: dict[str, list[NewEvent]] = {}
        for number in range(start, start + COMMIT // 10):
            for place, fact in enumerate(story(run, number)):
                new = event(fact, f"{run}/{number}/{place}", run)
                appends.setdefault(fact.stream, []).append(new)
        store.log.commit(
            Commit(
                appends=tuple(
                    Append(stream=stream, events=tuple(some)) for stream, some in appends.items()
                )
            )
        )


def timed(what: str, count: int, action: Callable[[], object]) -> None:
    started = time.perf_counter()
    action()
    seconds = time.perf_counter() - started
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"{what:<34} {count:>8} events  {seconds:8.2f} s  {count / seconds:10,.0f} /s"
        f"  peak {peak:6.0f} MiB"
    )


def main() -> None:
    events = int(sys.argv[1]) if len(sys.argv) > 1 else EVENTS
    with tempfile.TemporaryDirectory() as folder:
        store = open_store(Path(folder) / "home")
        timed("append, 200 a commit", events, lambda: fill(store, events))
        models = store.read_models
        timed(f"catch up all {len(models.names)}", events, models.catch_up)
        timed("catch up, nothing new", events, models.catch_up)
        timed("rebuild all", events, lambda: [models.rebuild(name) for name in models.names])
        timed("list packages of one run", 1, lambda: list(models.rows("packages", prefix="run-0/")))
        store.close()


if __name__ == "__main__":
    main()
