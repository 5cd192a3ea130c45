"""The command tree of `envwright`, and its entry point."""

import inspect
from collections.abc import Callable
from importlib import metadata
from typing import Annotated

import typer

from envwright.console.audit import ABOUT_AUDIT, AUDIT, audit
from envwright.console.bus import with_bus
from envwright.console.dead import ABOUT_DEAD, DEAD, dead
from envwright.console.doctor import doctor
from envwright.console.exits import CommandGroup
from envwright.console.fork import fork
from envwright.console.lifecycle import pause, resume, runs
from envwright.console.listings import costs, packages, projections, yields
from envwright.console.log import events
from envwright.console.recipes import recipes
from envwright.console.relay import relay
from envwright.console.replay import replay
from envwright.console.show import show
from envwright.console.solve import solve
from envwright.console.store import with_store
from envwright.console.synth import synth
from envwright.console.trace import trace
from envwright.console.worker import worker


def flowing(docstring: str) -> str:
    """Return help text whose paragraphs fit any width; examples keep their lines."""
    paragraphs = inspect.cleandoc(docstring).split("\n\n")
    return "\n\n".join(
        text if text.startswith("Example") else " ".join(text.split()) for text in paragraphs
    )


_PANELS: dict[str, tuple[Callable[..., None], ...]] = {
    "Make": (synth, resume, pause, fork),
    "Look": (runs, packages, yields, costs, show, trace, events),
    "Prove": (replay, solve),
    "Serve": (worker, relay),
    "Set up": (recipes, doctor, projections),
}

_RELAYING = (synth, resume, fork, solve)
"""What works on a run: over a broker, where one is named, and with a relay of its own."""


def _taking(command: Callable[..., None]) -> Callable[..., None]:
    """Return a command with the options of the services that it uses."""
    if command in (*_RELAYING, worker, relay, *DEAD):
        command = with_bus(command, relays=command in _RELAYING)
    return with_store(command)


app = typer.Typer(
    name="envwright",
    cls=CommandGroup,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
)
for panel, commands in _PANELS.items():
    for command in commands:
        app.command(rich_help_panel=panel, help=flowing(command.__doc__ or ""))(_taking(command))
for command in AUDIT:
    audit.command(help=flowing(command.__doc__ or ""))(with_store(command))
for command in DEAD:
    dead.command(name=command.__name__.rstrip("_"), help=flowing(command.__doc__ or ""))(
        _taking(command)
    )
app.add_typer(dead, name="dead", rich_help_panel="Look", help=flowing(ABOUT_DEAD))
app.add_typer(audit, name="audit", rich_help_panel="Prove", help=flowing(ABOUT_AUDIT))


def _print_version(asked: bool) -> None:
    if asked:
        typer.echo(f"envwright {metadata.version('envwright')}")
        raise typer.Exit


VersionOption = Annotated[
    bool,
    typer.Option(
        "--version", callback=_print_version, is_eager=True, help="Print the version and end."
    ),
]


_ABOUT = """Make training environments for agents out of real material, and prove each one.

Everything that happens is an event in the append-only log of a home: a run that is killed
goes on, and whatever comes out of it can be traced, replayed and checked.

Example:
  envwright synth retail.json --recipe toolspace --count 5 --seed 7
"""


@app.callback(help=flowing(_ABOUT))
def envwright(version: VersionOption = False) -> None:
    """Hold what stands before the command."""


def run() -> None:
    """Run the command line; the entry point of the package."""
    app()


if __name__ == "__main__":
    run()
