"""The command `fork`: a new run from a point in another's past."""

from pathlib import Path
from typing import Annotated

import typer

from envwright.agents import ForkPoint, Runtime, fork_point, fork_run, origin_state
from envwright.console.bus import bus_url
from envwright.console.conduct import conduct, resume_command
from envwright.console.exits import Exit
from envwright.console.folders import check_out
from envwright.console.home import known_home
from envwright.console.identity import find_run, identify
from envwright.console.options import (
    HomeOption,
    JsonOption,
    OutOption,
    RunArgument,
    WorkersOption,
)
from envwright.console.report.file import check_report
from envwright.console.terminal import notice, print_json
from envwright.events.canonical import Json

AtOption = Annotated[
    str,
    typer.Option(
        "--at",
        metavar="POINT",
        help="A position of the log, an event, or round:N for the end of round N. Another point "
        "than a round's boundary or a package's event is moved back to the last one.",
    ),
]
SetOption = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="K=V",
        help="A setting of the run such as count, seed, slots, max_rounds, max_repairs, attempts, "
        "max_turns, panel or allow_short; gates.GATE.SETTING; or options.NAME for an option of "
        "the recipe. May be repeated.",
    ),
]
NoRunOption = Annotated[
    bool, typer.Option("--no-run", help="Only record the fork; `envwright resume` starts it.")
]
ReportOption = Annotated[
    Path | None,
    typer.Option(
        "--report",
        metavar="FILE",
        help="Write the report of the run here, as one HTML page that needs nothing else.",
    ),
]


def fork(
    run: RunArgument,
    at: AtOption,
    set_: SetOption = None,
    no_run: NoRunOption = False,
    workers: WorkersOption = None,
    out: OutOption = None,
    home: HomeOption = None,
    report: ReportOption = None,
    as_json: JsonOption = False,
) -> None:
    """Begin a new run at a point in another run's past, with some settings set otherwise.

    Slots that RUN had settled by then are inherited by reference, with their packages, gates and
    trials, wherever nothing that decided them is different: brief, seed, mined profile, gate set,
    limit of repairs. All others are done anew. RUN itself is left as it is; nothing it had only
    begun is carried over. The fork comes to what a new run with its settings would come to.

    The exit codes are those of `envwright synth`.

    Examples:
      envwright fork run-01997f3c5a7e --at round:1 --set count=10
      envwright fork run-01997f3c5a7e --at 1200 --set gates.reference_passes.seeds=[0,1,2]
      envwright fork run-01997f3c5a7e --at round:1 --set seed=8 --no-run --json
    """
    if out is not None:
        check_out(out)
    if report is not None:
        check_report(report)
    with known_home(home, checkpoints=not no_run, bus=None if no_run else bus_url()) as runtime:
        origin = find_run(runtime, run)
        point = fork_point(runtime, origin, _whole(runtime, at))
        run_id = fork_run(runtime, origin, point, set_ or [])
        if point.moved:
            notice(
                f"position {point.asked} is no round's boundary and no package's event: the fork "
                f"is at the last one before it, {point.position} ({point.what})"
            )
        notice(f"run {run_id} forked from {origin} at position {point.position}, {point.what}")
        go_on = resume_command(runtime, run_id)
        if no_run:
            code = Exit.DONE
            notice(f"it is not started; start it with: {go_on}")
            if as_json:
                print_json(_view(runtime, run_id, point))
        else:
            notice(f"(if it is stopped: {go_on})")
            code = conduct(
                runtime, run_id, workers=workers, out=out, report=report, as_json=as_json
            )
    raise typer.Exit(code)


def _whole(runtime: Runtime, at: str) -> str:
    """Return a point with the beginning of an event's id made whole."""
    if at.isdecimal() or at.startswith("round:"):
        return at
    return identify(runtime, at).id


def _view(runtime: Runtime, run_id: str, point: ForkPoint) -> dict[str, Json]:
    state = runtime.run_state(run_id)
    assert state.forked is not None
    return {
        "run": run_id,
        "status": state.status,
        "fork": {
            "origin": state.forked.origin,
            "at": point.position,
            "asked": point.asked,
            "event": point.event,
            "what": point.what,
            "set": state.forked.set,
            "settled": len(origin_state(runtime, state.forked).outcomes),
        },
    }
