"""The commands `dead list`, `dead show` and `dead replay`: deliveries that were given up."""

from collections.abc import Callable
from typing import Annotated

import typer

from envwright.agents import Runtime, dead_messages
from envwright.console.bus import bus_url
from envwright.console.conduct import resume_command
from envwright.console.home import known_home
from envwright.console.identity import find_run
from envwright.console.options import HomeOption, JsonOption
from envwright.console.pages.dead import dead_page, letter_page
from envwright.console.terminal import notice, print_json, print_page
from envwright.console.views.dead import delivery_view, message_view, parked_view, stray_view
from envwright.events.canonical import Json
from envwright.events.errors import BadInputError

RunOption = Annotated[
    str | None, typer.Option("--run", metavar="RUN", help="Only what was parked in this run.")
]
LetterArgument = Annotated[
    str,
    typer.Argument(
        metavar="ID",
        help="Id of the work that is parked, or its unique beginning; or, with a broker, the place "
        "of a message such as envwright.work.tester.v1.dead/0/17.",
    ),
]


def list_(run: RunOption = None, home: HomeOption = None, as_json: JsonOption = False) -> None:
    """List what was given up after its retries, each with its last error.

    A parked delivery holds later ones of its stream and role, and its run cannot end before it is
    replayed. With a broker, messages are listed as well that were no delivery at all.

    Example:
      envwright dead list --run run-01997f3c5a7e
    """
    with known_home(home) as runtime:
        parked = parked_view(runtime, None if run is None else find_run(runtime, run))
    bus = bus_url().get_secret_value()
    view: dict[str, Json] = {
        "parked": parked,
        "strays": stray_view(dead_messages(bus)) if bus and run is None else [],
    }
    if as_json:
        print_json(view)
    else:
        print_page(*dead_page(view))


def show(what: LetterArgument, home: HomeOption = None, as_json: JsonOption = False) -> None:
    """Show one of them: its error, and the event or the message that it is about.

    Of a message that is no delivery: why it was put aside, and the beginning of its body.

    Example:
      envwright dead show wrk-5b1f0c
    """
    if "/" in what:
        view = _message(what)
    else:
        with known_home(home) as runtime:
            view = delivery_view(runtime, _find(runtime, what))
    if as_json:
        print_json(view)
    else:
        print_page(*letter_page(view))


def replay(what: LetterArgument, home: HomeOption = None, as_json: JsonOption = False) -> None:
    """Open one of them again, when the cause of its failure is gone.

    Whoever serves its run handles it next, with its failures forgotten; if nobody does,
    `envwright resume RUN` is what to type.

    Example:
      envwright dead replay wrk-5b1f0c
    """
    if "/" in what:
        raise BadInputError(
            f"{what} is a message and no delivery; if the log holds its event, the work for it is "
            "open and needs no message: `envwright dead list` shows what is parked"
        )
    with known_home(home) as runtime:
        row = _find(runtime, what)
        run, work = str(row["run"]), str(row["work"])
        runtime.leases.reissue(run, work=work)
        runtime.bus.notify()
        status = runtime.run_state(run).status
        go_on = resume_command(runtime, run)
    if as_json:
        print_json({"work": work, "run": run, "status": status})
    else:
        notice(f"{work} is open again; run {run} is {status}; if nobody serves it: {go_on}")


DEAD: tuple[Callable[..., None], ...] = (list_, show, replay)

ABOUT_DEAD = """List, show and replay what was given up: the dead letters.

Example:
  envwright dead list
"""

dead = typer.Typer(no_args_is_help=True, rich_markup_mode="rich")


def _find(runtime: Runtime, text: str) -> dict[str, Json]:
    rows = parked_view(runtime)
    found = [row for row in rows if str(row["work"]).startswith(text)]
    if len(found) != 1:
        many = f"begins {len(found)} of the" if found else "is the beginning of no"
        raise BadInputError(
            f"{text!r} {many} parked deliveries in {runtime.config.place}; `envwright dead list` "
            "lists them"
        )
    return found[0]


def _message(place: str) -> dict[str, Json]:
    bus = bus_url().get_secret_value()
    if not bus:
        raise BadInputError(f"{place} is a message of a broker; name it with --bus")
    for message in dead_messages(bus):
        if message.place == place:
            return message_view(message)
    raise BadInputError(f"no dead letter at {place}; `envwright dead list --bus URL` lists them")
