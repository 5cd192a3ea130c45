"""Trials outside admission: k attempts of one policy on a package, of a home or of a folder."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from envwright.agents import RoleName, Runtime, attempt_only
from envwright.agents.judge import TrialPlan, trial_facts
from envwright.console.home import new_or_known_home
from envwright.console.views.package import last_made, trials_of
from envwright.events import derive_id, mint_run_id
from envwright.events.canonical import Json
from envwright.events.catalog import (
    AttemptFinished,
    AttemptRequested,
    PackageDrafted,
    RunRequested,
    TrialOpened,
)
from envwright.events.errors import InfrastructureError
from envwright.events.ports import Delivery
from envwright.events.values import PolicySpec, RunSettings
from envwright.sandbox.packages import Bundle

SERVING: tuple[RoleName, ...] = ("judge", "solver")
"""The roles that a trial needs."""


@dataclass(frozen=True)
class TrialOrder:
    """What a person asks of a trial; None is what the package's run was asked for."""

    policy: PolicySpec
    k: int
    seed: int | None = None
    max_turns: int | None = None


def run_trial(runtime: Runtime, package: str, order: TrialOrder) -> dict[str, Json]:
    """Attempt a package of this home k times and return the trial as JSON.

    Raises:
        BadInputError: the package has no revision.
        InfrastructureError: an attempt failed again and again for no fault of the policy.
    """
    made = last_made(runtime, package)
    first = next(iter(runtime.log.read(f"package/{package}", up_to=1)))
    requested = runtime.run_state(first.run_id).requested
    assert requested is not None
    settings = requested.settings
    earlier = [
        e.fact
        for e in runtime.log.read(f"package/{package}")
        if isinstance(e.fact, TrialOpened) and not e.fact.gating
    ]
    plan = TrialPlan(
        package=package,
        revision=made.revision,
        bundle=made.bundle,
        policy=order.policy,
        index=len(earlier) + 1,
        of=len(earlier) + 1,
        k=order.k,
        seed=settings.seed if order.seed is None else order.seed,
        max_turns=order.max_turns or settings.max_turns,
        gating=False,
        nonce=len(earlier) + 1,
    )
    facts = trial_facts(plan)
    opened = facts[0]
    assert isinstance(opened, TrialOpened)
    runtime.record(*facts, key=["solve", opened.trial], role="operator", run_id=first.run_id)
    _serve(runtime, first.run_id, opened)
    trials = trials_of(list(runtime.log.read(f"package/{package}")))
    trial = next(found for found in trials if found["trial"] == opened.trial)
    return {
        "package": package,
        "digest": made.revision,
        "seed": plan.seed,
        **trial,
        "rate": trial["c"] / trial["n"] if trial["n"] else None,
    }


def _serve(runtime: Runtime, run_id: str, opened: TrialOpened) -> None:
    """Work on the attempts of one trial until it is closed."""

    def belongs(delivery: Delivery) -> bool:
        fact = delivery.envelope.fact
        if not isinstance(fact, AttemptRequested | AttemptFinished):
            return False
        return fact.trial == opened.trial

    def done() -> bool:
        for work in runtime.leases.parked(run_id):
            cause = runtime.log.get(work.cause)
            if cause is not None and cause.data.get("trial") == opened.trial:
                raise InfrastructureError(
                    f"an attempt of trial {opened.trial} failed again and again; "
                    f"`envwright show {work.work}` says why"
                )
        events = runtime.streams.read(f"package/{opened.package}")
        return any(
            e.type == "trial.closed" and e.data["trial"] == opened.trial for e in reversed(events)
        )

    attempt_only(runtime, run_id, belongs, done)


@contextmanager
def folder_home(folder: Path) -> Iterator[tuple[Runtime, str]]:
    """Yield a home that lasts as long as the block and knows one package: that of a folder.

    Raises:
        BadInputError: the folder is no package, or a document in it is malformed.
    """
    bundle = checked_bundle(folder)
    with (
        tempfile.TemporaryDirectory(prefix="envwright-solve-") as home,
        new_or_known_home(Path(home), roles=SERVING, embedded=True) as runtime,
    ):
        run_id = mint_run_id()
        recipe = bundle.package.recipe
        package = derive_id("package", run_id, recipe, 1, 1)
        runtime.record(
            RunRequested(
                run=run_id,
                settings=RunSettings(recipe=recipe, count=1),
                sources=(),
            ),
            role="operator",
        )
        runtime.record(
            PackageDrafted(
                package=package,
                round=1,
                ordinal=1,
                revision=bundle.revision,
                bundle=bundle.save(runtime.artifacts),
                gate_set=(),
                gate_set_digest="",
            ),
            role="operator",
            run_id=run_id,
        )
        yield runtime, package


def checked_bundle(folder: Path) -> Bundle:
    """Read a package folder and every document in it.

    Raises:
        BadInputError: naming the file that is missing or malformed.
    """
    bundle = Bundle.read(folder)
    for document in ("package", "blueprint", "assertions", "solution", "instruction"):
        getattr(bundle, document)
    return bundle
