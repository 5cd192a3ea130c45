"""Runs: request, drive, pause, resume; what a run looks like from outside."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from envwright.agents.audit.seals import ENOUGH, seal_quietly
from envwright.agents.crew import start_crew
from envwright.agents.runtime import Runtime
from envwright.agents.solver.policies import get_policy
from envwright.agents.withdrawal import is_gating
from envwright.agents.worker import Accept, Worker
from envwright.events import mint_run_id
from envwright.events.catalog import RunPaused, RunRequested, RunResumed
from envwright.events.errors import BadInputError, InfrastructureError
from envwright.events.values import RunSettings, SourceRef
from envwright.recipes import HELD_OUT, Disguise, get_recipe

Ending = Literal["completed", "short", "failed", "paused", "interrupted", "stuck"]

_OVER = ("completed", "short", "failed")
"""Endings after which nothing is added to a run, so that its log is sealed at once."""

_TICK_SECONDS = 0.1


@dataclass
class Stop:
    """How a user asks a driven run to stop."""

    asked: threading.Event = field(default_factory=threading.Event)


def read_sources(
    paths: list[Path],
    recipe: str,
    disguise: Disguise | None = None,
    *,
    held_out: Sequence[Path] = (),
) -> list[tuple[str, bytes]]:
    """Read source files and let the recipe refuse what it cannot use, before a run begins.

    Nothing of them was kept yet, so this is where personal data is disguised. `held_out` files
    are for evaluation only: their names say so, and nothing like them is admitted.

    Raises:
        BadInputError: a path is no readable file, or the recipe cannot use it; all are named.
    """
    if not paths:
        raise BadInputError("no source given; expected at least one tool log")
    faults: list[str] = []
    sources: list[tuple[str, bytes]] = []
    named = [(path.name, path) for path in paths]
    for name, path in [*named, *((f"{HELD_OUT}{path.name}", path) for path in held_out)]:
        try:
            if path.is_dir():
                raise BadInputError(f"{path} is a folder; expected a file, name the files in it")
            data = path.read_bytes()
            get_recipe(recipe).ingest(name, data)
            sources.append((name, data))
        except OSError as error:
            faults.append(f"{path}: cannot be read ({error.strerror}); expected a readable file")
        except BadInputError as error:
            faults.append(str(error))
    if faults:
        raise BadInputError("\n".join(faults))
    return sources if disguise is None else get_recipe(recipe).disguise(sources, disguise)


def request_run(
    runtime: Runtime,
    settings: RunSettings,
    sources: list[tuple[str, bytes]],
    *,
    novel_against: tuple[str, ...] = (),
) -> str:
    """Keep the sources and record that a run is asked for; returns its id.

    Raises:
        BadInputError: there is no such recipe or policy, or a run to be new against is unknown.
    """
    get_recipe(settings.recipe)
    for policy in settings.panel:
        get_policy(policy.name, policy.settings)
    for run in novel_against:
        require_run(runtime, run)
    run_id = mint_run_id()
    refs = [SourceRef(name=name, artifact=runtime.artifacts.put(data)) for name, data in sources]
    distinct = {
        (ref.artifact.digest, ref.name.startswith(HELD_OUT)): ref
        for ref in sorted(refs, key=lambda ref: ref.name)
    }
    runtime.record(
        RunRequested(
            run=run_id,
            settings=settings,
            sources=tuple(distinct[place] for place in sorted(distinct)),
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
            f"no run {run_id!r} in {runtime.config.place}; `envwright runs` lists what there is"
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

    One worker is a thread of this process; more are processes of their own; with none the run is
    waited for while workers elsewhere serve it.

    Raises:
        InfrastructureError: every worker has ended by itself.
    """
    crew = start_crew(runtime, run_id, workers)
    try:
        ending: Ending | None = None
        while ending is None:
            asked = stop.asked.wait(_TICK_SECONDS)
            progress()
            ending = "interrupted" if asked else _ending(runtime, run_id)
            if ending is None and not crew.alive():
                raise InfrastructureError(
                    f"every worker of run {run_id} has ended ({crew.ending()}). When the cause is "
                    f"gone, go on with: envwright resume {run_id}"
                )
    finally:
        crew.stop()
    if ending == "interrupted":
        ending = _interrupted(runtime, run_id)
    seal_quietly(runtime.seals, minimum=1 if ending in _OVER else ENOUGH)
    return ending


def _interrupted(runtime: Runtime, run_id: str) -> Ending:
    if runtime.run_state(run_id).status in ("requested", "running"):
        runtime.record(RunPaused(run=run_id, cause="interrupted"), role="operator")
        return "interrupted"
    return _ending(runtime, run_id) or "interrupted"  # It ended while its workers finished.


def attempt_only(runtime: Runtime, run_id: str, accept: Accept, done: Callable[[], bool]) -> None:
    """Serve only the deliveries that `accept` takes, until `done`."""
    stop = threading.Event()
    worker = Worker(runtime, run_id=run_id, accept=accept)
    worker.serve(stop, alive=lambda: not done())


def _ending(runtime: Runtime, run_id: str) -> Ending | None:
    """Say how a run has ended; None while there is something to do in it."""
    state = runtime.run_state(run_id)
    if state.status == "failed":
        return "failed"
    if state.status == "paused":
        return None if runtime.leases.held(run_id) else "paused"
    if state.status == "completed":
        _reopen_withdrawn(runtime, run_id)
        if _outstanding(runtime, run_id):
            return None
        assert state.completed is not None and state.requested is not None
        short = state.completed.shortfall > 0 and not state.requested.settings.allow_short
        return "short" if short else "completed"
    stuck = runtime.leases.parked(run_id) and not _outstanding(runtime, run_id)
    return "stuck" if stuck else None


def _reopen_withdrawn(runtime: Runtime, run_id: str) -> None:
    """Open what is parked in a run that is over: nobody needs it, so workers drain it unread."""
    causes = [runtime.log.get(work.cause) for work in runtime.leases.parked(run_id)]
    if any(cause is not None and is_gating(cause) for cause in causes):
        runtime.leases.reissue(run_id)


def _outstanding(runtime: Runtime, run_id: str) -> bool:
    """Say whether a run has deliveries that somebody serves or could still serve."""
    head = runtime.log.head()
    if runtime.leases.waiting(run_id) or runtime.leases.held(run_id):
        return True
    subscription = runtime.open_work.subscribe(
        runtime.config.group, list(runtime.config.roles), run_id=run_id
    )
    try:
        due = bool(subscription.poll(limit=1, timeout=0))
    finally:
        subscription.close()
    # Work that changed hands between these questions left an event: ask again later.
    return due or runtime.log.head() != head
