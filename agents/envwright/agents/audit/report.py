"""The audit's report: what was checked, what was found, what each admission rests on, as JSON."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from envwright.agents.audit.actors import Actors
from envwright.agents.audit.admissions import Admissions
from envwright.agents.audit.causality import Causality
from envwright.agents.audit.claims import Claims
from envwright.agents.audit.effects import Effects
from envwright.agents.audit.findings import Check, Found, as_json
from envwright.agents.audit.reading import readable_events
from envwright.agents.audit.spending import Spending
from envwright.agents.audit.timeline import Timeline
from envwright.events.canonical import Json
from envwright.events.ports import Log


class Spine(Protocol):
    """What the seals of the log say."""

    home: str
    head: int
    anchored_to: int
    checkpoints: int
    anchors: list[Mapping[str, Any]]


class Gathered(Protocol):
    """What the store found of the whole log, without understanding its events."""

    @property
    def spine(self) -> Spine:
        """Positions, checkpoints and anchors."""

    @property
    def anchors(self) -> str:
        """Where the anchors are."""

    @property
    def checks(self) -> Mapping[str, Found]:
        """Its checks by name."""


@dataclass(frozen=True)
class Question:
    """What is audited, and how strictly."""

    run: str | None = None
    """None is the whole home."""
    require_anchored: bool = False
    """Whether an event that no anchor covers is a failure."""


def audit(log: Log, gathered: Gathered, question: Question) -> dict[str, Json]:
    """Judge the events of a log, or of one run, and put all findings together.

    Trusts the events alone: no projection, and of the mutable tables none. What the store has
    gathered is about the whole log, since a run's own events prove little in one that is broken.

    Raises:
        InfrastructureError: the log cannot be read.
    """
    spine = gathered.spine
    reading, unanchored = Check(), Counter[bool]()

    def place(position: int) -> None:
        unanchored[position > spine.anchored_to] += 1

    actors, causality = Actors(), Causality(log)
    effects, claims = Effects(), Claims(log)
    admissions, spending, timeline = Admissions(log), Spending(), Timeline()
    lookers = (actors, causality, effects, claims, admissions, spending, timeline)
    for envelope in readable_events(log, question.run, reading, place):
        place(envelope.position)
        for looker in lookers:
            looker.see(envelope)
    claims.end()
    checks = {name: as_json(found) for name, found in gathered.checks.items()}
    checks |= {
        "reading": as_json(reading),
        "roles": as_json(actors.check),
        "causality": as_json(causality.check),
        "effects": as_json(effects.check, unknown=effects.unknown(), open=effects.open),
        "claims": as_json(claims.check, open=claims.open()),
        "admissions": as_json(admissions.check),
    }
    if question.require_anchored:
        checks["anchored"] = as_json(_anchored(spine, reading.checked, unanchored[True]))
    return {
        "run": question.run,
        "ok": all(check["ok"] for check in checks.values()),
        "anchored_to": spine.anchored_to,
        "unanchored": unanchored[True],
        "checks": checks,
        "log": spine.home,
        "head": spine.head,
        "events": reading.checked,
        "checkpoints": spine.checkpoints,
        "anchors": {"place": gathered.anchors, "used": [dict(each) for each in spine.anchors]},
        "actors": actors.report(),
        "admissions": admissions.told,
        "admissions_not_listed": admissions.check.checked - len(admissions.told),
        "spent": {**spending.report(), "effects": dict(sorted(effects.kinds.items()))},
        "timeline": timeline.report(),
    }


def _anchored(spine: Spine, checked: int, unanchored: int) -> Check:
    check = Check(checked=checked)
    if unanchored:
        check.fail_at(
            f"positions {spine.anchored_to + 1} to {spine.head}",
            spine.anchored_to + 1,
            "every event under an anchor",
            f"{unanchored} events after the last anchor, at position {spine.anchored_to}",
        )
    return check
