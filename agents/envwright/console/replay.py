"""The command `replay`: what a run recorded, done again and compared."""

from enum import StrEnum
from typing import Annotated

import typer

from envwright.agents import Replayed, Runtime, replay_execution, replay_state
from envwright.console.exits import Exit
from envwright.console.home import known_home
from envwright.console.identity import find_run
from envwright.console.options import HomeOption, JsonOption, RunArgument
from envwright.console.pages.replay import replay_page
from envwright.console.terminal import counting, print_json, print_page
from envwright.events.canonical import Json
from envwright.events.errors import BadInputError


class Level(StrEnum):
    """How deep a replay goes."""

    STATE = "state"
    EXECUTION = "execution"
    DECISION = "decision"


LevelOption = Annotated[
    Level,
    typer.Option(
        "--level",
        help="state: prove every byte of the log. execution: run every gate and attempt again.",
    ),
]


def replay(
    run: RunArgument,
    level: LevelOption = Level.STATE,
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Do again what a run recorded, and stop at the first thing that comes out differently.

    With --level state the log is folded from its beginning: every payload, header, chain and
    artifact is checked against its hash, and the kept tables against the fold. With --level
    execution, after that, every recorded gate and attempt is run again on the recorded revision
    with the recorded calls, and verdicts, evidence and observations must be the same.

    Exit codes: 0 no divergence, 1 a divergence, with the event that it is at.

    Examples:
      envwright replay run-01997f3c5a7e --level execution
      envwright replay run-01997f3c5a7e --level state --json
    """
    if level is Level.DECISION:
        raise BadInputError(
            "replay --level decision comes in a later version; state and execution are there"
        )
    with known_home(home) as runtime:
        run_id = find_run(runtime, run)
        replayed = _replayed(runtime, run_id, level)
    found = _view(run_id, level, replayed)
    if as_json:
        print_json(found)
    else:
        print_page(*replay_page(found))
    raise typer.Exit(Exit.CHECK_FAILED if replayed.diverged else Exit.DONE)


def _replayed(runtime: Runtime, run_id: str, level: Level) -> Replayed:
    state = replay_state(runtime.config, run_id)
    if level is Level.STATE or state.diverged is not None:
        return state
    with counting("gates and attempts compared") as count:
        return replay_execution(runtime, run_id, count)


def _view(run_id: str, level: Level, replayed: Replayed) -> dict[str, Json]:
    diverged = replayed.diverged
    return {
        "run": run_id,
        "level": level.value,
        "compared": replayed.compared,
        "diverged": diverged
        and {
            "event": diverged.event,
            "expected": diverged.expected,
            "actual": diverged.actual,
        },
    }
