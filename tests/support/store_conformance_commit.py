"""Conformance suite of `Log.commit`: what is refused, what is a repeat, and all or nothing."""

import threading
from collections.abc import Callable

import pytest

from envwright.events.errors import (
    ConcurrencyError,
    EnvwrightError,
    FencedError,
    IdempotencyError,
    LogError,
)
from envwright.events.ports import Append, Claim, Commit, CursorMove, Fence, ProjectionWrite
from support.store_adapters import Adapters
from support.store_events import (
    append,
    commit,
    drafted,
    fence,
    finishing,
    gate,
    inbox,
    recorded,
    work_of,
)

TTL = 60.0


def claimed(adapters: Adapters, key: str = "cause", *, holder: str = "first") -> Claim:
    """Record a cause and claim the work that it asks for."""
    cause = recorded(adapters.log, drafted(key, package=f"cause-{key}"))
    claim = adapters.leases.claim(work_of(cause), holder=holder, ttl=TTL)
    assert claim is not None
    return claim


def taken_over(adapters: Adapters, claim: Claim) -> Claim:
    """Let a claim run out and give its work to a second holder."""
    adapters.pass_time(TTL + 1)
    second = adapters.leases.claim(claim.work, holder="second", ttl=TTL)
    assert second is not None
    return second


class CommitConformance:
    """What every log's `commit` does."""

    def test_versions_that_are_expected_are_accepted(self, adapters: Adapters):
        assert adapters.log.commit(commit(gate("1"), gate("2"), expected=0)).positions == (1, 2)
        assert adapters.log.commit(commit(gate("3"), expected=2)).positions == (3,)
        assert adapters.log.commit(commit(gate("4"))).positions == (4,)

    @pytest.mark.parametrize("expected", [0, 1, 3])
    def test_a_version_that_is_not_expected_is_refused(self, adapters: Adapters, expected):
        adapters.log.commit(commit(gate("1"), gate("2")))
        with pytest.raises(ConcurrencyError, match="'package/p' is at version 2"):
            adapters.log.commit(commit(gate("3"), expected=expected))
        assert adapters.log.head() == 2

    def test_an_append_without_events_only_guards_its_stream(self, adapters: Adapters):
        adapters.log.commit(commit(gate("1", "read")))
        guard = Append(stream="package/read", events=(), expected=1)
        adapters.log.commit(Commit(appends=(guard, append(gate("2", "written")))))
        stale = guard.model_copy(update={"expected": 0})
        with pytest.raises(ConcurrencyError):
            adapters.log.commit(Commit(appends=(stale, append(gate("3", "written")))))

    def test_one_conflict_undoes_the_whole_commit(self, adapters: Adapters):
        adapters.log.commit(commit(gate("1", "b")))
        both = Commit(
            appends=(append(gate("2", "a"), expected=0), append(gate("3", "b"), expected=0)),
            cursor=CursorMove(name="cursor", expected=0, position=1),
            projections=(ProjectionWrite(projection="p", key="k", value=b"v"),),
        )
        with pytest.raises(ConcurrencyError):
            adapters.log.commit(both)
        assert adapters.log.head() == 1
        assert adapters.log.version("package/a") == adapters.log.cursor("cursor") == 0
        assert list(adapters.log.projection("p")) == []

    def test_a_repeat_returns_its_first_positions_whatever_it_expects(self, adapters: Adapters):
        first = commit(gate("1"), gate("2"), expected=0)
        assert adapters.log.commit(first).repeated == 0
        adapters.log.commit(commit(gate("3")))
        again = adapters.log.commit(commit(gate("1"), gate("2"), expected=0))
        assert (again.positions, again.repeated) == ((1, 2), 2)
        assert adapters.log.head() == 3

    def test_a_repeat_that_goes_on_appends_only_what_is_new(self, adapters: Adapters):
        adapters.log.commit(commit(gate("0"), gate("1"), expected=0))
        more = adapters.log.commit(commit(gate("1"), gate("2"), expected=1))
        assert (more.positions, more.repeated) == ((2, 3), 1)

    def test_a_repeat_that_goes_on_after_somebody_else_is_refused(self, adapters: Adapters):
        adapters.log.commit(commit(gate("1"), expected=0))
        adapters.log.commit(commit(gate("other")))
        with pytest.raises(ConcurrencyError):
            adapters.log.commit(commit(gate("1"), gate("2"), expected=0))

    @pytest.mark.parametrize(
        "other",
        [gate("1", detail="other"), gate("1", "other"), drafted("1")],
        ids=["payload", "stream", "type"],
    )
    def test_a_known_key_with_something_else_is_a_conflict(self, adapters: Adapters, other):
        adapters.log.commit(commit(gate("1")))
        with pytest.raises(IdempotencyError, match="'1' stands for 'gate.evaluated'"):
            adapters.log.commit(commit(other))
        assert adapters.log.head() == 1

    def test_one_key_for_two_events_of_a_commit_is_a_conflict(self, adapters: Adapters):
        with pytest.raises(IdempotencyError, match="twice"):
            adapters.log.commit(commit(gate("1"), gate("1")))

    def test_one_id_for_two_events_is_a_conflict(self, adapters: Adapters):
        first = gate("1")
        adapters.log.commit(commit(first))
        with pytest.raises(IdempotencyError, match="id"):
            adapters.log.commit(commit(gate("2").model_copy(update={"id": first.id})))
        assert adapters.log.commit(commit(gate("3"))).positions == (2,)

    def test_an_event_on_a_stream_that_is_not_its_own_is_refused(self, adapters: Adapters):
        with pytest.raises(LogError, match="belongs on 'package/p', not on 'run/r'"):
            adapters.log.commit(Commit(appends=(Append(stream="run/r", events=(gate("1"),)),)))

    def test_a_cursor_moves_only_from_where_it_is_expected(self, adapters: Adapters):
        adapters.log.commit(Commit(cursor=CursorMove(name="c", expected=0, position=5)))
        with pytest.raises(ConcurrencyError, match="cursor 'c' is at 5"):
            adapters.log.commit(Commit(cursor=CursorMove(name="c", expected=0, position=9)))
        assert adapters.log.cursor("c") == 5

    def test_projection_rows_are_set_and_deleted(self, adapters: Adapters):
        def write(key: str, value: bytes | None) -> Commit:
            return Commit(projections=(ProjectionWrite(projection="p", key=key, value=value),))

        for change in (write("b", b"1"), write("a", b"2"), write("b", b"3"), write("c", b"4")):
            adapters.log.commit(change)
        adapters.log.commit(write("c", None))
        assert list(adapters.log.projection("p")) == [("a", b"2"), ("b", b"3")]

    def test_finishing_marks_the_work_done_and_keeps_the_basis(self, adapters: Adapters):
        claim = claimed(adapters)
        done = Commit(
            appends=(append(gate("out")),),
            inbox=inbox(claim, {"package/x": 3, "run/r": 1}),
            fence=fence(claim),
        )
        adapters.log.commit(done)
        assert adapters.leases.state(claim.work.work) == "done"
        entry = adapters.log.inbox(claim.work.group, claim.work.cause)
        assert entry is not None and entry.basis == {"package/x": 3, "run/r": 1}

    def test_an_inbox_entry_is_made_once(self, adapters: Adapters):
        claim = claimed(adapters)
        adapters.log.commit(Commit(inbox=inbox(claim)))
        with pytest.raises(ConcurrencyError, match="handled"):
            adapters.log.commit(Commit(inbox=inbox(claim)))
        with pytest.raises(ConcurrencyError, match="handled"):
            adapters.log.commit(Commit(inbox=inbox(claim), appends=(append(gate("1")),)))
        assert adapters.log.inbox("other", claim.work.cause) is None

    def test_inbox_and_fence_name_the_same_work(self, adapters: Adapters):
        one, other = claimed(adapters, "1"), claimed(adapters, "2")
        with pytest.raises(LogError, match="one piece of work"):
            adapters.log.commit(Commit(inbox=inbox(one), fence=fence(other)))

    @pytest.mark.parametrize("delta", [-1, 1])
    def test_another_token_is_fenced_with_and_without_an_inbox_entry(
        self, adapters: Adapters, delta
    ):
        claim = claimed(adapters)
        stale = Fence(work=claim.work.work, token=claim.token + delta)
        for refused in (
            Commit(fence=stale),
            Commit(fence=stale, appends=(append(gate("1")),)),
            Commit(fence=stale, appends=(append(gate("1")),), inbox=inbox(claim)),
        ):
            with pytest.raises(FencedError):
                adapters.log.commit(refused)
        assert adapters.log.version("package/p") == 0

    def test_work_that_nobody_claimed_is_fenced(self, adapters: Adapters):
        with pytest.raises(FencedError, match="never claimed"):
            adapters.log.commit(Commit(fence=Fence(work="wrk-none", token=1)))

    @pytest.mark.parametrize("how", ["release", "retry", "park", "expire"])
    def test_work_that_was_given_back_is_fenced(self, adapters: Adapters, how):
        claim = claimed(adapters)
        give_back: dict[str, Callable[[], object]] = {
            "release": lambda: adapters.leases.release(claim),
            "retry": lambda: adapters.leases.retry(claim, delay=0),
            "park": lambda: adapters.leases.park(claim, error="x"),
            "expire": lambda: adapters.leases.expire(claim.holder),
        }
        give_back[how]()
        with pytest.raises(FencedError):
            adapters.log.commit(finishing(claim, gate("1")))
        assert adapters.leases.state(claim.work.work) != "done"

    def test_a_slow_holder_that_nobody_replaced_may_still_finish(self, adapters: Adapters):
        claim = claimed(adapters)
        adapters.pass_time(TTL + 1)
        adapters.log.commit(finishing(claim, gate("1")))
        assert adapters.leases.state(claim.work.work) == "done"

    def test_a_slow_holder_is_fenced_by_the_next_one(self, adapters: Adapters):
        first = claimed(adapters)
        second = taken_over(adapters, first)
        with pytest.raises(FencedError, match="token 1"):
            adapters.log.commit(finishing(first, gate("1")))
        adapters.log.commit(finishing(second, gate("1")))
        assert adapters.log.version("package/p") == 1

    def test_a_slow_holder_is_fenced_after_another_one_did_the_very_same(self, adapters: Adapters):
        first = claimed(adapters)
        second = taken_over(adapters, first)
        adapters.log.commit(finishing(second, gate("1"), expected=0))
        with pytest.raises(FencedError):
            adapters.log.commit(finishing(first, gate("1"), expected=0))

    @pytest.mark.parametrize("outputs", [["1"], []], ids=["with outputs", "without outputs"])
    def test_a_holder_whose_acknowledgement_was_lost_gets_it_again(
        self, adapters: Adapters, outputs
    ):
        claim = claimed(adapters)

        def done() -> Commit:
            return finishing(claim, *[gate(key) for key in outputs], expected=0)

        first = adapters.log.commit(done())
        again = adapters.log.commit(done())
        assert again.positions == first.positions
        assert again.repeated == len(outputs)

    def test_done_work_takes_nothing_more(self, adapters: Adapters):
        claim = claimed(adapters)
        adapters.log.commit(finishing(claim, gate("1")))
        for more in (
            Commit(fence=fence(claim)),
            Commit(fence=fence(claim), appends=(append(gate("2")),)),
            finishing(claim, gate("1"), gate("2")),
        ):
            with pytest.raises(FencedError, match="done"):
                adapters.log.commit(more)

    def test_a_takeover_repeats_what_was_flushed_before(self, adapters: Adapters):
        first = claimed(adapters)
        flushed = Commit(appends=(append(gate("1"), expected=0),), fence=fence(first))
        adapters.log.commit(flushed)
        second = taken_over(adapters, first)
        again = flushed.model_copy(update={"fence": fence(second)})
        assert adapters.log.commit(again).repeated == 1
        done = adapters.log.commit(finishing(second, gate("1"), gate("2"), expected=0))
        assert done.repeated == 1 and adapters.log.version("package/p") == 2

    def test_eight_committers_and_every_kind_of_conflict_leave_no_hole(self, adapters: Adapters):
        claim = claimed(adapters)
        second = taken_over(adapters, claim)
        adapters.log.commit(commit(gate("known", "known")))
        places = [adapters, adapters.again()]
        acknowledged: list[int] = []
        unexpected: list[object] = []

        def attempt(place: Adapters, change: Commit, error: type[EnvwrightError] | None) -> None:
            try:
                done = place.log.commit(change)
            except EnvwrightError as raised:
                if error is None or not isinstance(raised, error):
                    unexpected.append(raised)
            else:
                if error is not None:
                    unexpected.append((change, error))
                acknowledged.extend(done.positions[: len(done.positions) - done.repeated])

        def committer(number: int) -> None:
            place, own = places[number % 2], f"own-{number}"
            for step in range(12):
                key = f"{number}/{step}"
                attempt(place, commit(gate(key, own), expected=step), None)
                attempt(place, commit(gate(key, own), expected=step), None)
                attempt(place, commit(gate(f"x{key}", own), expected=step), ConcurrencyError)
                attempt(place, commit(gate("known", "known", detail="x")), IdempotencyError)
                stale = Commit(appends=(append(gate(f"y{key}", own)),), fence=fence(claim))
                attempt(place, stale, FencedError)
                shared = Commit(appends=(append(gate(f"z{key}", "shared")),), fence=fence(second))
                attempt(place, shared, None)

        threads = [threading.Thread(target=committer, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert unexpected == []
        head = adapters.log.head()
        assert [envelope.position for envelope in adapters.log.read_all()] == [*range(1, head + 1)]
        assert len(acknowledged) == len(set(acknowledged)) == 8 * 12 * 2
        assert adapters.log.version("package/shared") == 96
