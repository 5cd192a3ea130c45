"""The command `replay`: what a run recorded, done again and compared."""

import os
from enum import StrEnum
from typing import Annotated

import typer

from envwright.agents import Divergence, Replayed, ReplayLevel, Runtime, replay_run
from envwright.console.exits import Exit
from envwright.console.home import known_home
from envwright.console.identity import find_run
from envwright.console.options import HomeOption, JsonOption, RunArgument
from envwright.console.pages.replay import replay_page
from envwright.console.terminal import measuring, print_json, print_page
from envwright.events.canonical import Json

_MOST_WORKERS = 8


class Level(StrEnum):
    """How deep a replay goes."""

    STATE = "state"
    EXECUTION = "execution"
    DECISION = "decision"


LevelOption = Annotated[
    Level,
    typer.Option(
        "--level",
        help="state: prove every byte of the log. execution: run every gate and attempt again. "
        "decision: let every handler decide again.",
    ),
]
WorkersOption = Annotated[
    int | None,
    typer.Option(
        "--workers",
        min=1,
        help="Processes that share the work.",
        show_default=f"one per CPU, at most {_MOST_WORKERS}",
    ),
]
KeepGoingOption = Annotated[
    bool,
    typer.Option("--keep-going", help="Compare everything and list every divergence."),
]

_UNITS: dict[ReplayLevel, str] = {
    "state": "parts of the log proved",
    "execution": "gates and attempts run again",
    "decision": "deliveries decided again",
}


def replay(
    run: RunArgument,
    level: LevelOption = Level.STATE,
    workers: WorkersOption = None,
    keep_going: KeepGoingOption = False,
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Do again what a run recorded, and stop at the first thing that comes out differently.

    With --level state the log is folded from its beginning: every payload, header, chain and
    artifact is checked against its hash, and the kept tables against the fold. After that, with
    --level execution every recorded gate and attempt is run again on the recorded revision with
    the recorded calls, and verdicts, evidence and observations must be the same; with --level
    decision every handler decides again from its cause, what it had read and its recorded effects,
    and must say the same. Decision code that reads a clock, unseeded chance, the environment, the
    network or the log behind its context is named, even if it says the same. Nothing is written.

    The first divergence is the first in the order of the log, however many processes share the
    work. A process that is lost is an error, never a pass.

    Exit codes: 0 no divergence, 1 a divergence, with the event that it is at, 3 infrastructure.

    Examples:
      envwright replay run-01997f3c5a7e --level decision
      envwright replay run-01997f3c5a7e --level execution --keep-going --json
    """
    with known_home(home) as runtime:
        run_id = find_run(runtime, run)
        replayed = _replayed(runtime, run_id, level.value, workers or _processors(), keep_going)
    found = _view(run_id, level, replayed, keep_going)
    if as_json:
        print_json(found)
    else:
        print_page(*replay_page(found))
    raise typer.Exit(Exit.CHECK_FAILED if replayed.diverged else Exit.DONE)


def _processors() -> int:
    return min(_MOST_WORKERS, os.cpu_count() or 1)


def _replayed(
    runtime: Runtime, run_id: str, level: ReplayLevel, workers: int, keep_going: bool
) -> Replayed:
    """Replay the state first, since nothing deeper can be told from bytes that are wrong."""
    state = _measured(runtime, run_id, "state", workers, keep_going)
    if level == "state" or (state.diverged is not None and not keep_going):
        return state
    deeper = _measured(runtime, run_id, level, workers, keep_going)
    return deeper.model_copy(update={"divergences": (*state.divergences, *deeper.divergences)})


def _measured(
    runtime: Runtime, run_id: str, level: ReplayLevel, workers: int, keep_going: bool
) -> Replayed:
    with measuring(_UNITS[level]) as progress:
        return replay_run(
            runtime.config,
            level,
            run_id,
            workers=workers,
            keep_going=keep_going,
            progress=progress,
        )


def _view(run_id: str, level: Level, replayed: Replayed, keep_going: bool) -> dict[str, Json]:
    first = replayed.diverged
    found: dict[str, Json] = {
        "run": run_id,
        "level": level.value,
        "compared": replayed.compared,
        "counts": dict(sorted(replayed.counts.items())),
        "diverged": None if first is None else _object(first),
    }
    if keep_going:
        found["divergences"] = [_object(each) for each in replayed.divergences]
    return found


def _object(divergence: Divergence) -> dict[str, Json]:
    found = divergence.model_dump(mode="json")
    return found if divergence.delivery else {k: v for k, v in found.items() if k != "delivery"}
