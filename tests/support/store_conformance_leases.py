"""Conformance suite of the leases: claims, tries, tokens, scopes and parked streams."""

import threading

import pytest

from envwright.events.catalog import DeliveryParked, WorkClaimed, WorkExpired
from envwright.events.ports import Claim, Commit, Work
from support.store_adapters import Adapters
from support.store_events import (
    candidate,
    drafted,
    fence,
    finishing,
    gate,
    recorded,
    work_of,
)

TTL = 30.0


def work(adapters: Adapters, key: str = "1", package: str = "p", *, run: str = "run-1") -> Work:
    return work_of(recorded(adapters.log, drafted(key, package, run=run)))


def claim(adapters: Adapters, work: Work, holder: str = "a", ttl: float = TTL) -> Claim:
    claimed = adapters.leases.claim(work, holder=holder, ttl=ttl)
    assert claimed is not None
    return claimed


def refused(adapters: Adapters, work: Work) -> bool:
    return adapters.leases.claim(work, holder="other", ttl=TTL) is None


def history(adapters: Adapters, work: Work) -> list[object]:
    return [envelope.fact for envelope in adapters.log.read(f"work/{work.work}")]


def reasons(adapters: Adapters, work: Work) -> list[str]:
    return [fact.reason for fact in history(adapters, work) if isinstance(fact, WorkClaimed)]


class LeasesConformance:
    """What every adapter of the leases does."""

    def test_a_claim_is_recorded_with_its_holder(self, adapters: Adapters):
        due = work(adapters)
        assert adapters.leases.state(due.work) is None
        claimed = claim(adapters, due)
        assert (claimed.token, claimed.try_number, claimed.failures) == (1, 1, 0)
        assert adapters.leases.state(due.work) == "held"
        [envelope] = adapters.log.read(f"work/{due.work}")
        assert envelope.fact == WorkClaimed(
            work=due.work, group=due.group, cause=due.cause, token=1, try_number=1, reason="new"
        )
        assert (envelope.actor.role, envelope.actor.instance) == ("system", "a")
        assert (envelope.run_id, envelope.causation_id) == (due.run_id, due.cause)

    def test_held_work_is_nobody_elses(self, adapters: Adapters):
        due = work(adapters)
        claim(adapters, due)
        assert refused(adapters, due) and refused(adapters.again(), due)

    def test_one_of_many_gets_the_claim(self, adapters: Adapters):
        due, places, won = work(adapters), [adapters, adapters.again()], []

        def worker(number: int) -> None:
            got = places[number % 2].leases.claim(due, holder=f"w{number}", ttl=TTL)
            if got is not None:
                won.append(got)

        threads = [threading.Thread(target=worker, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(won) == 1

    def test_done_work_is_not_claimed_again(self, adapters: Adapters):
        due = work(adapters)
        adapters.log.commit(finishing(claim(adapters, due), gate("out")))
        adapters.pass_time(10 * TTL)
        assert refused(adapters, due)

    def test_work_that_was_handled_without_a_lease_is_not_claimed(self, adapters: Adapters):
        due = work(adapters)
        entry = finishing(Claim(work=due, holder="x", token=1, try_number=1)).inbox
        adapters.log.commit(Commit(inbox=entry))
        assert refused(adapters, due) and adapters.leases.state(due.work) is None

    def test_a_renewed_lease_lasts(self, adapters: Adapters):
        due = work(adapters)
        held = claim(adapters, due)
        adapters.pass_time(TTL - 1)
        assert adapters.leases.renew(held, ttl=TTL)
        adapters.pass_time(TTL - 1)
        assert refused(adapters, due)
        assert len(history(adapters, due)) == 1

    def test_a_lease_that_ran_out_is_taken_over_in_the_same_try(self, adapters: Adapters):
        due = work(adapters)
        first = claim(adapters, due)
        adapters.pass_time(TTL + 1)
        second = claim(adapters, due, "b")
        assert (second.token, second.try_number, second.failures) == (2, 1, 0)
        assert history(adapters, due)[1] == WorkExpired(work=due.work, token=1)
        assert reasons(adapters, due) == ["new", "takeover"]
        assert not adapters.leases.renew(first, ttl=TTL)

    def test_the_sweeper_expires_what_ran_out_and_nothing_else(self, adapters: Adapters):
        early, late = work(adapters, "1"), work(adapters, "2", "q")
        claim(adapters, early, ttl=5)
        claim(adapters, late, ttl=50)
        assert adapters.leases.sweep() == 0
        adapters.pass_time(10)
        assert adapters.leases.sweep() == 1 and adapters.leases.sweep() == 0
        assert adapters.leases.state(early.work) == "open"
        assert adapters.leases.state(late.work) == "held"
        assert isinstance(history(adapters, early)[-1], WorkExpired)
        assert claim(adapters, early).try_number == 1

    def test_a_dead_holders_leases_expire_at_once(self, adapters: Adapters):
        works = [work(adapters, str(number), f"p{number}") for number in range(3)]
        for due, holder in zip(works, ["dead", "alive", "dead"], strict=True):
            claim(adapters, due, holder)
        assert adapters.leases.holders() == ("alive", "dead")
        assert adapters.leases.expire("dead") == 2 and adapters.leases.expire("dead") == 0
        assert adapters.leases.holders() == ("alive",)
        assert adapters.leases.held("run-1") == 1
        assert claim(adapters, works[0], "next").try_number == 1

    def test_released_work_goes_on_in_the_same_try(self, adapters: Adapters):
        due = work(adapters)
        adapters.leases.release(claim(adapters, due))
        again = claim(adapters, due, "b")
        assert (again.token, again.try_number) == (2, 1)
        assert reasons(adapters, due) == ["new", "takeover"]

    def test_a_retry_is_a_new_try_after_its_delay(self, adapters: Adapters):
        due = work(adapters)
        adapters.leases.retry(claim(adapters, due), delay=10)
        assert refused(adapters, due)
        adapters.pass_time(11)
        again = claim(adapters, due)
        assert (again.token, again.try_number, again.failures) == (2, 2, 1)
        assert reasons(adapters, due) == ["new", "retry"]

    def test_a_conflict_is_a_new_try_and_no_failure(self, adapters: Adapters):
        due = work(adapters)
        adapters.leases.retry(claim(adapters, due), delay=0)
        adapters.leases.retry(claim(adapters, due), delay=0, conflict=True)
        again = claim(adapters, due)
        assert (again.try_number, again.failures) == (3, 1)
        assert reasons(adapters, due) == ["new", "retry", "conflict"]

    def test_a_takeover_keeps_the_failures_of_the_try(self, adapters: Adapters):
        due = work(adapters)
        adapters.leases.retry(claim(adapters, due), delay=0)
        claim(adapters, due)
        adapters.pass_time(TTL + 1)
        again = claim(adapters, due)
        assert (again.try_number, again.failures) == (2, 1)

    @pytest.mark.parametrize("how", ["release", "retry", "park"])
    def test_a_lost_claim_gives_nothing_back(self, adapters: Adapters, how):
        due = work(adapters)
        lost = claim(adapters, due)
        adapters.pass_time(TTL + 1)
        current = claim(adapters, due, "b")
        give_back = {
            "release": lambda: adapters.leases.release(lost),
            "retry": lambda: adapters.leases.retry(lost, delay=0),
            "park": lambda: adapters.leases.park(lost, error="x"),
        }
        give_back[how]()
        assert adapters.leases.state(due.work) == "held"
        adapters.log.commit(Commit(fence=fence(current)))

    def test_parked_work_stays_visible_and_is_reissued(self, adapters: Adapters):
        due = work(adapters)
        adapters.leases.retry(claim(adapters, due), delay=0)
        adapters.leases.park(claim(adapters, due), error="the reason")
        assert adapters.leases.state(due.work) == "parked" and refused(adapters, due)
        assert adapters.leases.parked("run-1") == (due,)
        assert adapters.leases.parked("other") == ()
        parked = history(adapters, due)[-1]
        assert isinstance(parked, DeliveryParked)
        assert (parked.error, parked.failures, parked.cause) == ("the reason", 2, due.cause)
        assert adapters.leases.reissue("other") == 0
        assert adapters.leases.reissue("run-1") == 1
        again = claim(adapters, due)
        assert (again.token, again.try_number, again.failures) == (3, 3, 0)
        assert reasons(adapters, due)[-1] == "reissued"

    def test_one_piece_of_parked_work_is_reissued_alone(self, adapters: Adapters):
        first, second = work(adapters, "1", "p"), work(adapters, "2", "q")
        for due in (first, second):
            adapters.leases.park(claim(adapters, due), error="the reason")
        assert adapters.leases.reissue("other", work=first.work) == 0
        assert adapters.leases.reissue("run-1", work=first.work) == 1
        assert adapters.leases.parked("run-1") == (second,)
        assert claim(adapters, first).failures == 0

    def test_reissuing_clears_backoffs(self, adapters: Adapters):
        due = work(adapters)
        adapters.leases.retry(claim(adapters, due), delay=1000)
        assert refused(adapters, due)
        assert adapters.leases.reissue("run-1") == 0
        assert claim(adapters, due).failures == 0

    def test_parked_work_is_listed_in_position_order(self, adapters: Adapters):
        works = [work(adapters, str(number), f"p{number}") for number in range(4)]
        for due in reversed(works):
            adapters.leases.park(claim(adapters, due), error="x")
        assert adapters.leases.parked("run-1") == tuple(works)

    def test_parked_work_can_be_parked_again(self, adapters: Adapters):
        due = work(adapters)
        for _ in range(2):
            adapters.leases.park(claim(adapters, due), error="x")
            adapters.leases.reissue("run-1")
        assert sum(isinstance(fact, DeliveryParked) for fact in history(adapters, due)) == 2

    def test_parked_work_holds_its_stream_in_its_group_and_no_other(self, adapters: Adapters):
        earlier, poisoned, later = (work(adapters, key) for key in ("1", "2", "3"))
        elsewhere = work(adapters, "4", "q")
        cause = adapters.log.get(later.cause)
        assert cause is not None
        adapters.leases.park(claim(adapters, poisoned), error="x")
        assert refused(adapters, later)
        claim(adapters, earlier)
        claim(adapters, elsewhere)
        claim(adapters, work_of(cause, group="other.tester"))
        adapters.leases.reissue("run-1")
        claim(adapters, later)

    def test_a_scope_has_one_live_claim(self, adapters: Adapters):
        def admission(key: str, run: str) -> Work:
            cause = recorded(adapters.log, candidate(key, f"p{key}", run=run))
            return work_of(cause, group="group.judge", scope=f"admission/{run}")

        first, second = admission("1", "run-1"), admission("2", "run-1")
        other = admission("3", "run-2")
        held = claim(adapters, first)
        assert refused(adapters, second)
        claim(adapters, other)
        adapters.log.commit(finishing(held))
        third = claim(adapters, second, ttl=5)
        adapters.pass_time(6)
        last = admission("4", "run-1")
        claim(adapters, last)
        assert refused(adapters, third.work)

    def test_live_leases_of_a_run_are_counted(self, adapters: Adapters):
        one, two = work(adapters, "1"), work(adapters, "2", "q")
        other = work(adapters, "3", "r", run="run-2")
        claim(adapters, one, ttl=5)
        claim(adapters, two, ttl=50)
        claim(adapters, other)
        assert (adapters.leases.held("run-1"), adapters.leases.held("run-2")) == (2, 1)
        adapters.pass_time(10)
        assert adapters.leases.held("run-1") == 1

    def test_work_that_waits_for_its_backoff_is_counted_until_that_ends(self, adapters: Adapters):
        backing_off, due = work(adapters, "1"), work(adapters, "2", "q")
        adapters.leases.retry(claim(adapters, backing_off), delay=10)
        adapters.leases.retry(claim(adapters, due), delay=0)
        assert (adapters.leases.waiting("run-1"), adapters.leases.waiting("run-2")) == (1, 0)
        adapters.pass_time(11)
        assert adapters.leases.waiting("run-1") == 0
