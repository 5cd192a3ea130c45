"""Runs as a user sees them: asked for, driven, paused, resumed, and how each of them ends."""

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from envwright.agents import (
    Stop,
    attempt_only,
    drive,
    pause_run,
    read_sources,
    request_run,
    require_run,
    resume_run,
)
from envwright.agents.context import Context
from envwright.agents.handlers import Handler
from envwright.agents.judge import TrialPlan, trial_facts
from envwright.agents.worker import Worker
from envwright.events import ROLES
from envwright.events.catalog import (
    AttemptFinished,
    DeliveryParked,
    PackageAdmitted,
    PackageCandidate,
    PackageDrafted,
    RunCompleted,
    RunPaused,
    RunRequested,
    RunResumed,
    TrialClosed,
    TrialOpened,
)
from envwright.events.errors import BadInputError, InfrastructureError
from envwright.events.values import PolicySpec, RunSettings
from support.office import QUICK, Office
from support.waiting import PATIENCE

HANDLE = Handler.handle


@pytest.fixture
def before(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[Context], None]], None]:
    """Let something happen before each handler."""

    def install(act: Callable[[Context], None]) -> None:
        def handle(self: Handler, ctx: Context) -> None:
            act(ctx)
            HANDLE(self, ctx)

        monkeypatch.setattr(Handler, "handle", handle)

    return install


def test_all_faults_of_all_sources_are_told_at_once(tmp_path: Path) -> None:
    (tmp_path / "good.json").write_text('["a"]')
    (tmp_path / "cut.json").write_text('["a",')
    (tmp_path / "folder").mkdir()
    names = ["good.json", "cut.json", "folder", "none.json"]
    with pytest.raises(BadInputError) as caught:
        read_sources([tmp_path / name for name in names], "desk")
    cut, folder, none = str(caught.value).splitlines()
    assert cut.startswith("cut.json: expected a JSON list")
    assert "folder is a folder; expected a file" in folder
    assert "none.json: cannot be read (No such file or directory)" in none


def test_good_sources_are_returned_by_name_and_no_source_is_refused(tmp_path: Path) -> None:
    (tmp_path / "good.json").write_text('["a"]')
    assert read_sources([tmp_path / "good.json"], "desk") == [("good.json", b'["a"]')]
    with pytest.raises(BadInputError, match="no source given"):
        read_sources([], "desk")


def test_equal_sources_count_once_and_their_order_does_not_matter(office: Office) -> None:
    sources = [("b.json", b'["b"]'), ("a.json", b'["a"]'), ("copy.json", b'["a"]')]
    settings = RunSettings(**QUICK)
    for some in (sources, sources[::-1]):
        request_run(office.runtime, settings, some)
    one, other = office.facts(RunRequested)
    assert one.sources == other.sources
    assert len(one.sources) == 2


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"recipe": "none"}, "unknown recipe 'none'"),
        ({"panel": (PolicySpec(name="oracle"),)}, "oracle"),
    ],
)
def test_what_does_not_exist_is_refused_before_anything_is_recorded(
    office: Office, changes: dict[str, Any], message: str
) -> None:
    with pytest.raises(BadInputError, match=message):
        office.request(**changes)
    assert office.runtime.log.head() == 0


def test_a_run_that_nobody_asked_for_is_unknown(office: Office) -> None:
    with pytest.raises(BadInputError, match="no run 'run-0'"):
        require_run(office.runtime, "run-0")
    with pytest.raises(BadInputError, match="no run 'run-0'"):
        request_run(office.runtime, RunSettings(**QUICK), [], novel_against=("run-0",))


def test_a_run_is_new_against_what_was_there_when_it_was_asked_for(office: Office) -> None:
    first = office.request()
    office.finish(first)
    head = office.runtime.log.head()
    second = request_run(
        office.runtime,
        RunSettings(**QUICK),
        [("s.json", b'["scanner jams"]')],
        novel_against=(first,),
    )
    asked = office.facts(RunRequested)[-1]
    assert (asked.novel_against, asked.novel_position) == ((first,), head)
    assert office.finish(second) == "short"
    assert [fact.data["reason"] for fact in office.events("package.rejected")] == ["not_novel"]


@pytest.mark.parametrize(("allow_short", "ending"), [(False, "short"), (True, "completed")])
def test_a_shortfall_is_an_ending_of_its_own_unless_it_is_allowed(
    office: Office, allow_short: bool, ending: str
) -> None:
    run = office.request("none", allow_short=allow_short)
    assert office.finish(run) == ending
    [completed] = office.facts(RunCompleted)
    assert (completed.admitted, completed.shortfall, completed.reason) == (0, 1, "dry_round")


def test_a_run_whose_sources_are_no_good_has_failed(office: Office) -> None:
    run = request_run(office.runtime, RunSettings(**QUICK), [("s.json", b"[]")])
    assert office.finish(run) == "failed"
    failed = office.runtime.run_state(run).failed
    assert failed is not None and failed.reason == "the sources hold no subject"
    resume_run(office.runtime, run)
    assert office.finish(run) == "failed"
    assert not office.facts(RunResumed)


def test_a_run_that_is_paused_by_a_user_stops_and_goes_on_after_a_resume(
    office: Office, before: Any
) -> None:
    run = office.request()

    def pause(ctx: Context) -> None:
        if ctx.cause.type == "package.drafted" and not office.facts(RunPaused):
            pause_run(office.runtime, run)

    before(pause)
    assert office.finish(run) == "paused"
    assert office.events("testing.completed") and not office.events("review.completed")
    with pytest.raises(BadInputError, match="is paused; only a running run"):
        pause_run(office.runtime, run)
    resume_run(office.runtime, run)
    assert office.finish(run) == "completed"
    with pytest.raises(BadInputError, match="is completed; only a running run"):
        pause_run(office.runtime, run)


def test_a_completed_run_is_not_resumed_but_reported_again(office: Office) -> None:
    run = office.request()
    office.finish(run)
    head = office.runtime.log.head()
    resume_run(office.runtime, run)
    assert office.finish(run) == "completed"
    assert office.runtime.log.head() == head


def test_an_interrupted_run_says_so_and_is_resumed_to_its_end(office: Office, before: Any) -> None:
    run, stop = office.request(), Stop()
    before(lambda ctx: stop.asked.set() if ctx.cause.type == "package.drafted" else None)
    assert drive(office.runtime, run, workers=1, stop=stop) == "interrupted"
    assert [paused.cause for paused in office.facts(RunPaused)] == ["interrupted"]
    assert office.events("testing.completed"), "the handler that ran was finished"
    assert not office.runtime.leases.held(run)
    resume_run(office.runtime, run)
    assert office.finish(run) == "completed"


def test_a_run_that_ended_while_it_was_stopped_has_ended(office: Office, before: Any) -> None:
    run, stop = office.request(), Stop()
    before(lambda ctx: stop.asked.set() if ctx.cause.type == "round.settled" else None)
    assert drive(office.runtime, run, workers=1, stop=stop) == "completed"
    assert not office.facts(RunPaused)


def test_progress_is_asked_for_while_the_run_goes_on(office: Office) -> None:
    heads: list[int] = []
    drive(
        office.runtime,
        office.request(),
        workers=1,
        stop=Stop(),
        progress=lambda: heads.append(office.runtime.log.head()),
    )
    assert heads and heads == sorted(heads)


def test_a_worker_that_ended_by_itself_is_named_with_its_error(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    def serve(*_: object, **__: object) -> None:
        raise InfrastructureError("the disk is full")

    monkeypatch.setattr(Worker, "serve", serve)
    run = office.request()
    with pytest.raises(InfrastructureError, match="the disk is full") as caught:
        office.finish(run)
    assert f"envwright resume {run}" in str(caught.value)


def test_a_run_is_not_stuck_while_something_waits_for_its_backoff(
    office: Office, monkeypatch: pytest.MonkeyPatch, before: Any
) -> None:
    failed: list[str] = []

    def fail(ctx: Context) -> None:
        fact = ctx.cause.fact
        if not isinstance(fact, PackageDrafted):
            return
        if fact.ordinal == 1:
            raise ZeroDivisionError("a bug")
        if len(failed) < 2:
            failed.append(fact.package)
            raise InfrastructureError("down for a moment")

    before(fail)
    retry = office.runtime.leases.retry

    def slowly(claim: Any, *, delay: float, conflict: bool = False) -> None:
        retry(claim, delay=0.4 if failed else 0.0, conflict=conflict)

    monkeypatch.setattr(office.runtime.leases, "retry", slowly)
    assert office.finish(office.request("a", "b", count=2, slots=2)) == "stuck"
    assert len(failed) == 2
    assert [fact.ordinal for fact in office.facts(PackageCandidate)] == [2]


def test_what_is_parked_and_no_longer_needed_does_not_stay_parked(office: Office) -> None:
    run = office.request("a", "b", slots=2)
    office.advance(run, "brief.planned")
    _, claim = office.claim(office.events("brief.planned")[1])
    office.runtime.leases.park(claim, error="a bug")
    assert office.finish(run) == "completed"
    assert len(office.facts(DeliveryParked)) == 1
    assert not office.runtime.leases.parked(run)
    for role, types in ROLES.items():
        for bell in office.events(*types):
            assert office.runtime.log.inbox(f"envwright.{role}", bell.id)


def trial(office: Office, run: str, *, k: int = 2) -> str:
    """Order a trial of the run's first package; return its id."""
    made = office.facts(PackageDrafted)[0]
    plan = TrialPlan(
        package=made.package,
        revision=made.revision,
        bundle=made.bundle,
        policy=PolicySpec(name="random"),
        index=1,
        of=1,
        k=k,
        seed=3,
        max_turns=2,
        gating=False,
        nonce=1,
    )
    facts = trial_facts(plan)
    office.runtime.record(*facts, role="operator", run_id=run)
    assert isinstance(facts[0], TrialOpened)
    return facts[0].trial


def closed(office: Office, trial: str) -> bool:
    return any(fact.trial == trial for fact in office.facts(TrialClosed))


def test_a_later_trial_is_served_alone_and_makes_no_candidate(office: Office) -> None:
    run, other = office.request(), office.request()
    office.finish(run)
    ordered = trial(office, run)
    attempt_only(
        office.runtime,
        run,
        lambda delivery: delivery.envelope.data.get("trial") == ordered,
        lambda: closed(office, ordered),
    )
    assert len([fact for fact in office.facts(AttemptFinished) if not fact.gating]) == 2
    assert len(office.facts(PackageCandidate)) == len(office.facts(PackageAdmitted)) == 1
    assert office.runtime.run_state(other).status == "requested"


def test_a_later_trial_that_fails_pauses_no_run(office: Office, before: Any) -> None:
    run = office.request(max_retries=0)
    office.finish(run)
    ordered = trial(office, run, k=1)

    def fail(ctx: Context) -> None:
        raise InfrastructureError("down")

    before(fail)
    attempt_only(
        office.runtime, run, lambda delivery: True, lambda: bool(office.facts(DeliveryParked))
    )
    assert not office.facts(RunPaused)
    assert not closed(office, ordered)


def test_a_run_can_be_resumed_while_an_old_worker_still_lives(office: Office, before: Any) -> None:
    run = office.request()
    held, go_on = threading.Event(), threading.Event()

    def block(ctx: Context) -> None:
        if ctx.cause.type == "package.drafted" and not held.is_set():
            held.set()
            assert go_on.wait(PATIENCE)

    before(block)
    old = office.beside("old")
    stop = threading.Event()
    worker = threading.Thread(target=Worker(old.runtime, run_id=run).serve, args=(stop,))
    worker.start()
    assert held.wait(PATIENCE)
    resume_run(office.runtime, run)
    threading.Timer(0.5, go_on.set).start()
    assert office.finish(run) == "completed"
    stop.set()
    worker.join(PATIENCE)
    assert len(office.events("testing.completed")) == 1
    assert len(office.facts(PackageAdmitted)) == 1


def test_a_held_out_file_is_a_source_of_its_own_even_where_it_is_also_worked_on(
    tmp_path: Path,
) -> None:
    log = tmp_path / "log.json"
    log.write_text('["a"]', encoding="utf-8")
    read = read_sources([log], "desk", held_out=[log])
    assert [name for name, _ in read] == ["log.json", "holdout/log.json"]
