"""The command `solve`: a trial of a policy on a package, and its pass^k."""

from pathlib import Path
from typing import Annotated

import typer

from envwright.agents.solver.policies import get_policy, is_privileged, policy_names
from envwright.console.bus import bus_url, relaying
from envwright.console.home import known_home
from envwright.console.identity import find_package
from envwright.console.options import HomeOption, JsonOption
from envwright.console.pages.trial import trial_page
from envwright.console.terminal import notice, print_json, print_page
from envwright.console.trials import SERVING, TrialOrder, folder_home, run_trial
from envwright.events.canonical import Json
from envwright.events.values import PolicySpec
from envwright.sandbox.packages import read_provenance

PackageArgument = Annotated[
    str,
    typer.Argument(
        metavar="PACKAGE",
        help="Id of a package in the home (or its unique beginning), or a folder from --out.",
    ),
]
PolicyOption = Annotated[
    str, typer.Option("--policy", help=f"Who attempts it: {', '.join(policy_names())}.")
]
AttemptsOption = Annotated[int, typer.Option("-k", "--attempts", min=1, help="Attempts.")]
SeedOption = Annotated[
    int | None,
    typer.Option("--seed", help="Seed of the attempts.", show_default="that of the run"),
]
TurnsOption = Annotated[
    int | None,
    typer.Option(
        "--max-turns", min=1, help="Turns of an attempt at most.", show_default="as in the run"
    ),
]


def solve(
    package: PackageArgument,
    policy: PolicyOption = "searcher",
    attempts: AttemptsOption = 4,
    seed: SeedOption = None,
    max_turns: TurnsOption = None,
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Let a policy attempt a package k times; says pass^1 to pass^k.

    The trial stands outside admission. Of a package in the home it is recorded beside the
    package's other trials. A package folder is checked and attempted in a home of its own that
    is thrown away: nothing of that trial is kept.

    Examples:
      envwright solve pkg-4b1d --policy searcher -k 8
      envwright solve packages/1-pkg-4b1d0c2f --policy random -k 4 --json
    """
    get_policy(policy, {})
    order = TrialOrder(PolicySpec(name=policy), attempts, seed, max_turns)
    folder = Path(package)
    if folder.exists():
        found = _in_folder(folder, order)
    else:
        with (
            known_home(home, roles=SERVING, bus=bus_url()) as runtime,
            relaying(runtime),
        ):
            found = {**run_trial(runtime, find_package(runtime, package), order), "kept": True}
    if as_json:
        print_json(found)
    else:
        print_page(*trial_page(found))


def _in_folder(folder: Path, order: TrialOrder) -> dict[str, Json]:
    with folder_home(folder) as (runtime, package):
        notice(f"attempting {folder} in a home of its own; nothing of this trial is kept")
        if is_privileged(order.policy.name):
            notice(
                f"a package folder brings no mined knowledge: {order.policy.name} makes do with "
                "what any policy knows; in the package's home it has more"
            )
        found = run_trial(runtime, package, order)
    provenance = read_provenance(folder)
    if provenance is None:
        return {**found, "package": str(folder), "kept": False}
    if provenance.revision != found["digest"]:
        notice(
            f"warning: {folder} was changed after it was written: its content is revision "
            f"{found['digest']}, its provenance speaks of {provenance.revision}"
        )
    return {**found, "package": provenance.package, "kept": False}
