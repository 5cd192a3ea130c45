"""The commands `resume`, `pause` and `runs`: the life of a run after it was asked for."""

import typer

from envwright.agents import as_of, pause_run, resume_run
from envwright.console.bus import bus_url
from envwright.console.conduct import conduct, resume_command
from envwright.console.folders import check_out
from envwright.console.home import home_folder, known_home
from envwright.console.identity import find_run
from envwright.console.moment import find_moment
from envwright.console.options import (
    AtOption,
    HomeOption,
    JsonOption,
    OutOption,
    RunArgument,
    WorkersOption,
)
from envwright.console.pages.moment import moment_part
from envwright.console.pages.runs import runs_page
from envwright.console.store import store_url
from envwright.console.terminal import notice, print_json, print_page
from envwright.console.views.runs import runs_view


def resume(
    run: RunArgument,
    workers: WorkersOption = None,
    out: OutOption = None,
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Go on with a run after a stop, a pause or a kill.

    Work whose holder died is taken over with all that it had recorded; parked deliveries are
    tried again. A run that is complete is reported once more, and --out writes its packages.
    The exit codes are those of `envwright synth`.

    Examples:
      envwright resume run-01997f3c5a7e
      envwright resume run-01997f3c5a7e --workers 2 --out packages
    """
    if out is not None:
        check_out(out)
    with known_home(home, checkpoints=True, bus=bus_url()) as runtime:
        run_id = find_run(runtime, run)
        resume_run(runtime, run_id)
        notice(f"run {run_id}  (if it is stopped: {resume_command(runtime, run_id)})")
        code = conduct(runtime, run_id, workers=workers, out=out, as_json=as_json)
    raise typer.Exit(code)


def pause(run: RunArgument, home: HomeOption = None, as_json: JsonOption = False) -> None:
    """Stop a running run cleanly, from another terminal or machine.

    Its workers finish what they hold and claim no more; the command that drives the run then
    ends with exit code 130, and `envwright resume RUN` goes on.

    Example:
      envwright pause run-01997f3c5a7e
    """
    with known_home(home) as runtime:
        run_id = find_run(runtime, run)
        pause_run(runtime, run_id)
        go_on = resume_command(runtime, run_id)
    if as_json:
        print_json({"run": run_id, "status": "paused"})
    else:
        notice(f"run {run_id} is paused; go on with: {go_on}")


def runs(at: AtOption = None, home: HomeOption = None, as_json: JsonOption = False) -> None:
    """List the runs of the home, newest first; with `--at` those that there were, as they were.

    A run is requested, running, paused, completed or failed. One that is running without a
    worker was killed: `envwright resume RUN` goes on with it.

    Examples:
      envwright runs
      envwright runs --at 1200 --json
    """
    if not store_url().get_secret_value() and not home_folder(home).exists():
        notice(f"no home at {str(home_folder(home))!r} yet; `envwright synth` makes one")
        if as_json:
            print_json({"runs": []})
        return
    with known_home(home) as runtime:
        if at is None:
            view = runs_view(runtime)
        else:
            moment = find_moment(runtime, at)
            view = {**runs_view(as_of(runtime, moment.position)), "at": moment.view()}
    if as_json:
        print_json(view)
    else:
        print_page(*moment_part(view), *runs_page(view))
