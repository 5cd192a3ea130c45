"""What the Planner orders, and when it ends a run."""

import json
from typing import Any

import pytest

from envwright.agents import fold_run, request_run
from envwright.agents.planner.desk import slot_outcomes
from envwright.events.catalog import (
    BriefPlanned,
    RoundOpened,
    RoundSettled,
    RunCompleted,
    RunFailed,
    RunStarted,
    SourceIngested,
    SourceProfiled,
)
from envwright.events.errors import BadInputError
from envwright.events.values import RunSettings
from support.desk_recipe import DeskRecipe
from support.office import QUICK, Office


def test_a_first_round_orders_one_package_for_each_slot(office: Office) -> None:
    office.request("a", "b", 7, slots=3)  # type: ignore[arg-type]
    said = office.handle(office.events("run.requested")[0]).said()
    assert [fact.type for fact in said] == [
        "source.ingested",
        "source.profiled",
        "run.started",
        "round.opened",
        *["brief.planned"] * 3,
    ]
    ingested, profiled, started, opened, *planned = said
    assert isinstance(ingested, SourceIngested) and isinstance(profiled, SourceProfiled)
    assert (ingested.records, ingested.skipped, ingested.skips[0].place) == (
        2,
        1,
        "subjects.json[2]",
    )
    assert profiled.summary == {"subjects": 2}
    assert isinstance(started, RunStarted) and started.sources == (ingested.source,)
    assert json.loads(office.runtime.artifacts.get(started.profile.digest)) == {
        "subjects": ["a", "b"]
    }
    assert isinstance(opened, RoundOpened) and (opened.round, opened.slots) == (1, 3)
    briefs = [fact.brief for fact in planned if isinstance(fact, BriefPlanned)]
    assert [brief.ordinal for brief in briefs] == [1, 2, 3]
    assert len({brief.package for brief in briefs}) == 3


def test_content_seeds_depend_on_the_seed_and_the_slot_and_not_on_the_run(
    office: Office,
) -> None:
    def seeds(seed: int) -> list[str]:
        office.request("a", slots=2, seed=seed)
        ctx = office.handle(office.events("run.requested")[-1])
        return [f.brief.content_seed for f in ctx.said() if isinstance(f, BriefPlanned)]

    assert seeds(1) == seeds(1)
    assert not set(seeds(1)) & set(seeds(2))


def test_sources_are_read_in_the_order_of_their_digests(office: Office) -> None:
    sources = [(f"{name}.json", json.dumps([name]).encode()) for name in ("b", "a", "c")]
    request_run(office.runtime, RunSettings(**QUICK), sources)
    ctx = office.handle(office.events("run.requested")[0])
    digests = [fact.source for fact in ctx.said() if isinstance(fact, SourceIngested)]
    assert digests == sorted(digests) and len(digests) == 3


@pytest.mark.parametrize(
    ("data", "reason"),
    [(b"[", "expected a JSON list"), (b"{}", "expected a JSON list"), (b"[]", "hold no subject")],
)
def test_a_bad_source_fails_the_run_with_its_reason(
    office: Office, data: bytes, reason: str
) -> None:
    request_run(office.runtime, RunSettings(**QUICK), [("good.json", b'["a"]'), ("s.json", data)])
    if data == b"[]":
        request_run(office.runtime, RunSettings(**QUICK), [("s.json", data)])
    failed = office.handle(office.events("run.requested")[-1]).said()[-1]
    assert isinstance(failed, RunFailed)
    assert reason in failed.reason


def test_settings_that_the_recipe_cannot_use_fail_the_run(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: Any) -> None:
        raise BadInputError("option size is -1; expected a whole number")

    monkeypatch.setattr(DeskRecipe, "brief", refuse)
    office.request()
    said = office.handle(office.events("run.requested")[0]).said()
    assert [fact.type for fact in said][-2:] == ["run.started", "run.failed"]
    assert isinstance(said[-1], RunFailed) and "option size is -1" in said[-1].reason


def settled(office: Office, number: int, admitted: int, total: int, **settings: Any) -> list[Any]:
    """Return what the Planner says after a settled round."""
    run = office.request("a", "b", "c", **{"count": 4, "slots": 2, **settings})
    office.advance(run, "brief.planned")
    for later in range(2, number + 1):
        office.runtime.record(RoundOpened(run=run, round=later, slots=2), role="planner")
    office.runtime.record(
        RoundSettled(
            run=run,
            round=number,
            admitted=admitted,
            rejected=2 - admitted,
            total_admitted=total,
        ),
        role="judge",
    )
    return list(office.handle(office.events("round.settled")[0]).said())


@pytest.mark.parametrize(
    ("number", "admitted", "total", "reason"),
    [(1, 2, 4, "enough"), (1, 2, 5, "enough"), (2, 0, 2, "dry_round"), (3, 1, 3, "max_rounds")],
)
def test_a_run_ends_with_enough_or_a_dry_round_or_its_last_one(
    office: Office, number: int, admitted: int, total: int, reason: str
) -> None:
    [completed] = settled(office, number, admitted, total, max_rounds=3)
    assert isinstance(completed, RunCompleted)
    assert completed.reason == reason
    assert (completed.admitted, completed.requested, completed.shortfall) == (total, 4, 4 - total)


def test_otherwise_the_next_round_is_opened_from_the_profile_that_was_kept(
    office: Office,
) -> None:
    opened, *planned = settled(office, 1, 1, 1)
    assert (opened.round, opened.slots) == (2, 2)
    briefs = [fact.brief for fact in planned]
    assert [(brief.round, brief.ordinal) for brief in briefs] == [(2, 1), (2, 2)]
    first = [event.data["brief"]["package"] for event in office.events("brief.planned")]
    assert not {brief.package for brief in briefs} & set(first)
    assert [brief.plan["subject"] for brief in briefs] == ["c", "a"]


def test_a_brief_may_know_how_the_slots_of_earlier_rounds_ended_and_no_id(
    varied: Office,
) -> None:
    state = fold_run(varied.runtime.log.read(varied.events("run.requested")[0].stream))
    outcomes = slot_outcomes(state)
    assert [(outcome.round, outcome.ordinal) for outcome in outcomes] == sorted(state.outcomes)
    assert [outcome.admitted for outcome in outcomes[:5]] == [True, True, False, False, True]
    assert outcomes[2].reasons == ("REFERENCE_FAILS",)
    assert outcomes[0].plan == {"subject": "broken"}
    assert "pkg-" not in json.dumps([outcome.model_dump() for outcome in outcomes])


def test_a_round_is_given_the_outcomes_of_those_before_it(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[list[tuple[int, int, bool]]] = []
    brief = DeskRecipe.brief

    def noted(self: Any, profile: Any, settings: Any, slot: Any, history: Any) -> Any:
        seen.append([(each.round, each.ordinal, each.admitted) for each in history])
        return brief(self, profile, settings, slot, history)

    monkeypatch.setattr(DeskRecipe, "brief", noted)
    office.finish(office.request("a", "none", count=2, slots=2, max_rounds=2))
    assert seen == [[], [], *[[(1, 1, True), (1, 2, False)]] * 2]
