"""Calls executed again."""

import pytest

from envwright.events import encode
from envwright.events.errors import BadInputError
from envwright.events.values import ToolCall
from envwright.sandbox.attempts import open_attempt, replay_calls
from support.packages import desk_bundle


def reference():
    bundle = desk_bundle()
    return bundle, replay_calls(bundle, 0, bundle.solution.calls)


def test_a_rerun_gives_what_the_attempt_saw():
    bundle, rerun = reference()
    with open_attempt(bundle, 0) as attempt:
        start = attempt.world.digest()
        seen, digests = [], []
        for call in bundle.solution.calls:
            seen.append(attempt.session.call(call.name, call.arguments))
            digests.append(attempt.world.digest())
    assert rerun.observations == tuple(seen)
    assert rerun.digests == tuple(digests)
    assert (rerun.start, rerun.end) == (start, digests[-1])


def test_a_rerun_knows_its_writes():
    assert reference()[1].writes == (1, 2)


def test_the_first_state_is_untouched_by_the_calls():
    bundle, rerun = reference()
    untouched = replay_calls(bundle, 0, ())
    assert rerun.initial == untouched.initial == untouched.final
    assert rerun.final != rerun.initial
    assert untouched.end == rerun.start


def test_a_first_state_that_the_caller_has_is_taken_as_it_is():
    bundle, rerun = reference()
    again = replay_calls(bundle, 0, bundle.solution.calls, rerun.initial)
    assert again.initial is rerun.initial
    assert again == rerun


def test_a_refused_call_is_a_step_and_the_rerun_goes_on():
    bundle = desk_bundle()
    calls = [ToolCall(name="no_such_tool"), bundle.solution.calls[0]]
    rerun = replay_calls(bundle, 0, calls)
    assert [observation.ok for observation in rerun.observations] == [False, True]
    assert rerun.end == rerun.start


def test_evidence_is_the_same_bytes_every_time():
    assert encode(reference()[1].evidence()) == encode(reference()[1].evidence())


def test_another_seed_is_another_state():
    bundle = desk_bundle()
    assert replay_calls(bundle, 0, ()).start != replay_calls(bundle, 1, ()).start


def test_a_malformed_environment_is_refused_with_its_file():
    def change(documents):
        documents["environment/tables.json"] = []

    with pytest.raises(BadInputError, match=r"environment/tables\.json"):
        replay_calls(desk_bundle(change), 0, ())


def test_a_call_that_failed_is_refused_unless_it_met_a_fault_and_was_made_again():
    def faulted(documents):
        name = documents["solution/calls.json"]["calls"][0]["name"]
        documents["environment/world.json"]["faults"] = {name: {"error": "Error: 503"}}

    bundle = desk_bundle(faulted)
    first = bundle.solution.calls[0]
    once, twice = (replay_calls(bundle, 0, [first] * times) for times in (1, 2))
    assert once.refused == once.steps[0]
    assert twice.refused is None
    assert once.faults == twice.faults == (0,)
    other = first.model_copy(update={"arguments": {"email": "nobody"}})
    assert replay_calls(bundle, 0, [first, other]).refused is not None
