"""Options: what several commands take, declared once."""

from pathlib import Path
from typing import Annotated

import typer

HomeOption = Annotated[
    Path | None,
    typer.Option(
        "--home",
        metavar="DIR",
        help="Folder of the log and artifacts.",
        show_default="ENVWRIGHT_HOME or .envwright",
    ),
]
JsonOption = Annotated[
    bool, typer.Option("--json", help="Print one JSON object; the rest goes to standard error.")
]
HtmlOption = Annotated[
    Path | None,
    typer.Option(
        "--html",
        metavar="FILE",
        dir_okay=False,
        help="Write the report of a run here, as one HTML page that needs nothing else.",
    ),
]
AtOption = Annotated[
    str | None,
    typer.Option(
        "--at",
        metavar="POSITION",
        help="As it was when the log had come to this position, or to this event.",
    ),
]
WorkersOption = Annotated[
    int | None,
    typer.Option(
        "--workers",
        min=0,
        help="Processes that work on the run; with 0 it waits for `envwright worker` to serve it.",
        show_default="2, or 1 on one CPU",
    ),
]
OutOption = Annotated[
    Path | None,
    typer.Option(
        "--out",
        metavar="DIR",
        help="Write each admitted package as a folder <number>-<package id> in here.",
    ),
]
RunArgument = Annotated[
    str, typer.Argument(metavar="RUN", help="Id of a run, or its unique beginning.")
]
