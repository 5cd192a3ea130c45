"""Forks: from where they may begin, what they take over, and what they come to."""

import threading
from collections.abc import Iterator
from typing import Any

import pytest

from envwright.agents import fork_point, fork_run, request_run, run_report, tally
from envwright.agents.context import Context
from envwright.agents.handlers import Handler
from envwright.events import Envelope
from envwright.events.catalog import PackageInherited, RunForked, RunStarted
from envwright.events.errors import BadInputError
from envwright.events.values import RunSettings
from support.desk_recipe import DeskRecipe
from support.forking import fork, outcomes
from support.office import QUICK, Office
from support.soundness import check_log

HANDLE = Handler.handle
SUBJECTS = ("fan rattles", "flawed", "ink is low", "lid is loose", "none", "scanner jams")
SETTINGS: dict[str, Any] = {"count": 3, "slots": 3, "seed": 7, "attempts": 1}
"""Two rounds: the first admits two of three, the second one, and its other two are surplus."""

WORK = ("package.drafted", "gate.evaluated", "review.completed", "attempt.started")


@pytest.fixture(scope="module")
def past(recipes: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Office, str]]:
    """A finished run to be forked by many tests; its own events never change."""
    office = Office(tmp_path_factory.mktemp("past") / "home")
    run = office.request(*SUBJECTS, **SETTINGS)
    assert office.finish(run) == "completed"
    yield office, run
    assert check_log(office.runtime).problems == []


def test_a_fork_with_nothing_set_inherits_all_and_does_nothing_again(
    past: tuple[Office, str],
) -> None:
    office, origin = past
    again = fork(office, origin, "round:2")
    assert again.ending == "completed"
    assert again.inherited == sorted(again.state.outcomes) and again.anew == []
    assert outcomes(office, again.run) == outcomes(office, origin)
    assert again.count(*WORK, "source.ingested", "source.profiled") == 0


def test_the_first_event_of_a_fork_says_where_it_comes_from(past: tuple[Office, str]) -> None:
    office, origin = past
    point = fork_point(office.runtime, origin, "round:1")
    run = fork_run(office.runtime, origin, point, ["count=4", "k=2"])
    first = next(office.runtime.log.read(f"run/{run}"))
    assert isinstance(first.fact, RunForked) and first.sequence == 1
    assert (first.fact.origin, first.fact.at) == (origin, point.position)
    assert first.fact.set == {"count": 4, "attempts": 2}
    assert first.actor.role == "operator"
    asked = office.runtime.run_state(origin).requested
    state = office.runtime.run_state(run)
    assert asked is not None and state.requested is not None and state.status == "requested"
    assert state.requested.sources == asked.sources
    assert state.requested.settings == asked.settings.model_copy(update=first.fact.set)


def test_the_profile_is_taken_over_by_its_digest(past: tuple[Office, str]) -> None:
    office, origin = past
    again = fork(office, origin, "round:0", "seed=8")
    mined = [
        event.fact.profile
        for run in (origin, again.run)
        for event in office.runtime.log.read(f"run/{run}")
        if isinstance(event.fact, RunStarted)
    ]
    assert mined[0] == mined[1] and again.count("source.profiled") == 0


def test_another_option_of_the_recipe_mines_and_makes_everything_anew(
    past: tuple[Office, str],
) -> None:
    office, origin = past
    other = fork(office, origin, "round:1", "options.shade=green")
    assert other.inherited == [] and other.count("source.profiled") == 1


def test_another_seed_does_everything_anew(past: tuple[Office, str]) -> None:
    office, origin = past
    other = fork(office, origin, "round:1", "seed=8")
    assert other.inherited == []
    fresh = office.request(*SUBJECTS, **{**SETTINGS, "seed": 8})
    office.finish(fresh)
    assert outcomes(office, other.run) == outcomes(office, fresh)
    assert not {row[2] for row in outcomes(office, other.run)} & {
        row[2] for row in outcomes(office, origin) if row[2]
    }


@pytest.mark.slow
@pytest.mark.parametrize(
    ("pairs", "changes"),
    [
        (["count=4"], {"count": 4}),
        (["count=2"], {"count": 2}),
        (["count=5", "slots=6"], {"count": 5, "slots": 6}),
        (["gates.noop_fails.seeds=[0]"], {"gates": {"noop_fails": {"seeds": [0]}}}),
        (["max_rounds=1", "count=4"], {"max_rounds": 1, "count": 4}),
    ],
)
def test_a_fork_comes_to_what_a_run_with_its_settings_comes_to(
    past: tuple[Office, str], pairs: list[str], changes: dict[str, object]
) -> None:
    office, origin = past
    fresh = office.request(*SUBJECTS, **{**SETTINGS, **changes})
    ending = office.finish(fresh)
    events = [e for e in office.runtime.log.read_all(run_id=origin) if _is_point(e)]
    for at in (events[0], events[len(events) // 2], events[-1]):
        forked = fork(office, origin, at.position, *pairs)
        assert (forked.ending, outcomes(office, forked.run)) == (ending, outcomes(office, fresh))


def _is_point(event: Envelope) -> bool:
    return event.stream.startswith("package/") or event.type == "round.settled"


def test_with_a_higher_count_a_fork_goes_on_where_its_origin_ended(
    past: tuple[Office, str],
) -> None:
    office, origin = past
    assert office.runtime.run_state(origin).round == 2
    more = fork(office, origin, "round:2", "count=5", "allow_short=true")
    assert more.state.round == 3
    assert more.inherited == [(1, 1), (1, 2), (1, 3), (2, 1)]
    assert more.anew[:2] == [(2, 2), (2, 3)], "surplus slots, which nobody had judged"
    before = [fact.package for fact in office.runtime.run_state(origin).admitted]
    admitted = [fact.package for fact in more.state.admitted]
    assert admitted[:3] == before and len(admitted) == 4


def test_only_packages_with_the_gate_are_done_anew_when_it_is_set_otherwise(
    office: Office,
) -> None:
    origin = office.request(*SUBJECTS, recipe="choosy", **SETTINGS)
    office.finish(origin)
    other = fork(office, origin, "round:2", "gates.prefixes_fail.seeds=[1]")
    assert other.ending == "completed"
    subjects = {place: brief.plan["subject"] for place, brief in other.state.briefs.items()}
    assert [subjects[place] for place in other.anew] == ["ink is low"]
    drafted = office.runtime.log.read_all(run_id=other.run, types=("package.drafted",))
    [gates] = [event.data["gate_set"] for event in drafted]
    assert [g["settings"] for g in gates if g["gate"] == "prefixes_fail"] == [{"seeds": [1]}]
    assert [row[:3] for row in outcomes(office, other.run)] == [
        row[:3] for row in outcomes(office, origin)
    ], "equal content whatever the gates"


def test_in_the_middle_of_a_round_what_was_settled_stays_and_the_rest_begins_again(
    past: tuple[Office, str],
) -> None:
    office, origin = past
    events = list(office.runtime.log.read_all(run_id=origin, types=("package.admitted",)))
    later = fork(office, origin, events[0].position)
    assert later.inherited == [(1, 1)]
    assert outcomes(office, later.run) == outcomes(office, origin)
    assert later.anew == [(1, 2), (1, 3), (2, 1), (2, 2), (2, 3)]
    rerun = [fact.package for place, fact in later.state.outcomes.items() if place != (1, 1)]
    before = [fact.package for fact in office.runtime.run_state(origin).outcomes.values()]
    assert not set(rerun) & set(before), "a slot that is done anew has a package of its own"


def test_a_candidate_that_was_not_settled_is_not_inherited(past: tuple[Office, str]) -> None:
    office, origin = past
    candidate = next(office.runtime.log.read_all(run_id=origin, types=("package.candidate",)))
    assert fork(office, origin, candidate.id).inherited == []


def test_a_fork_of_a_fork_names_the_run_that_made_the_package(past: tuple[Office, str]) -> None:
    office, origin = past
    first = fork(office, origin, "round:2", "count=4")
    assert (2, 3) in first.anew
    second = fork(office, first.run, "round:2", "max_rounds=2")
    assert second.anew == []
    heirs = {
        place: (fact.origin_run, office.runtime.log.get(fact.event))
        for place, fact in second.state.inherited.items()
    }
    for place, (maker, settled) in heirs.items():
        assert maker == (origin if place in first.state.inherited else first.run)
        assert settled is not None and settled.run_id == first.run
    assert outcomes(office, second.run) == outcomes(office, first.run)


def test_two_forks_of_one_point_come_to_the_same(past: tuple[Office, str]) -> None:
    office, origin = past
    event = next(office.runtime.log.read_all(run_id=origin, types=("package.candidate",)))
    one, other = (fork(office, origin, event.id, "count=4") for _ in range(2))
    assert one.run != other.run
    assert outcomes(office, one.run) == outcomes(office, other.run)
    digests = [[row["digest"] for row in run_report(office.runtime, each.run)["packages"]]
               for each in (one, other)]  # fmt: skip
    assert digests[0] == digests[1] and len(digests[0]) == 4


def test_an_inherited_package_says_what_its_admission_rests_on(past: tuple[Office, str]) -> None:
    office, origin = past
    again = fork(office, origin, "round:2")
    for fact in again.state.inherited.values():
        settled = office.runtime.log.get(fact.event)
        assert settled is not None and settled.run_id == fact.origin_run == origin
        assert settled.type == f"package.{fact.outcome}"
        if not fact.candidate:
            continue
        candidate = office.runtime.log.get(fact.candidate)
        assert candidate is not None and candidate.stream == f"package/{fact.package}"
        assert candidate.data["ok"] is fact.ok
        gates = [
            event.data["result"]["verdict"]
            for event in office.runtime.log.read(f"package/{fact.package}")
            if event.type == "gate.evaluated" and event.data["revision"] == fact.revision
        ]
        assert not fact.ok or (gates and set(gates) == {"pass"})


def test_a_report_marks_what_was_inherited(past: tuple[Office, str]) -> None:
    office, origin = past
    more = fork(office, origin, "round:2", "count=4")
    report = run_report(office.runtime, more.run)
    assert report["admitted"] == 4
    marks = [row["inherited_from"] for row in report["packages"]]
    assert marks == [origin] * 3 + [None]
    part = report["fork"]
    assert (part["origin"], part["set"]) == (origin, {"count": 4})
    assert part["inherited"] + part["rerun"] + part["fresh"] == report["planned"]
    assert part["inherited_admitted"] == 3 and part["rerun"] >= 1
    assert report["sources"] == run_report(office.runtime, origin)["sources"] != []
    assert report["pass"]["random"]["n"] > report["attempts"] == more.count("attempt.finished")
    assert "fork" not in run_report(office.runtime, origin)


def test_forks_leave_their_origin_as_it_is(past: tuple[Office, str]) -> None:
    office, origin = past
    before = tally(office.runtime.log.read_all(run_id=origin))
    fork(office, origin, "round:1", "seed=9")
    assert tally(office.runtime.log.read_all(run_id=origin)).events == before.events


def test_repairs_decide_as_far_as_a_package_came_to_their_limit(office: Office) -> None:
    subjects = ("broken", "good", "hopeless", "unclear")
    settings = {"recipe": "mending", "count": 4, "slots": 4, "max_rounds": 1, "max_repairs": 1}
    origin = office.request(*subjects, **settings, allow_short=True)
    office.finish(origin)
    more = fork(office, origin, "round:1", "max_repairs=2")
    assert more.anew == [(1, 3)], "the one that was given up may now be mended once more"
    none = fork(office, origin, "round:1", "max_repairs=0")
    assert none.inherited == [(1, 2)]
    same = fork(office, origin, "round:1", "max_turns=9", "panel=searcher")
    assert same.anew == [], "trials decide nothing"


def test_what_a_fork_is_new_against_is_what_its_origin_was(office: Office) -> None:
    first = office.request("fan rattles")
    office.finish(first)
    settings = RunSettings(**{**QUICK, "slots": 2, "count": 2, "max_rounds": 1})
    origin = request_run(
        office.runtime,
        settings,
        [("s.json", b'["fan rattles", "ink is low"]')],
        novel_against=(first,),
    )
    office.finish(origin)
    again = fork(office, origin, "round:1")
    assert [row[3] for row in outcomes(office, again.run)][:2] == ["not_novel", ""]
    assert again.anew == []


def test_a_run_that_goes_on_can_be_forked(office: Office) -> None:
    origin = office.request(*SUBJECTS, **SETTINGS)
    office.work(origin, lambda: office.newest("round.settled"))
    forked = fork(office, origin, "round:1")
    assert office.runtime.run_state(origin).status == "running"
    assert forked.ending == "completed"
    assert office.finish(origin) == "completed"
    assert outcomes(office, forked.run) == outcomes(office, origin)


def test_a_fork_from_before_the_sources_were_mined_mines_them(office: Office) -> None:
    origin = office.request(*SUBJECTS, **SETTINGS)
    forked = fork(office, origin, office.runtime.log.head())
    with pytest.raises(BadInputError, match="there are none yet"):
        fork_point(office.runtime, origin, "round:0")
    assert forked.count("source.ingested", "source.profiled") == 2
    office.finish(origin)
    assert outcomes(office, forked.run) == outcomes(office, origin)


def test_a_fork_by_another_recipe_mines_and_makes_everything_anew(
    past: tuple[Office, str],
) -> None:
    office, origin = past
    other = fork(office, origin, "round:1", "recipe=mending")
    assert other.inherited == [] and other.count("source.profiled") == 1
    assert other.state.briefs[1, 1].recipe == "mending"


def test_a_fork_that_loses_its_planner_is_taken_over(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    origin = office.request(*SUBJECTS, **SETTINGS)
    office.finish(origin)
    point = fork_point(office.runtime, origin, "round:1")
    run = fork_run(office.runtime, origin, point)
    died: list[str] = []

    def die(self: Handler, ctx: Context) -> None:
        HANDLE(self, ctx)
        if not died:
            died.append(ctx.cause.type)
            office.die()

    monkeypatch.setattr(Handler, "handle", die)
    assert office.finish(run) == "completed"
    assert died == ["run.forked"]
    assert len([f for f in office.facts(PackageInherited) if f.run == run]) == 3
    assert outcomes(office, run) == outcomes(office, origin)


@pytest.mark.parametrize(
    ("at", "message"),
    [
        ("0", "position 0 is before the first event"),
        ("999999", "beyond the head of the log"),
        ("round:9", "no settled round '9'; there are 0, 1, 2"),
        ("round:one", "no settled round 'one'"),
        ("nonsense", "no position .* and no event"),
    ],
)
def test_a_point_that_is_not_there_is_refused(
    past: tuple[Office, str], at: str, message: str
) -> None:
    office, origin = past
    with pytest.raises(BadInputError, match=message):
        fork_point(office.runtime, origin, at)


def test_a_point_before_the_run_or_in_another_run_is_refused(past: tuple[Office, str]) -> None:
    office, origin = past
    later = fork(office, origin, "round:1")
    first = next(office.runtime.log.read(f"run/{later.run}"))
    with pytest.raises(BadInputError, match=f"began at position {first.position}, after"):
        fork_point(office.runtime, later.run, str(first.position - 1))
    with pytest.raises(BadInputError, match=f"belongs to run {later.run}, not to {origin}"):
        fork_point(office.runtime, origin, first.id)
    with pytest.raises(BadInputError, match="no run 'run-0'"):
        fork_point(office.runtime, "run-0", "1")


def test_every_point_is_moved_back_to_a_boundary_or_a_packages_event(
    past: tuple[Office, str],
) -> None:
    office, origin = past
    allowed = 0
    for event in office.runtime.log.read_all(run_id=origin):
        point = fork_point(office.runtime, origin, str(event.position))
        about_work = event.stream.startswith(("work/", "attempt/", "source/"))
        lifecycle = event.type in ("run.started", "run.completed")
        assert point.moved is (about_work or lifecycle), event.type
        allowed = allowed if point.moved else event.position
        assert (point.position, point.asked) == (allowed, event.position)
    assert fork_point(office.runtime, origin, str(office.runtime.log.head())).position == allowed


def test_a_fork_that_cannot_work_is_not_recorded(past: tuple[Office, str]) -> None:
    office, origin = past
    head, point = office.runtime.log.head(), fork_point(office.runtime, origin, "round:1")
    for pair in ("size=9", "count=0", "count=true", "slots=0", "recipe=none", "panel=oracle"):
        with pytest.raises(BadInputError):
            fork_run(office.runtime, origin, point, [pair])
    assert office.runtime.log.head() == head


def test_options_that_the_recipe_refuses_are_refused_before_there_is_a_run(
    past: tuple[Office, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise BadInputError("option size is -1; expected a whole number")

    office, origin = past
    head, point = office.runtime.log.head(), fork_point(office.runtime, origin, "round:1")
    monkeypatch.setattr(DeskRecipe, "brief", refuse)
    with pytest.raises(BadInputError, match="option size is -1"):
        fork_run(office.runtime, origin, point, ["options.size=-1"])
    assert office.runtime.log.head() == head


def test_two_workers_settle_an_inherited_round_once(office: Office) -> None:
    origin = office.request(*SUBJECTS, **SETTINGS)
    office.finish(origin)
    run = fork_run(office.runtime, origin, fork_point(office.runtime, origin, "round:2"))
    beside = office.beside("second")
    threads = [threading.Thread(target=each.finish, args=(run,)) for each in (office, beside)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert outcomes(office, run) == outcomes(office, origin)
    assert check_log(office.runtime).problems == []
