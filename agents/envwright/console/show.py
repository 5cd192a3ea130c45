"""The command `show`: whatever an id stands for, readable, as it is or as it was at a moment."""

from collections.abc import Callable, Iterator
from typing import Annotated

import typer
from rich.console import RenderableType

from envwright.agents import Runtime
from envwright.console.folders import write_exports
from envwright.console.home import known_home
from envwright.console.identity import Kind, identify
from envwright.console.moment import at_moment, find_moment
from envwright.console.options import AtOption, HomeOption, HtmlOption, JsonOption
from envwright.console.pages.artifact import artifact_page
from envwright.console.pages.attempt import attempt_page
from envwright.console.pages.moment import moment_part
from envwright.console.pages.package import package_page
from envwright.console.pages.run import run_page
from envwright.console.pages.stream import event_page, stream_page, work_page
from envwright.console.pages.trial import trial_page
from envwright.console.report.file import write_report
from envwright.console.terminal import print_json, print_page
from envwright.console.views.artifact import artifact_view
from envwright.console.views.attempt import attempt_view
from envwright.console.views.package import package_view
from envwright.console.views.run import run_view
from envwright.console.views.stream import event_view, stream_view, work_view
from envwright.console.views.trial import trial_view
from envwright.events.canonical import Json
from envwright.events.errors import BadInputError

View = Callable[[Runtime, str], dict[str, Json]]
Page = Callable[[dict[str, Json]], Iterator[RenderableType]]

_SHOWN: dict[Kind, tuple[View, Page]] = {
    "run": (run_view, run_page),
    "package": (package_view, package_page),
    "attempt": (attempt_view, attempt_page),
    "artifact": (artifact_view, artifact_page),
    "event": (event_view, event_page),
    "work": (work_view, work_page),
    "stream": (stream_view, stream_page),
    "trial": (trial_view, trial_page),
}

IdArgument = Annotated[
    str,
    typer.Argument(
        metavar="ID",
        help="Id of a run, package, attempt, trial, event or piece of work, or the digest of an "
        "artifact or revision; the unique beginning of one is enough. Or a whole stream, such as "
        "package/<id>.",
    ),
]


def show(
    what: IdArgument,
    at: AtOption = None,
    home: HomeOption = None,
    as_json: JsonOption = False,
    html: HtmlOption = None,
) -> None:
    """Show what an id stands for, readable.

    Of a run: sources, fidelity of its tools, yield by reason, gates, pass^k, where the time went
    and a timeline; `--html` writes all of it, with pictures, as one page, and the tool graph as
    graph.json beside it. Of a package: instruction, tools, facts, reference solution, gates with
    their evidence, trials and lineage. Of an attempt: each turn and the verdict. Of an artifact,
    such as a gate's evidence: its content.

    With `--at` it is shown as it was when the log had come to a position or an event: folded
    from the events up to there. Artifacts never change.

    Examples:
      envwright show run-01997f3c5a7e
      envwright show run-01997f3c5a7e --html report.html
      envwright show pkg-4b1d --at 1200
      envwright show 9f86d081884c7d65 --json
    """
    with known_home(home) as runtime:
        identity = identify(runtime, what)
        view, page = _SHOWN[identity.kind]
        if html is not None and identity.kind != "run":
            raise BadInputError(f"--html draws runs; {what} is of the kind {identity.kind!r}")
        if at is None:
            found = view(runtime, identity.id)
        else:
            moment = find_moment(runtime, at)
            past = at_moment(runtime, identity, moment)
            found = {**view(past, identity.id), "at": moment.view()}
        if html is not None:
            write_report(html, found)
            write_exports(runtime, identity.id, html.parent)
    if as_json:
        print_json(found)
    elif html is None:
        print_page(*moment_part(found), *page(found))
