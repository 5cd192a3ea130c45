"""The commands `packages`, `yields`, `costs` and `projections`: lists from the read models."""

from collections.abc import Callable, Iterator
from typing import Annotated

import typer
from rich.console import RenderableType

from envwright.agents import Runtime
from envwright.console.home import known_home
from envwright.console.identity import find_run
from envwright.console.options import HomeOption, JsonOption
from envwright.console.pages.costs import costs_page
from envwright.console.pages.packages import packages_page
from envwright.console.pages.projections import projections_page
from envwright.console.pages.yields import yields_page
from envwright.console.terminal import print_json, print_page
from envwright.console.views.costs import costs_view
from envwright.console.views.packages import packages_view
from envwright.console.views.projections import projections_view
from envwright.console.views.yields import yields_view
from envwright.events.canonical import Json

OptionalRunArgument = Annotated[
    str | None,
    typer.Argument(
        metavar="RUN",
        help="Id of a run, or its unique beginning; without one, all runs.",
        show_default=False,
    ),
]
RebuildOption = Annotated[
    str | None,
    typer.Option(
        "--rebuild", metavar="NAME", help="Fold this one from the first event again; or `all`."
    ),
]

View = dict[str, Json]


def packages(
    run: OptionalRunArgument = None, home: HomeOption = None, as_json: JsonOption = False
) -> None:
    """List packages with what became of them: status, repairs, revision, reason, origin.

    They come in the order of their runs, rounds and slots; `envwright show PACKAGE` shows one.

    Examples:
      envwright packages run-01997f3c5a7e
      envwright packages --json | jq -r '.packages[] | select(.status == "admitted") | .package'
    """
    _list(run, home, as_json, packages_view, packages_page)


def yields(
    run: OptionalRunArgument = None, home: HomeOption = None, as_json: JsonOption = False
) -> None:
    """Tell how many slots became packages, round by round, and why the others did not.

    With the verdicts of every gate, over all revisions that were tested, and their reasons.

    Examples:
      envwright yields run-01997f3c5a7e
      envwright yields --json
    """
    _list(run, home, as_json, yields_view, yields_page)


def costs(
    run: OptionalRunArgument = None, home: HomeOption = None, as_json: JsonOption = False
) -> None:
    """Tell what the work cost, by stage: time, effects, claims and the tokens of models.

    The time is that of all workers together. Work that was taken over has more than one claim.

    Examples:
      envwright costs run-01997f3c5a7e
      envwright costs --json
    """
    _list(run, home, as_json, costs_view, costs_page)


def projections(
    rebuild: RebuildOption = None, home: HomeOption = None, as_json: JsonOption = False
) -> None:
    """List the projections of the home: where each stands, and why one is parked.

    One that cannot fold an event is parked with its error and stops no other; --rebuild folds it
    from the first event again, which gives the same rows, byte for byte.

    Examples:
      envwright projections
      envwright projections --rebuild all
    """
    with known_home(home) as runtime:
        if rebuild is not None:
            names = runtime.read_models.names if rebuild == "all" else (rebuild,)
            for name in names:
                runtime.read_models.rebuild(name)
        view = projections_view(runtime)
    _print(view, as_json, projections_page)


def _list(
    run: str | None,
    home: HomeOption,
    as_json: bool,
    view: Callable[[Runtime, str | None], View],
    page: Callable[[View], Iterator[RenderableType]],
) -> None:
    with known_home(home) as runtime:
        found = view(runtime, find_run(runtime, run) if run else None)
    _print(found, as_json, page)


def _print(found: View, as_json: bool, page: Callable[[View], Iterator[RenderableType]]) -> None:
    if as_json:
        print_json(found)
    else:
        print_page(*page(found))
