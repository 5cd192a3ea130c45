"""The command `synth`: a run from sources to admitted packages."""

import json
from pathlib import Path
from typing import Annotated

import typer

from envwright.agents import read_sources, request_run
from envwright.agents.solver.policies import get_policy
from envwright.console.bus import bus_url
from envwright.console.conduct import conduct, resume_command
from envwright.console.folders import check_out
from envwright.console.home import new_or_known_home
from envwright.console.identity import find_run
from envwright.console.options import HomeOption, JsonOption, OutOption, WorkersOption
from envwright.console.report.file import check_report
from envwright.console.settings import load_settings
from envwright.console.terminal import notice
from envwright.events.canonical import Json
from envwright.events.errors import BadInputError
from envwright.events.values import PolicySpec, RunSettings
from envwright.recipes import Disguise, get_recipe

_SETTABLE = ("max_turns", "max_repairs", "max_retries")
"""Settings of a run that have no option of their own."""

# The signature is the command's documentation: one line for each option that a user can type.
SourcesArgument = Annotated[
    list[Path], typer.Argument(metavar="SOURCE", help="Files to start from, such as tool logs.")
]
RecipeOption = Annotated[
    str, typer.Option("--recipe", help="The method; `envwright recipes` lists them.")
]
CountOption = Annotated[int, typer.Option("--count", min=1, help="Packages to admit.")]
SeedOption = Annotated[
    int, typer.Option("--seed", help="Another seed makes other packages from the same sources.")
]
SlotsOption = Annotated[
    int | None,
    typer.Option(
        "--slots", min=1, help="Packages tried in a round.", show_default="twice the count"
    ),
]
RoundsOption = Annotated[int, typer.Option("--max-rounds", min=1, help="Rounds at most.")]
AttemptsOption = Annotated[
    int, typer.Option("-k", "--attempts", min=1, help="Attempts of each policy on a package.")
]
PanelOption = Annotated[
    str,
    typer.Option("--panel", help="Policies that attempt each package, by commas; '' for none."),
]
ShortOption = Annotated[
    bool, typer.Option("--allow-short", help="Fewer packages than asked for are fine too.")
]
NovelOption = Annotated[
    list[str] | None,
    typer.Option(
        "--novel-against", metavar="RUN", help="Admit nothing that RUN has. May be repeated."
    ),
]
PseudonymiseOption = Annotated[
    list[str] | None,
    typer.Option(
        "--pseudonymise",
        metavar="FIELD",
        help="Replace what stands in this field, or path such as address.zip, wherever it occurs, "
        "before anything is kept. May be repeated.",
    ),
]
HoldoutOption = Annotated[
    list[Path] | None,
    typer.Option(
        "--holdout",
        metavar="FILE",
        help="A tool log or solution that was set aside for evaluation: nothing like it is "
        "admitted. May be repeated.",
    ),
]
ReportOption = Annotated[
    Path | None,
    typer.Option(
        "--report",
        metavar="FILE",
        help="Write the report of the run here, as one HTML page that needs nothing else, and the "
        "tool graph as graph.json beside it.",
    ),
]
SetOption = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="K=V",
        help=f"An option of the recipe, or {', '.join(_SETTABLE)}. May be repeated.",
    ),
]


def synth(
    sources: SourcesArgument,
    recipe: RecipeOption,
    count: CountOption = 10,
    seed: SeedOption = 0,
    workers: WorkersOption = None,
    out: OutOption = None,
    home: HomeOption = None,
    slots: SlotsOption = None,
    max_rounds: RoundsOption = 10,
    attempts: AttemptsOption = 4,
    panel: PanelOption = "searcher,random",
    allow_short: ShortOption = False,
    novel_against: NovelOption = None,
    pseudonymise: PseudonymiseOption = None,
    holdout: HoldoutOption = None,
    set_: SetOption = None,
    report: ReportOption = None,
    as_json: JsonOption = False,
) -> None:
    """Make training packages from real material: the main job.

    Six agents read the SOURCEs, plan, build, test, review and attempt packages, and admit the
    first --count that pass every gate. All of it goes through the log in --home, so a run that
    is stopped or killed goes on with `envwright resume RUN`; its id is said at the start. The
    same sources and seed give the same packages, however many workers there are.

    Exit codes: 0 done, 1 fewer packages than asked for, 2 bad input, 3 infrastructure,
    130 stopped.

    Examples:
      envwright synth retail.json --recipe toolspace --count 5 --seed 7
      envwright synth *.jsonl --recipe toolspace --count 50 --out packages --report report.html
    """
    settings = RunSettings.model_validate(
        {
            "recipe": get_recipe(recipe).id,
            "count": count,
            "seed": seed,
            "slots": slots,
            "max_rounds": max_rounds,
            "attempts": attempts,
            "panel": _panel(panel),
            "allow_short": allow_short,
            **_settings(set_ or [], pseudonymise or []),
        }
    )
    key = load_settings().pseudonym_key.get_secret_value()
    disguise = Disguise.of(settings.options, key)
    material = read_sources(sources, recipe, disguise, held_out=holdout or ())
    if out is not None:
        check_out(out)
    if report is not None:
        check_report(report)
    with new_or_known_home(home, bus=bus_url()) as runtime:
        known = tuple(find_run(runtime, run) for run in novel_against or [])
        run_id = request_run(runtime, settings, material, novel_against=known)
        notice(f"run {run_id}  (if it is stopped: {resume_command(runtime, run_id)})")
        code = conduct(runtime, run_id, workers=workers, out=out, report=report, as_json=as_json)
    raise typer.Exit(code)


def _panel(text: str) -> tuple[PolicySpec, ...]:
    names = [name.strip() for name in text.split(",") if name.strip()]
    for name in names:
        get_policy(name, {})
    doubles = sorted({name for name in names if names.count(name) > 1})
    if doubles:
        raise BadInputError(f"--panel names {', '.join(doubles)} twice; name each policy once")
    return tuple(PolicySpec(name=name) for name in names)


def _settings(pairs: list[str], pseudonymise: list[str]) -> dict[str, Json]:
    """Return what `--set` and `--pseudonymise` say as fields of the run's settings."""
    settings: dict[str, Json] = {}
    options: dict[str, Json] = {"pseudonymise": pseudonymise} if pseudonymise else {}
    for pair in pairs:
        name, equals, text = pair.partition("=")
        if not equals or not name:
            raise BadInputError(f"--set {pair!r} is no setting; expected NAME=VALUE")
        if name in _SETTABLE:
            settings[name] = _whole(name, text)
        else:
            options[name] = _value(text)
    return {**settings, "options": options}


def _whole(name: str, text: str) -> int:
    least = 1 if name == "max_turns" else 0
    if not text.isdecimal() or int(text) < least:
        raise BadInputError(f"--set {name}={text}: expected a whole number of {least} or more")
    return int(text)


def _value(text: str) -> Json:
    try:
        return json.loads(text)
    except ValueError:
        return text
