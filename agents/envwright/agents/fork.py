"""Forks: a run that begins at a point in another run's past, with some settings set otherwise."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from envwright.agents.fork_settings import changed
from envwright.agents.past import position_of
from envwright.agents.runs import require_run
from envwright.agents.runtime import Runtime
from envwright.agents.slots import RunState, fold_run
from envwright.agents.solver.policies import get_policy
from envwright.events import mint_run_id
from envwright.events.canonical import Json
from envwright.events.catalog import RoundOpened, RoundSettled, RunForked, RunStarted
from envwright.events.envelope import Envelope
from envwright.events.errors import BadInputError
from envwright.events.values import RunSettings
from envwright.recipes import SlotRequest, get_recipe

_ROUND = "round:"

_BOUNDARIES = ("run.requested", "run.forked", "round.opened", "round.settled")
_ABOUT_PACKAGES = ("brief.planned", "package.inherited", "package.admitted", "package.rejected")


@dataclass(frozen=True)
class ForkPoint:
    """Where a fork leaves its origin."""

    position: int
    """A round's boundary or a package's event."""
    event: str
    """Id of the event there."""
    what: str
    """That event in words."""
    asked: int
    """The position that was asked for; the point is the last allowed one up to it."""

    @property
    def moved(self) -> bool:
        """Whether the point is not where it was asked for."""
        return self.position != self.asked


def fork_point(runtime: Runtime, origin: str, text: str) -> ForkPoint:
    """Return the point that a position, an event's id or `round:N` names in a run.

    Any other position than a round's boundary or a package's event is moved back to the last one.

    Raises:
        BadInputError: there is no such position, event or settled round in the run.
    """
    require_run(runtime, origin)
    if text.startswith(_ROUND):
        return _round_point(runtime, origin, text.removeprefix(_ROUND))
    asked = _position(runtime, origin, text)
    first = next(runtime.log.read(f"run/{origin}", up_to=1)).position
    if asked < first:
        raise BadInputError(f"run {origin} began at position {first}, after position {asked}")
    last = first
    for envelope in runtime.log.read_all(run_id=origin, up_to=asked):
        if _allowed(envelope):
            last = envelope.position
    [event] = runtime.log.read_all(after=last - 1, up_to=last)
    return ForkPoint(last, event.id, _told(event), asked)


def _position(runtime: Runtime, origin: str, text: str) -> int:
    position = position_of(runtime, text)
    if not text.isdecimal():
        [envelope] = runtime.log.read_all(after=position - 1, up_to=position)
        if envelope.run_id != origin:
            raise BadInputError(f"event {text} belongs to run {envelope.run_id}, not to {origin}")
    return position


def _round_point(runtime: Runtime, origin: str, number: str) -> ForkPoint:
    ends: dict[str, Envelope] = {}
    for envelope in runtime.log.read(f"run/{origin}"):
        fact = envelope.fact
        if isinstance(fact, RoundOpened):
            ends.setdefault("0", envelope)
        elif isinstance(fact, RoundSettled):
            ends[str(fact.round)] = envelope
    if number not in ends:
        known = ", ".join(ends) or "none yet"
        raise BadInputError(
            f"run {origin} has no settled round {number!r}; there are {known} (0 is the end of "
            "mining, before the first round)"
        )
    point = ends[number]
    return ForkPoint(point.position, point.id, _told(point), point.position)


def _allowed(envelope: Envelope) -> bool:
    kind = envelope.stream.partition("/")[0]
    return kind == "package" or envelope.type in (*_BOUNDARIES, *_ABOUT_PACKAGES)


def _told(envelope: Envelope) -> str:
    if envelope.type in ("run.requested", "run.forked"):
        return "the beginning of the run"
    if envelope.type in _BOUNDARIES:
        return f"round {envelope.data['round']} {envelope.type.partition('.')[2]}"
    return f"{envelope.type} of {envelope.correlation_id}"


def fork_run(runtime: Runtime, origin: str, point: ForkPoint, pairs: Sequence[str] = ()) -> str:
    """Record that a run begins at a point of another one's past; returns its id.

    Args:
        runtime: the process's ports.
        origin: the run to fork.
        point: a point in it, as `fork_point` gives it.
        pairs: settings to set otherwise, each as NAME=VALUE.

    Raises:
        BadInputError: a setting is unknown, or its value is no good for it or the recipe.
    """
    before = runtime.run_state(origin).requested
    if before is None:
        raise BadInputError(f"run {origin} does not say what it was asked for; it cannot be forked")
    settings, said = changed(before.settings, pairs)
    get_recipe(settings.recipe)
    for policy in settings.panel:
        get_policy(policy.name, policy.settings)
    _check_options(runtime, origin, settings)
    run_id = mint_run_id()
    runtime.record(
        RunForked(
            run=run_id,
            origin=origin,
            at=point.position,
            set=said,
            event=point.event,
            settings=settings,
            sources=before.sources,
            novel_against=before.novel_against,
            novel_position=before.novel_position,
        ),
        role="operator",
    )
    return run_id


def _check_options(runtime: Runtime, origin: str, settings: RunSettings) -> None:
    """Let the recipe refuse options that it cannot use before there is a run with them."""
    recipe = get_recipe(settings.recipe)
    for envelope in runtime.log.read(f"run/{origin}"):
        fact = envelope.fact
        if isinstance(fact, RunStarted):
            if (fact.recipe, fact.recipe_version) == (recipe.id, recipe.version):
                profile: Json = json.loads(runtime.artifacts.get(fact.profile.digest))
                slot = SlotRequest(package="", round=1, ordinal=1)
                recipe.brief(profile, settings, slot, ())
            return


def origin_state(runtime: Runtime, fork: RunForked) -> RunState:
    """Return the origin of a fork as it was at the point of the fork."""
    return fold_run(
        envelope
        for envelope in runtime.streams.read(f"run/{fork.origin}")
        if envelope.position <= fork.at
    )
