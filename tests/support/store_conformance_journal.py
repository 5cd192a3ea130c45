"""Conformance suite of the effect journal: takeover, retry, the four classes, and pins."""

import pytest

from envwright.events.catalog import (
    EffectClass,
    EffectCompleted,
    EffectRequested,
    EffectResolved,
)
from envwright.events.errors import (
    BadInputError,
    CanonicalError,
    EffectError,
    EffectMismatchError,
    EffectMissingError,
    FencedError,
    InfrastructureError,
    OutcomeUnknownError,
)
from envwright.events.ports import Claim, EffectCall, WorkJournal
from support.store_adapters import Adapters
from support.store_events import call, drafted, recorded, work_of

TTL = 30.0
CLASSES: tuple[EffectClass, ...] = ("pure", "fenced", "repeatable", "once")


class Hand:
    """An action that counts how often it was taken, under which keys, and may fail."""

    def __init__(self, result: object = "result", error: Exception | None = None) -> None:
        self.result, self.error = result, error
        self.keys: list[str] = []
        self.reaped: list[str] = []

    def act(self, key: str) -> object:
        self.keys.append(key)
        if self.error is not None:
            raise self.error
        return self.result


def claimed(adapters: Adapters) -> Claim:
    cause = recorded(adapters.log, drafted("cause"))
    claim = adapters.leases.claim(work_of(cause), holder="first", ttl=TTL)
    assert claim is not None
    return claim


def next_claim(adapters: Adapters, claim: Claim, how: str) -> Claim:
    if how == "takeover":
        adapters.pass_time(TTL + 1)
    elif how == "retry":
        adapters.leases.retry(claim, delay=0)
    elif how == "reissue":
        adapters.leases.park(claim, error="x")
        adapters.leases.reissue(claim.work.run_id)
    following = adapters.leases.claim(claim.work, holder="next", ttl=TTL)
    assert following is not None
    return following


def perform(
    journal: WorkJournal, call: EffectCall, hand: Hand, reads: dict[str, int] | None = None
) -> object:
    return journal.perform(call, hand.act, reads=reads or {}, reap=hand.reaped.append)


def interrupted(adapters: Adapters, effect_class: EffectClass) -> tuple[Claim, Hand]:
    """Request an effect under a first claim whose holder fails before the outcome is known."""
    claim, hand = claimed(adapters), Hand(error=InfrastructureError("gone"))
    with pytest.raises(InfrastructureError):
        perform(adapters.journal.open(claim), call(effect_class), hand)
    return claim, hand


def effects(adapters: Adapters, claim: Claim) -> list[EffectRequested | EffectCompleted]:
    facts = [envelope.fact for envelope in adapters.log.read(f"work/{claim.work.work}")]
    return [fact for fact in facts if isinstance(fact, EffectRequested | EffectCompleted)]


class JournalConformance:
    """What every journal does."""

    def test_an_effect_is_requested_then_done_then_completed(self, adapters: Adapters):
        claim, hand = claimed(adapters), Hand({"value": 1})
        journal = adapters.journal.open(claim)

        def act(key: str) -> object:
            assert [fact.type for fact in effects(adapters, claim)] == ["effect.requested"]
            return hand.act(key)

        asked = call("repeatable", prompt="p")
        assert journal.perform(asked, act, reads={"run/r": 3}) == {"value": 1}
        requested, completed = effects(adapters, claim)
        assert isinstance(requested, EffectRequested) and isinstance(completed, EffectCompleted)
        assert requested.key == completed.key == hand.keys[0]
        assert (requested.reads, requested.token, requested.try_number) == ({"run/r": 3}, 1, 1)
        assert completed.ok and completed.result == {"value": 1}
        assert (journal.served, journal.reexecuted) == (0, 0)

    @pytest.mark.parametrize(
        "result", [25.0, [1, (2, 3)], {"b": 1, "a": [None]}, "\ud800", "x" * 200_000], ids=type
    )
    def test_the_first_caller_gets_what_a_later_one_is_served(self, adapters: Adapters, result):
        claim = claimed(adapters)
        first = perform(adapters.journal.open(claim), call(), Hand(result))
        again = Hand("other")
        journal = adapters.journal.open(next_claim(adapters, claim, "takeover"))
        served = perform(journal, call(), again)
        assert repr(served) == repr(first)
        assert again.keys == [] and journal.served == 1

    def test_a_result_that_is_no_json_is_a_bug_and_no_outcome(self, adapters: Adapters):
        claim = claimed(adapters)
        with pytest.raises(CanonicalError):
            perform(adapters.journal.open(claim), call(), Hand({1, 2}))
        assert len(effects(adapters, claim)) == 1

    def test_every_effect_of_a_claim_has_a_key_of_its_own(self, adapters: Adapters):
        journal, hand = adapters.journal.open(claimed(adapters)), Hand()
        for node, task in (("a", 0), ("a", 0), ("a", 1), ("b", 0)):
            perform(journal, call(node=node).model_copy(update={"task": task}), hand)
        assert len(set(hand.keys)) == 4

    @pytest.mark.parametrize("effect_class", CLASSES)
    def test_a_takeover_is_served_completed_effects(self, adapters: Adapters, effect_class):
        claim = claimed(adapters)
        journal = adapters.journal.open(claim)
        for number in range(3):
            perform(journal, call(effect_class, number=number), Hand(number))
        again, hand = adapters.journal.open(next_claim(adapters, claim, "takeover")), Hand("new")
        results = [perform(again, call(effect_class, number=n), hand) for n in range(4)]
        assert results == [0, 1, 2, "new"]
        assert (again.served, again.reexecuted, len(hand.keys)) == (3, 0, 1)

    @pytest.mark.parametrize("effect_class", ["pure", "fenced", "repeatable"])
    def test_a_takeover_does_an_open_effect_again(self, adapters: Adapters, effect_class):
        claim, first = interrupted(adapters, effect_class)
        hand = Hand("done")
        journal = adapters.journal.open(next_claim(adapters, claim, "takeover"))
        assert perform(journal, call(effect_class), hand) == "done"
        assert hand.keys == first.keys
        assert hand.reaped == (first.keys if effect_class == "fenced" else [])
        assert (journal.served, journal.reexecuted) == (0, 1)
        types = [fact.type for fact in effects(adapters, claim)]
        assert types == ["effect.requested", "effect.completed"]

    @pytest.mark.parametrize("effect_class", ["pure", "fenced", "repeatable"])
    @pytest.mark.parametrize("how", ["retry", "reissue"])
    def test_a_new_try_does_everything_anew(self, adapters: Adapters, effect_class, how):
        claim, hand = claimed(adapters), Hand()
        perform(adapters.journal.open(claim), call(effect_class), hand, {"run/r": 1})
        journal = adapters.journal.open(next_claim(adapters, claim, how))
        assert journal.pins() == {}
        perform(journal, call(effect_class, other="request"), hand)
        assert len(set(hand.keys)) == 2 and journal.served == 0

    def test_a_takeover_reads_what_the_first_holder_read(self, adapters: Adapters):
        claim = claimed(adapters)
        journal = adapters.journal.open(claim)
        assert journal.pins() == {}
        perform(journal, call(), Hand(), {"run/r": 1})
        perform(journal, call(), Hand(), {"run/r": 1, "package/p": 4})
        again = adapters.journal.open(next_claim(adapters, claim, "takeover"))
        assert again.pins() == {"run/r": 1, "package/p": 4}

    @pytest.mark.parametrize(
        "changed",
        [call(number=2), call(number=1).model_copy(update={"kind": "other"}), call("once")],
        ids=["request", "kind", "class"],
    )
    def test_another_request_under_a_known_key_is_a_mismatch(self, adapters: Adapters, changed):
        claim = claimed(adapters)
        perform(adapters.journal.open(claim), call(number=1), Hand())
        again = adapters.journal.open(next_claim(adapters, claim, "takeover"))
        with pytest.raises(EffectMismatchError, match="node 'act'"):
            perform(again, changed, Hand())

    def test_equal_numbers_are_one_request(self, adapters: Adapters):
        claim = claimed(adapters)
        perform(adapters.journal.open(claim), call(number=25.0), Hand("first"))
        again = adapters.journal.open(next_claim(adapters, claim, "takeover"))
        assert perform(again, call(number=25), Hand()) == "first"

    def test_a_slow_holder_records_and_reaps_nothing(self, adapters: Adapters):
        claim, first = interrupted(adapters, "fenced")
        slow = adapters.journal.open(claim)
        next_claim(adapters, claim, "takeover")
        hand = Hand()
        with pytest.raises(FencedError):
            perform(slow, call("fenced"), hand)
        with pytest.raises(FencedError):
            perform(slow, call("fenced"), hand)
        assert hand.keys == hand.reaped == [] and len(effects(adapters, claim)) == 1

    def test_an_outcome_of_a_holder_that_lost_its_claim_is_not_recorded(self, adapters: Adapters):
        claim = claimed(adapters)
        slow = adapters.journal.open(claim)

        def act(key: str) -> object:
            next_claim(adapters, claim, "takeover")
            return "too late"

        with pytest.raises(FencedError):
            slow.perform(call("repeatable"), act, reads={})
        assert [fact.type for fact in effects(adapters, claim)] == ["effect.requested"]

    @pytest.mark.parametrize("how", ["takeover", "retry", "reissue"])
    def test_an_unknown_outcome_of_a_once_effect_stops_the_work(self, adapters: Adapters, how):
        claim, first = interrupted(adapters, "once")
        hand = Hand()
        journal = adapters.journal.open(next_claim(adapters, claim, how))
        with pytest.raises(OutcomeUnknownError, match=first.keys[0]):
            perform(journal, call("once"), hand)
        assert hand.keys == []

    def test_an_unknown_outcome_also_stops_another_request_in_its_place(self, adapters: Adapters):
        claim, _ = interrupted(adapters, "once")
        journal = adapters.journal.open(next_claim(adapters, claim, "retry"))
        with pytest.raises(OutcomeUnknownError):
            perform(journal, call("once", other="request"), Hand())

    @pytest.mark.parametrize("how", ["takeover", "reissue"])
    def test_a_person_lets_a_once_effect_run_again(self, adapters: Adapters, how):
        claim, first = interrupted(adapters, "once")
        adapters.journal.resolve(claim.work.work, first.keys[0], decision="retry")
        adapters.journal.resolve(claim.work.work, first.keys[0], decision="retry")
        hand = Hand("done")
        claim = next_claim(adapters, claim, how)
        assert perform(adapters.journal.open(claim), call("once"), hand) == "done"
        assert hand.keys == first.keys
        again = Hand()
        claim = next_claim(adapters, claim, "takeover")
        assert perform(adapters.journal.open(claim), call("once"), again) == "done"
        assert again.keys == []

    def test_a_decision_to_retry_holds_for_one_claim(self, adapters: Adapters):
        claim, first = interrupted(adapters, "once")
        adapters.journal.resolve(claim.work.work, first.keys[0], decision="retry")
        claim = next_claim(adapters, claim, "takeover")
        with pytest.raises(InfrastructureError):
            failing = Hand(error=InfrastructureError("gone again"))
            perform(adapters.journal.open(claim), call("once"), failing)
        claim = next_claim(adapters, claim, "takeover")
        with pytest.raises(OutcomeUnknownError):
            perform(adapters.journal.open(claim), call("once"), Hand())
        adapters.journal.resolve(claim.work.work, first.keys[0], decision="retry")
        claim = next_claim(adapters, claim, "takeover")
        assert perform(adapters.journal.open(claim), call("once"), Hand()) == "result"

    @pytest.mark.parametrize("how", ["takeover", "retry"])
    def test_an_abandoned_effect_fails_for_good(self, adapters: Adapters, how):
        claim, first = interrupted(adapters, "once")
        adapters.journal.resolve(claim.work.work, first.keys[0], decision="abandon")
        hand = Hand()
        for _ in range(2):
            claim = next_claim(adapters, claim, how)
            with pytest.raises(EffectError, match="abandoned"):
                perform(adapters.journal.open(claim), call("once"), hand)
        assert hand.keys == [] and len(effects(adapters, claim)) == 2

    def test_a_once_effect_is_done_once_over_all_tries(self, adapters: Adapters):
        claim, hand = claimed(adapters), Hand("sent")
        perform(adapters.journal.open(claim), call("once"), hand)
        journal = adapters.journal.open(next_claim(adapters, claim, "retry"))
        assert perform(journal, call("once"), hand) == "sent"
        assert len(hand.keys) == 1 and journal.served == 1
        perform(journal, call("once", something="else"), hand)
        assert len(hand.keys) == 2

    @pytest.mark.parametrize("effect_class", CLASSES)
    def test_a_journal_of_the_past_serves_what_was_recorded_and_never_acts(
        self, adapters: Adapters, effect_class
    ):
        claim = claimed(adapters)
        journal = adapters.journal.open(claim)
        for number in range(2):
            perform(journal, call(effect_class, number=number), Hand(number))
        head = adapters.log.head()
        past, hand = adapters.journal.recorded(claim), Hand("new")
        asked = [effect.key for effect in effects(adapters, claim)][::2]
        assert past.unasked() == tuple(asked)
        assert perform(past, call(effect_class, number=0), hand) == 0
        assert past.unasked() == tuple(asked[1:])
        with pytest.raises(EffectMismatchError):
            perform(past, call(effect_class, number=9), hand)
        with pytest.raises(EffectMissingError, match="node 'act', task 0, number 2"):
            perform(past, call(effect_class, number=2), hand)
        assert past.unasked() == () and (past.served, past.reexecuted) == (1, 0)
        assert hand.keys == hand.reaped == [] and adapters.log.head() == head

    @pytest.mark.parametrize("effect_class", CLASSES)
    def test_a_journal_of_the_past_has_no_outcome_that_nobody_knows(
        self, adapters: Adapters, effect_class
    ):
        claim, _ = interrupted(adapters, effect_class)
        with pytest.raises(EffectMissingError):
            perform(adapters.journal.recorded(claim), call(effect_class), Hand())

    def test_a_journal_of_the_past_knows_the_effects_of_its_try_alone(self, adapters: Adapters):
        claim = claimed(adapters)
        perform(adapters.journal.open(claim), call(number=1), Hand("first"))
        later = next_claim(adapters, claim, "retry")
        perform(adapters.journal.open(later), call(number=2), Hand("second"))
        past = adapters.journal.recorded(later)
        assert perform(past, call(number=2), Hand()) == "second"
        assert past.unasked() == ()

    def test_only_an_open_once_effect_can_be_decided_about(self, adapters: Adapters):
        claim, first = interrupted(adapters, "once")
        work, key = claim.work.work, first.keys[0]
        for bad_work, bad_key, decision in (
            (work, key, "perhaps"),
            (work, "eff-none", "retry"),
            ("wrk-none", key, "retry"),
        ):
            with pytest.raises(BadInputError):
                adapters.journal.resolve(bad_work, bad_key, decision=decision)
        adapters.journal.resolve(work, key, decision="retry")
        with pytest.raises(BadInputError, match="decided already"):
            adapters.journal.resolve(work, key, decision="abandon")
        claim = next_claim(adapters, claim, "takeover")
        perform(adapters.journal.open(claim), call("once"), Hand())
        with pytest.raises(BadInputError, match="is known"):
            adapters.journal.resolve(work, key, decision="retry")
        decided = [e.fact for e in adapters.log.read_all(types=["effect.resolved"])]
        assert decided == [EffectResolved(work=work, key=key, decision="retry")]

    def test_an_effect_of_another_class_has_nothing_to_decide(self, adapters: Adapters):
        claim, first = interrupted(adapters, "repeatable")
        with pytest.raises(BadInputError, match="no `once` effect"):
            adapters.journal.resolve(claim.work.work, first.keys[0], decision="retry")
