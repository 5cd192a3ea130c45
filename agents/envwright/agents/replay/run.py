"""A replay from beginning to end: planned once, done by worker processes, joined in order."""

from collections.abc import Callable, Iterator
from contextlib import closing

from envwright.agents.config import RuntimeConfig
from envwright.agents.replay.child import Opening
from envwright.agents.replay.findings import Comparison, Replayed, gathered
from envwright.agents.replay.level import Level, ReplayLevel, ReplayPlan
from envwright.agents.replay.opening import open_level
from envwright.agents.replay.pool import ReplayPool

Progress = Callable[[int, int], None]
"""Told how many tasks of how many are done."""


def replay_run(
    config: RuntimeConfig,
    level: ReplayLevel,
    run_id: str | None = None,
    *,
    workers: int = 0,
    keep_going: bool = False,
    progress: Progress = lambda done, total: None,
) -> Replayed:
    """Do again what a run (or, of its state, the whole log) recorded, and compare.

    Args:
        config: where the home is; nothing in it is written.
        level: how deep the replay goes; a deeper one does not include the others.
        run_id: the run; None is the whole log.
        workers: processes that share the work; 0 does it in this process.
        keep_going: compare all of it, instead of stopping at the first divergence in the order
            of the log.
        progress: called after each piece of work.

    Raises:
        InfrastructureError: the machine failed or a worker process was lost, which says nothing
            about the record.
        IntegrityError: what is to be replayed cannot be read.
    """
    with open_level(config, level) as opened:
        plan = opened.plan(run_id)
        if workers == 0:
            results = _here(opened, plan, keep_going)
            return gathered(_until(results, plan, keep_going, progress))
    opening = Opening(config=config, level=level, keep_going=keep_going)
    with closing(ReplayPool(opening, plan, workers)) as pool:
        return gathered(_until(pool.results(), plan, keep_going, progress))


def _here(level: Level, plan: ReplayPlan, keep_going: bool) -> Iterator[Comparison]:
    for task in plan.tasks:
        yield level.check(task, keep_going=keep_going)


def _until(
    results: Iterator[Comparison], plan: ReplayPlan, keep_going: bool, progress: Progress
) -> Iterator[Comparison]:
    """Pass results on up to the first that diverges, or all of them."""
    for done, result in enumerate(results, start=1):
        progress(done, len(plan.tasks))
        yield result
        if result.divergences and not keep_going:
            return
