"""The worker: retries, parking, pauses, lost claims, and doorbells that nobody needs answered."""

import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from envwright.agents import Worker, resume_run
from envwright.agents import worker as working
from envwright.agents.config import Faults
from envwright.agents.context import Context
from envwright.agents.handlers import Handler
from envwright.events import ROLES, Envelope
from envwright.events.catalog import (
    DeliveryParked,
    RunCompleted,
    RunPaused,
    WorkClaimed,
    WorkExpired,
)
from envwright.events.errors import (
    ConcurrencyError,
    InfrastructureError,
    OutcomeUnknownError,
)
from support.office import Office
from support.waiting import PATIENCE

HANDLE = Handler.handle

Fault = Callable[[Context, int], None]


@pytest.fixture
def fail(monkeypatch: pytest.MonkeyPatch) -> Callable[[str, Fault], list[Context]]:
    """Let a fault strike before the handler of an event type; returns the contexts it saw."""

    def install(event_type: str, fault: Fault) -> list[Context]:
        seen: list[Context] = []

        def handle(self: Handler, ctx: Context) -> None:
            if ctx.cause.type == event_type:
                seen.append(ctx)
                fault(ctx, len(seen))
            HANDLE(self, ctx)

        monkeypatch.setattr(Handler, "handle", handle)
        return seen

    return install


def raising(error: Exception, times: int = 1_000) -> Fault:
    """Fail so many times."""

    def fault(ctx: Context, number: int) -> None:
        if number <= times:
            raise error

    return fault


def claims(office: Office, cause: Envelope) -> list[WorkClaimed]:
    """Return the claims of the work that an event caused."""
    return [fact for fact in office.facts(WorkClaimed) if fact.cause == cause.id]


def answered(office: Office, cause: Envelope) -> bool:
    """Say whether every role that answers an event has done so."""
    group = office.runtime.config.group
    roles = [role for role, types in ROLES.items() if cause.type in types]
    return all(office.runtime.log.inbox(f"{group}.{role}", cause.id) for role in roles)


def doorbells(office: Office) -> list[Envelope]:
    """Return every event that rings a doorbell."""
    return office.events(*(name for types in ROLES.values() for name in types))


def drafted(office: Office) -> Envelope:
    return office.events("package.drafted")[0]


def test_a_conflict_is_tried_again_and_never_counted(office: Office, fail: Any) -> None:
    seen = fail("package.drafted", raising(ConcurrencyError("moved on"), times=6))
    assert office.finish(office.request(max_retries=0)) == "completed"
    assert [ctx.claim.failures for ctx in seen] == [0] * 7
    assert [ctx.claim.try_number for ctx in seen] == list(range(1, 8))
    reasons = [claim.reason for claim in claims(office, drafted(office))]
    assert reasons == ["new", *["conflict"] * 6]


def test_an_infrastructure_error_is_retried_then_parked_and_pauses_the_run(
    office: Office, fail: Any
) -> None:
    seen = fail("package.drafted", raising(InfrastructureError("the machine is down")))
    run = office.request(max_retries=2)
    assert office.finish(run) == "paused"
    assert [ctx.claim.failures for ctx in seen] == [0, 1, 2]
    [paused] = office.facts(RunPaused)
    assert (paused.cause, paused.detail) == ("infrastructure", "the machine is down")
    [parked] = office.facts(DeliveryParked)
    assert (parked.error, parked.failures) == ("the machine is down", 3)
    assert parked.cause == drafted(office).id


def test_whoever_sees_a_delivery_parked_by_a_failing_machine_sees_the_pause_too(
    office: Office, monkeypatch: pytest.MonkeyPatch, fail: Any
) -> None:
    fail("package.drafted", raising(InfrastructureError("down")))
    park, statuses = office.runtime.leases.park, []

    def noted(claim: Any, *, error: str) -> None:
        statuses.append(office.runtime.run_state(claim.work.run_id).status)
        park(claim, error=error)

    monkeypatch.setattr(office.runtime.leases, "park", noted)
    assert office.finish(office.request(max_retries=0)) == "paused"
    assert statuses == ["paused"]


def test_a_paused_run_goes_on_after_the_fault_is_gone(office: Office, fail: Any) -> None:
    fail("package.drafted", raising(InfrastructureError("down"), times=1))
    run = office.request(max_retries=0)
    assert office.finish(run) == "paused"
    resume_run(office.runtime, run)
    assert office.finish(run) == "completed"
    assert [claim.reason for claim in claims(office, drafted(office))] == ["new", "reissued"]


def test_each_retry_waits_twice_as_long_as_the_one_before(
    office: Office, monkeypatch: pytest.MonkeyPatch, fail: Any
) -> None:
    fail("run.requested", raising(InfrastructureError("down"), times=4))
    retry, delays = office.runtime.leases.retry, []

    def noted(claim: Any, *, delay: float, conflict: bool = False) -> None:
        delays.append(delay)
        retry(claim, delay=0, conflict=conflict)

    monkeypatch.setattr(office.runtime.leases, "retry", noted)
    run = office.request(max_retries=4)
    office.runtime.config = office.runtime.config.model_copy(update={"backoff_seconds": 8.0})
    assert office.finish(run) == "completed"
    assert delays == [8.0, 16.0, 30.0, 30.0]


def test_any_other_error_is_parked_after_its_retries_and_the_run_is_stuck(
    office: Office, fail: Any, caplog: pytest.LogCaptureFixture
) -> None:
    seen = fail("testing.completed", raising(ZeroDivisionError("oh")))
    run = office.request()
    assert office.finish(run) == "stuck"
    assert len(seen) == 4
    [parked] = office.facts(DeliveryParked)
    assert parked.error == "ZeroDivisionError: oh"
    assert "handler of testing.completed failed: ZeroDivisionError: oh" in caplog.text
    assert "Traceback" not in caplog.text
    assert not office.facts(RunPaused)


def test_a_stuck_run_completes_once_the_bug_is_fixed(office: Office, fail: Any) -> None:
    fail("testing.completed", raising(ZeroDivisionError("oh"), times=4))
    run = office.request()
    assert office.finish(run) == "stuck"
    resume_run(office.runtime, run)
    assert office.finish(run) == "completed"
    assert not office.runtime.leases.parked(run)


def test_an_effect_of_unknown_outcome_pauses_the_run_at_once(office: Office, fail: Any) -> None:
    seen = fail("package.drafted", raising(OutcomeUnknownError("sent?")))
    assert office.finish(office.request()) == "paused"
    assert len(seen) == 1
    assert [paused.cause for paused in office.facts(RunPaused)] == ["outcome_unknown"]


def test_work_whose_claim_was_lost_is_dropped_and_done_by_the_next_holder(
    office: Office, fail: Any
) -> None:
    def lose(ctx: Context, number: int) -> None:
        if number == 1:
            office.die()

    seen = fail("package.drafted", lose)
    assert office.finish(office.request()) == "completed"
    assert [(ctx.claim.token, ctx.claim.try_number) for ctx in seen] == [(1, 1), (2, 1)]
    assert len(office.facts(WorkExpired)) == 1
    assert len(office.events("testing.completed")) == 1


def test_a_failure_of_somebody_who_lost_the_claim_decides_nothing(
    office: Office, fail: Any
) -> None:
    other = office.beside()

    def lose(ctx: Context, number: int) -> None:
        office.die()
        other.context(ctx.cause)
        raise InfrastructureError("down")

    fail("package.drafted", lose)
    run = office.request(max_retries=0)
    cause = office.advance(run, "package.drafted")
    office.work(run, lambda: office.facts(WorkExpired), ("tester",))
    assert not office.facts(RunPaused) and not office.facts(DeliveryParked)
    assert [claim.token for claim in claims(office, cause)] == [1, 2]


def test_a_long_handler_keeps_its_lease(
    office: Office, monkeypatch: pytest.MonkeyPatch, fail: Any
) -> None:
    office.runtime.config = office.runtime.config.model_copy(update={"lease_seconds": 0.6})
    renew, beats, kept = office.runtime.leases.renew, threading.Semaphore(0), []

    def noted(claim: Any, *, ttl: float) -> bool:
        beats.release()
        if not kept:
            kept.append(False)
            raise InfrastructureError("one beat is missed")
        kept.append(renew(claim, ttl=ttl))
        return bool(kept[-1])

    def wait(ctx: Context, number: int) -> None:
        for _ in range(4):
            assert beats.acquire(timeout=PATIENCE)

    monkeypatch.setattr(office.runtime.leases, "renew", noted)
    seen = fail("package.drafted", wait)
    assert office.finish(office.request()) == "completed"
    assert len(seen) == 1
    assert kept[1:3] == [True, True]


def test_nothing_of_a_paused_run_is_claimed(office: Office) -> None:
    run = office.request()
    office.runtime.record(RunPaused(run=run, cause="user"))
    turns = iter(range(5))
    Worker(office.runtime, run_id=run).serve(
        threading.Event(), alive=lambda: next(turns, None) is not None
    )
    assert not office.facts(WorkClaimed)


def test_what_nobody_needs_any_more_is_drained_without_an_output(office: Office) -> None:
    run = office.request("a", "b", "c", slots=3)
    assert office.finish(run) == "completed"
    surplus = {fact.data["package"] for fact in office.events("package.rejected")}
    drained = [bell for bell in doorbells(office) if bell.correlation_id in surplus]
    assert len(drained) >= 2
    for bell in drained:
        entry = office.runtime.log.inbox("envwright.builder", bell.id)
        assert entry is not None and set(entry.basis) == {f"run/{run}"}
        caused = [event.type for event in office.events() if event.causation_id == bell.id]
        assert caused == ["work.claimed"]


def test_every_doorbell_of_a_completed_run_is_answered(office: Office) -> None:
    run = office.request("a", "b", "none", slots=3, count=2, attempts=2)
    assert office.finish(run) == "completed"
    assert doorbells(office)
    assert all(answered(office, bell) for bell in doorbells(office))


def test_later_stages_come_first(office: Office) -> None:
    run = office.request("a", "b", count=2, slots=2)
    office.finish(run)
    order = [(event.type, event.correlation_id) for event in office.events()]
    first, second = (event.correlation_id for event in office.events("package.drafted"))
    assert order.index(("package.admitted", first)) < order.index(("package.drafted", second))


def test_trouble_with_the_log_is_waited_out(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    sweep, calls = office.runtime.leases.sweep, []

    def troubled() -> int:
        calls.append(1)
        if len(calls) <= 3:
            raise InfrastructureError("locked")
        return sweep()

    monkeypatch.setattr(office.runtime.leases, "sweep", troubled)
    monkeypatch.setattr(working, "_SWEEP_SECONDS", 0)
    assert office.finish(office.request()) == "completed"


def test_trouble_that_lasts_ends_the_worker_with_the_error(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    def troubled() -> int:
        raise InfrastructureError("the disk is full")

    monkeypatch.setattr(office.runtime.leases, "sweep", troubled)
    monkeypatch.setattr(working, "_SWEEP_SECONDS", 0)
    worker = Worker(office.runtime, run_id=office.request())
    with pytest.raises(InfrastructureError, match="the disk is full"):
        worker.serve(threading.Event())


def test_a_worker_that_was_told_to_stop_claims_no_more(office: Office) -> None:
    stop = threading.Event()
    stop.set()
    Worker(office.runtime, run_id=office.request()).serve(stop)
    assert not office.facts(WorkClaimed)


def test_a_handler_that_runs_is_finished_after_a_stop(office: Office, fail: Any) -> None:
    stop = threading.Event()
    fail("run.requested", lambda ctx, number: stop.set())
    Worker(office.runtime, run_id=office.request()).serve(stop)
    assert len(office.events("brief.planned")) == 1
    assert len(office.facts(WorkClaimed)) == 1


def test_what_an_abandoned_handler_says_is_refused_and_another_takes_over(
    office: Office, fail: Any
) -> None:
    run = office.request()
    worker = Worker(office.runtime, run_id=run)
    stop = threading.Event()

    def abandon(ctx: Context, number: int) -> None:
        if number == 1:
            stop.set()
            worker.abandon()

    fail("run.requested", abandon)
    worker.serve(stop)
    assert not office.events("run.started")
    worker.abandon()
    assert office.finish(run) == "completed"
    cause = office.events("run.requested")[0]
    assert [claim.reason for claim in claims(office, cause)] == ["new", "takeover"]


def test_deliveries_that_are_not_accepted_are_left_alone(office: Office) -> None:
    run, others = office.request(), [office.request() for _ in range(3)]
    accepted: list[str] = []

    def accept(delivery: Any) -> bool:
        accepted.append(delivery.work.run_id)
        return bool(delivery.work.run_id == run)

    Worker(office.runtime, accept=accept).serve(
        threading.Event(), alive=lambda: not office.facts(RunCompleted)
    )
    assert set(accepted) == {run, *others}
    assert {event.run_id for event in office.events("work.claimed")} == {run}


def test_a_paused_run_does_not_hide_the_others_behind_it(office: Office) -> None:
    office.runtime.config = office.runtime.config.model_copy(update={"batch": 2})
    for _ in range(5):
        office.runtime.record(RunPaused(run=office.request(), cause="user"))
    run = office.request()
    Worker(office.runtime).serve(threading.Event(), alive=lambda: not office.facts(RunCompleted))
    assert [fact.run for fact in office.facts(RunCompleted)] == [run]


def test_a_worker_that_can_serve_nothing_looks_seldom(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(4):
        office.runtime.record(RunPaused(run=office.request(), cause="user"))
    turn, turns = Worker._turn, []
    monkeypatch.setattr(Worker, "_turn", lambda *given: turns.append(1) or turn(*given))
    began = time.monotonic()
    Worker(office.runtime).serve(threading.Event(), alive=lambda: time.monotonic() - began < 1.0)
    assert len(turns) < 20


def test_one_worker_serves_every_run_of_a_home(office: Office) -> None:
    runs = {office.request() for _ in range(2)}
    Worker(office.runtime).serve(
        threading.Event(), alive=lambda: len(office.facts(RunCompleted)) < 2
    )
    assert {fact.run for fact in office.facts(RunCompleted)} == runs


def test_injected_delays_come_before_and_after_each_handler_and_are_bounded(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    slept: list[float] = []
    monkeypatch.setattr(working.time, "sleep", slept.append)
    faults = Faults(max_delay=0.05, seed=3)
    office.runtime.config = office.runtime.config.model_copy(update={"faults": faults})
    run = office.request()
    office.work(run, lambda: office.facts(RunCompleted))
    assert len(slept) == 2 * len(office.facts(WorkClaimed))
    assert all(0 <= seconds <= 0.05 for seconds in slept)
    assert len(set(slept)) == len(slept)


def test_leases_of_a_dead_process_are_taken_over_long_before_they_run_out(
    office: Office,
) -> None:
    run = office.request()
    [cause] = office.events("run.requested")
    dead = office.runtime.instance.rpartition(":")[0] + ":1"
    work = office.delivery(cause).work
    assert office.runtime.leases.claim(work, holder=dead, ttl=3600)
    assert office.finish(run) == "completed"
    assert [claim.reason for claim in claims(office, cause)] == ["new", "takeover"]
