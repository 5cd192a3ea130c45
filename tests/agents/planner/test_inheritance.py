"""What the Planner of a forked run says of each slot, and on what grounds."""

from typing import Any

from envwright.agents import fork_point, fork_run
from envwright.events import Envelope
from envwright.events.catalog import BriefPlanned, PackageInherited, RunStarted
from support.desk_recipe import DeskRecipe
from support.office import Office

SETTINGS: dict[str, Any] = {"count": 2, "slots": 4, "seed": 7}
SUBJECTS = ("fan rattles", "ink is low", "lid is loose", "scanner jams")


def forked(office: Office, origin: str, at: str, *pairs: str) -> Envelope:
    run = fork_run(office.runtime, origin, fork_point(office.runtime, origin, at), pairs)
    return next(office.runtime.log.read(f"run/{run}"))


def orders(office: Office, cause: Envelope) -> list[PackageInherited | BriefPlanned]:
    said = office.handle(cause).said()
    assert [fact.type for fact in said[:2]] == ["run.started", "round.opened"]
    return [fact for fact in said if isinstance(fact, PackageInherited | BriefPlanned)]


def test_each_slot_is_inherited_or_ordered_in_its_place(office: Office) -> None:
    origin = office.request(*SUBJECTS, **SETTINGS)
    office.finish(origin)
    said = orders(office, forked(office, origin, "round:1"))
    assert [type(fact) for fact in said] == [PackageInherited] * 4
    assert [fact.outcome for fact in said if isinstance(fact, PackageInherited)] == [
        *["admitted"] * 2,
        *["rejected"] * 2,
    ]
    surplus = said[3]
    assert isinstance(surplus, PackageInherited)
    assert (surplus.ok, surplus.reasons, surplus.candidate) == (False, ("surplus",), "")
    more = orders(office, forked(office, origin, "round:1", "count=3"))
    assert [type(fact) for fact in more] == [PackageInherited] * 2 + [BriefPlanned] * 2


def test_a_surplus_slot_after_one_that_is_done_anew_is_ordered_too(office: Office) -> None:
    """What is done anew may fail, and then the slot would be needed."""
    origin = office.request(*SUBJECTS, **SETTINGS)
    office.finish(origin)
    first = next(office.runtime.log.read_all(run_id=origin, types=("package.admitted",)))
    said = orders(office, forked(office, origin, first.id))
    assert [type(fact) for fact in said] == [PackageInherited] + [BriefPlanned] * 3


def test_another_version_of_the_recipe_inherits_nothing(office: Office, monkeypatch: Any) -> None:
    origin = office.request(*SUBJECTS, **SETTINGS)
    office.finish(origin)
    cause = forked(office, origin, "round:1")
    monkeypatch.setattr(DeskRecipe, "version", "2")
    said = office.handle(cause).said()
    assert [fact.type for fact in said[:3]] == ["source.ingested", "source.profiled", "run.started"]
    assert not [fact for fact in said if isinstance(fact, PackageInherited)]
    started = next(fact for fact in said if isinstance(fact, RunStarted))
    assert started.recipe_version == "2"


def test_another_version_of_a_gate_does_its_packages_anew(office: Office, monkeypatch: Any) -> None:
    origin = office.request(*SUBJECTS, **SETTINGS)
    office.finish(origin)
    cause = forked(office, origin, "round:1")
    asked = DeskRecipe.gate_set

    def newer(self: DeskRecipe, profile: Any, brief: Any) -> Any:
        return tuple(g.model_copy(update={"version": "9"}) for g in asked(self, profile, brief))

    monkeypatch.setattr(DeskRecipe, "gate_set", newer)
    said = office.handle(cause).said()
    assert not [fact for fact in said if isinstance(fact, PackageInherited)]


def test_another_plan_for_a_slot_does_it_anew(office: Office, monkeypatch: Any) -> None:
    origin = office.request(*SUBJECTS, **SETTINGS)
    office.finish(origin)
    cause = forked(office, origin, "round:1")
    plan = DeskRecipe.brief

    def other(self: DeskRecipe, profile: Any, settings: Any, slot: Any, history: Any) -> Any:
        brief = plan(self, profile, settings, slot, history)
        if slot.ordinal != 2:
            return brief
        return brief.model_copy(update={"plan": {"subject": "another"}})

    monkeypatch.setattr(DeskRecipe, "brief", other)
    said = orders(office, cause)
    assert [type(fact) for fact in said[:2]] == [PackageInherited, BriefPlanned]


def test_the_past_is_read_through_the_basis_and_later_events_do_not_count(
    office: Office,
) -> None:
    origin = office.request(*SUBJECTS, **SETTINGS)
    office.work(origin, lambda: office.newest("package.admitted"))
    first = office.events("package.admitted")[0]
    office.finish(origin)
    cause = forked(office, origin, first.id)
    ctx = office.handle(cause)
    assert [type(f) for f in ctx.said() if isinstance(f, PackageInherited)] == [PackageInherited]
    ctx.commit()
    entry = office.runtime.log.inbox("envwright.planner", cause.id)
    assert entry is not None and f"run/{origin}" in entry.basis
    assert f"package/{first.correlation_id}" in entry.basis
