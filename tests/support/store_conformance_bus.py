"""Conformance suite of the bus: who hears which doorbell, when, and how often."""

import threading
import time

import pytest

from envwright.events.errors import BadInputError
from envwright.events.ports import Delivery, Subscription
from support.store_adapters import Adapters
from support.store_events import (
    GROUP,
    candidate,
    commit,
    drafted,
    finishing,
    gate,
    recorded,
)

TTL = 30.0


def poll(subscription: Subscription, limit: int = 10) -> list[Delivery]:
    return subscription.poll(limit=limit, timeout=0)


def keys(subscription: Subscription, limit: int = 10) -> list[str]:
    return [each.envelope.idempotency_key for each in poll(subscription, limit)]


def serve(adapters: Adapters, delivery: Delivery, holder: str = "a") -> bool:
    """Claim a delivery and finish its work; False where somebody else has it."""
    claim = adapters.leases.claim(delivery.work, holder=holder, ttl=TTL)
    if claim is not None:
        adapters.log.commit(finishing(claim, gate(f"out-{delivery.work.work}", "outputs")))
    return claim is not None


class BusConformance:
    """What every bus does."""

    def test_a_role_hears_its_event_types_in_position_order(self, adapters: Adapters):
        for key in ("1", "2"):
            adapters.log.commit(commit(drafted(key, f"p{key}")))
        adapters.log.commit(commit(gate("3"), candidate("4")))
        testers = adapters.bus.subscribe(GROUP, ["tester"])
        everyone = adapters.bus.subscribe(GROUP, ["judge", "tester"])
        assert keys(testers) == ["1", "2"]
        assert [(each.role, each.work.group) for each in poll(everyone)] == [
            ("tester", "group.tester"),
            ("tester", "group.tester"),
            ("judge", "group.judge"),
        ]
        assert keys(everyone, limit=1) == ["1"]

    def test_the_lag_of_a_role_is_what_its_group_has_not_handled(self, adapters: Adapters):
        for each in (drafted("1", "p1"), candidate("2"), drafted("3", "p3")):
            adapters.log.commit(commit(each))
        assert adapters.bus.lag(GROUP, ["tester", "judge"]) == {"judge": 1, "tester": 2}
        subscription = adapters.bus.subscribe(GROUP, ["tester"])
        serve(adapters, poll(subscription)[0])
        assert adapters.bus.lag(GROUP, ["tester"]) == {"tester": 1}
        assert adapters.bus.lag("other", ["tester"]) == {"tester": 2}

    def test_a_delivery_names_its_work(self, adapters: Adapters):
        cause = recorded(adapters.log, candidate("1"))
        [delivery] = poll(adapters.bus.subscribe(GROUP, ["judge"]))
        assert delivery.envelope == cause
        assert delivery.work.cause == cause.id and delivery.work.stream == cause.stream
        assert delivery.work.scope == "admission/run-1"

    def test_it_comes_back_until_it_is_handled(self, adapters: Adapters):
        adapters.log.commit(commit(drafted("1")))
        subscription = adapters.bus.subscribe(GROUP, ["tester"])
        assert keys(subscription) == keys(subscription) == ["1"]
        [delivery] = poll(subscription)
        assert serve(adapters, delivery)
        subscription.ack(delivery)
        assert keys(subscription) == []
        assert keys(adapters.bus.subscribe(GROUP, ["tester"])) == []
        assert keys(adapters.again().bus.subscribe(GROUP, ["tester"])) == []

    def test_every_group_hears_everything(self, adapters: Adapters):
        adapters.log.commit(commit(drafted("1")))
        [delivery] = poll(adapters.bus.subscribe(GROUP, ["tester"]))
        serve(adapters, delivery)
        assert keys(adapters.bus.subscribe("other", ["tester"])) == ["1"]

    def test_one_run_can_be_served_alone(self, adapters: Adapters):
        adapters.log.commit(commit(drafted("1", "p", run="run-1")))
        adapters.log.commit(commit(drafted("2", "q", run="run-2")))
        assert keys(adapters.bus.subscribe(GROUP, ["tester"], run_id="run-2")) == ["2"]
        assert keys(adapters.bus.subscribe(GROUP, ["tester"])) == ["1", "2"]

    def test_what_somebody_holds_is_left_out_until_the_lease_runs_out(self, adapters: Adapters):
        adapters.log.commit(commit(drafted("1")))
        subscription = adapters.bus.subscribe(GROUP, ["tester"])
        [delivery] = poll(subscription)
        claim = adapters.leases.claim(delivery.work, holder="a", ttl=TTL)
        assert claim is not None and keys(subscription) == []
        adapters.pass_time(TTL + 1)
        assert keys(subscription) == ["1"]

    def test_a_backoff_is_honoured(self, adapters: Adapters):
        adapters.log.commit(commit(drafted("1")))
        subscription = adapters.bus.subscribe(GROUP, ["tester"])
        [delivery] = poll(subscription)
        claim = adapters.leases.claim(delivery.work, holder="a", ttl=TTL)
        assert claim is not None
        adapters.leases.retry(claim, delay=10)
        assert keys(subscription) == []
        adapters.pass_time(11)
        assert keys(subscription) == ["1"]

    def test_a_delivery_can_be_put_off_without_a_claim(self, adapters: Adapters):
        adapters.log.commit(commit(drafted("1"), drafted("2")))
        subscription = adapters.bus.subscribe(GROUP, ["tester"])
        first, second = poll(subscription)
        subscription.retry(first, delay=1000)
        subscription.retry(second, delay=0)
        assert keys(subscription) == ["2"]
        assert keys(adapters.bus.subscribe(GROUP, ["tester"])) == ["1", "2"]

    def test_a_parked_delivery_holds_its_stream_in_its_group_and_no_other(self, adapters: Adapters):
        adapters.log.commit(commit(drafted("1"), drafted("2"), drafted("3")))
        adapters.log.commit(commit(drafted("4", "q")))
        subscription = adapters.bus.subscribe(GROUP, ["tester"])
        second = poll(subscription)[1]
        subscription.park(second, error="poison")
        assert keys(subscription) == ["1", "4"]
        assert keys(adapters.bus.subscribe("other", ["tester"])) == ["1", "2", "3", "4"]
        assert adapters.leases.parked("run-1") == (second.work,)
        adapters.leases.reissue("run-1")
        assert keys(subscription) == ["1", "2", "3", "4"]

    def test_a_scope_that_somebody_works_in_is_left_out(self, adapters: Adapters):
        for key in ("1", "2"):
            adapters.log.commit(commit(candidate(key, f"p{key}")))
        adapters.log.commit(commit(candidate("3", "p3", run="run-2")))
        subscription = adapters.bus.subscribe(GROUP, ["judge"])
        first = poll(subscription)[0]
        claim = adapters.leases.claim(first.work, holder="a", ttl=TTL)
        assert claim is not None and keys(subscription) == ["3"]
        adapters.log.commit(finishing(claim))
        assert keys(subscription) == ["2", "3"]

    def test_a_poll_waits_for_a_doorbell(self, adapters: Adapters):
        subscription = adapters.bus.subscribe(GROUP, ["tester"])
        assert subscription.poll(limit=1, timeout=0.05) == []
        late = threading.Timer(0.1, lambda: adapters.log.commit(commit(drafted("1"))))
        late.start()
        [delivery] = subscription.poll(limit=1, timeout=10)
        late.join()
        assert delivery.envelope.idempotency_key == "1"

    def test_another_processes_commit_is_found(self, adapters: Adapters):
        subscription = adapters.again().bus.subscribe(GROUP, ["tester"])
        late = threading.Timer(0.1, lambda: adapters.log.commit(commit(drafted("1"))))
        late.start()
        assert len(subscription.poll(limit=1, timeout=10)) == 1
        late.join()

    def test_workers_of_a_group_share_the_work_and_do_each_once(self, adapters: Adapters):
        count = 12
        places = [adapters, adapters.again()]
        served: list[str] = []
        stop = time.monotonic() + 30

        def worker(number: int) -> None:
            place = places[number % 2]
            subscription = place.bus.subscribe(GROUP, ["tester"])
            while len(served) < count and time.monotonic() < stop:
                for delivery in subscription.poll(limit=3, timeout=0.05):
                    if serve(place, delivery, f"w{number}"):
                        served.append(delivery.envelope.idempotency_key)

        threads = [threading.Thread(target=worker, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        for number in range(count):
            adapters.log.commit(commit(drafted(str(number), f"p{number % 5}")))
            adapters.bus.notify()
        for thread in threads:
            thread.join()
        assert sorted(served, key=int) == [str(number) for number in range(count)]

    def test_a_role_that_answers_nothing_is_refused(self, adapters: Adapters):
        with pytest.raises(BadInputError, match="no role 'painter'"):
            adapters.bus.subscribe(GROUP, ["tester", "painter"])
