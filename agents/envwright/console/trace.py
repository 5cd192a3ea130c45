"""The command `trace`: where the time of a run, package, attempt or event went, span by span."""

from pathlib import Path
from typing import Annotated, cast, get_args

import typer

from envwright.agents.traces import Traced, trace_of
from envwright.console.home import known_home
from envwright.console.identity import identify
from envwright.console.options import HomeOption, JsonOption
from envwright.console.pages.trace import trace_page
from envwright.console.report.file import write_page
from envwright.console.report.waterfall import trace_document
from envwright.console.terminal import print_json, print_page
from envwright.console.views.trace import trace_view
from envwright.events.errors import BadInputError

IdArgument = Annotated[
    str,
    typer.Argument(
        metavar="ID",
        help="Id of a run, package, attempt, event or piece of work, or its unique beginning.",
    ),
]
AllOption = Annotated[bool, typer.Option("--all", help="Show each call of a tool on its own line.")]
WaterfallOption = Annotated[
    Path | None,
    typer.Option(
        "--html",
        metavar="FILE",
        dir_okay=False,
        help="Draw the spans as a waterfall, as one HTML page that needs nothing else.",
    ),
]


def trace(
    what: IdArgument,
    every_span: AllOption = False,
    home: HomeOption = None,
    as_json: JsonOption = False,
    html: WaterfallOption = None,
) -> None:
    """Show the span tree of a run, package or attempt: durations, tokens, errors, tries.

    Spans of all processes that worked on it are joined with the log: each line names the events
    that were written in it, and the id of an event leads to the span that wrote it. A try whose
    process was killed is drawn from what the log knows of it, beside the try that took over.

    Examples:
      envwright trace pkg-4b1d
      envwright trace run-01997f3c5a7e --html trace.html
      envwright trace 01997f3c-5a7e --json | jq .roots[0].events
    """
    with known_home(home) as runtime:
        identity = identify(runtime, what)
        if identity.kind not in get_args(Traced):
            raise BadInputError(
                f"{what} is of the kind {identity.kind!r}; a trace has a run, package, attempt, "
                "event or piece of work"
            )
        view = trace_view(trace_of(runtime, cast(Traced, identity.kind), identity.id))
    if html is not None:
        write_page(html, trace_document(view), "trace")
    if as_json:
        print_json(view)
    elif html is None:
        print_page(*trace_page(view, every_span=every_span))
