"""Runs: request, drive, pause, resume; what a run looks like from outside."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from envwright.agents.processes import WorkerProcesses
from envwright.agents.runtime import Runtime
from envwright.agents.worker import Accept, Worker
from envwright.events import mint_run_id
from envwright.events.catalog import RunPaused, RunRequested, RunResumed
from envwright.events.errors import BadInputError, InfrastructureError
from envwright.events.values import RunSettings, SourceRef
from envwright.recipes import get_recipe

Ending = Literal["completed", "short", "failed", "paused", "interrupted", "stuck"]

_TICK_SECONDS = 0.1


@dataclass
class Stop:
    """How a user asks a driven run to stop."""

    asked: threading.Event = field(default_factory=threading.Event)


def read_sources(paths: list[Path], recipe: str) -> list[tuple[str, bytes]]:
    """Read source files and let the recipe refuse what it cannot use, before a run begins.

    Raises:
        BadInputError: a path is no readable file, or the recipe cannot use it; all are named.
    """
    if not paths:
        raise BadInputError("no source given; expected at least one tool log")
    faults: list[str] = []
    sources: list[tuple[str, bytes]] = []
    for path in paths:
        try:
            if path.is_dir():
                raise BadInputError(f"{path} is a folder; expected a file, name the files in it")
            data = path.read_bytes()
            get_recipe(recipe).ingest(path.name, data)
            sources.append((path.name, data))
        except OSError as error:
            faults.append(f"{path}: cannot be read ({error.strerror}); expected a readable file")
        except BadInputError as error:
            faults.append(str(error))
    if faults:
        raise BadInputError("\n".join(faults))
    return sources


def request_run(
    runtime: Runtime,
    settings: RunSettings,
    sources: list[tuple[str, bytes]],
    *,
    novel_against: tuple[str, ...] = (),
) -> str:
    """Keep the sources and record that a run is asked for; returns its id.

    Raises:
        BadInputError: a run to be new against does not exist.
    """
    for run in novel_against:
        require_run(runtime, run)
    run_id = mint_run_id()
    refs = [SourceRef(name=name, artifact=runtime.artifacts.put(data)) for name, data in sources]
    distinct = {ref.artifact.digest: ref for ref in sorted(refs, key=lambda ref: ref.name)}
    runtime.record(
        RunRequested(
            run=run_id,
            settings=settings,
            sources=tuple(distinct[digest] for digest in sorted(distinct)),
            novel_against=novel_against,
            novel_position=runtime.log.head(),
        ),
        role="operator",
    )
    return run_id


def require_run(runtime: Runtime, run_id: str) -> None:
    """Raise unless the home knows the run."""
    if runtime.log.version(f"run/{run_id}") == 0:
        raise BadInputError(
            f"no run {run_id!r} in {runtime.config.home}; `envwright runs` lists what there is"
        )


def pause_run(runtime: Runtime, run_id: str) -> None:
    """Record that a user wants the run to stop; workers finish what they hold."""
    require_run(runtime, run_id)
    status = runtime.run_state(run_id).status
    if status not in ("requested", "running"):
        raise BadInputError(f"run {run_id!r} is {status}; only a running run can be paused")
    runtime.record(RunPaused(run=run_id, cause="user"), role="operator")


def resume_run(runtime: Runtime, run_id: str) -> None:
    """Make a run ready to go on after a pause, a stop or a kill: reap, reopen, say so."""
    require_run(runtime, run_id)
    runtime.reap()
    runtime.leases.sweep()
    runtime.leases.reissue(run_id)
    state = runtime.run_state(run_id)
    if state.status in ("paused", "running", "requested"):
        runtime.record(RunResumed(run=run_id), role="operator")


def drive(
    runtime: Runtime,
    run_id: str,
    *,
    workers: int,
    stop: Stop,
    progress: Callable[[], None] = lambda: None,
) -> Ending:
    """Work on a run until it ends, pauses, is stuck or is asked to stop.

    One worker is a thread of this process; more are processes of their own.

    Raises:
        InfrastructureError: every worker has ended by itself.
    """
    with _working(runtime, run_id, workers) as alive:
        ending: Ending | None = None
        while ending is None:
            time.sleep(_TICK_SECONDS)
            progress()
            ending = "interrupted" if stop.asked.is_set() else _ending(runtime, run_id)
            if ending is None and not alive():
                raise InfrastructureError(
                    f"every worker of run {run_id} has ended; what each said last is above. When "
                    f"the cause is gone, go on with: envwright resume {run_id}"
                )
    if ending != "interrupted":
        return ending
    if runtime.run_state(run_id).status in ("requested", "running"):
        runtime.record(RunPaused(run=run_id, cause="interrupted"), role="operator")
        return ending
    return _ending(runtime, run_id) or ending  # It ended while its workers finished.


def attempt_only(runtime: Runtime, run_id: str, accept: Accept, done: Callable[[], bool]) -> None:
    """Serve only the deliveries that `accept` takes, until `done`."""
    stop = threading.Event()
    worker = Worker(runtime, run_id=run_id, accept=accept)
    worker.serve(stop, alive=lambda: not done())


def _ending(runtime: Runtime, run_id: str) -> Ending | None:
    state = runtime.run_state(run_id)
    if state.status == "failed":
        return "failed"
    if state.status == "completed":
        if _outstanding(runtime, run_id):
            return None
        assert state.completed is not None and state.requested is not None
        short = state.completed.shortfall > 0 and not state.requested.settings.allow_short
        return "short" if short else "completed"
    if runtime.leases.held(run_id):
        return None
    if state.status == "paused":
        return "paused"
    if runtime.leases.parked(run_id) and not _outstanding(runtime, run_id):
        return "stuck"
    return None


def _outstanding(runtime: Runtime, run_id: str) -> bool:
    """Say whether a run has deliveries that somebody could still serve."""
    if runtime.leases.held(run_id):
        return True
    subscription = runtime.bus.subscribe(
        runtime.config.group, list(runtime.config.roles), run_id=run_id
    )
    try:
        return bool(subscription.poll(limit=1, timeout=0))
    finally:
        subscription.close()


@contextmanager
def _working(runtime: Runtime, run_id: str, workers: int) -> Iterator[Callable[[], bool]]:
    """Start the workers and yield what says whether any is alive; stop them at the end."""
    if workers > 1:
        children = WorkerProcesses(runtime.config, run_id, workers)
        try:
            yield lambda: bool(children.pids)
        finally:
            children.stop()
        return
    stop = threading.Event()
    worker = Worker(runtime, run_id=run_id)
    thread = threading.Thread(target=worker.serve, args=(stop,), name="worker", daemon=True)
    thread.start()
    try:
        yield thread.is_alive
    finally:
        stop.set()
        thread.join(timeout=runtime.config.drain_seconds)
