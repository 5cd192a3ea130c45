"""Tests of the model behind the effect journal."""

from collections.abc import Callable, Sequence

import pytest

from envwright.agents.models import JournaledModel, ModelAnswer, ModelPort, ScriptedModel
from envwright.events import Json, digest
from envwright.events.errors import EffectMismatchError, InfrastructureError
from envwright.events.ports.effects import EffectCall
from support.model_conformance import ModelConformance, ask


class Records:
    """A journal of one claim, in memory: the n-th effect of a (node, task) has ordinal n."""

    def __init__(self) -> None:
        self.entries: dict[tuple[str, int, int], tuple[EffectCall, str, Json]] = {}
        self.counts: dict[tuple[str, int], int] = {}

    def again(self) -> None:
        """Start the handler from the top, as a takeover does."""
        self.counts = {}

    def perform(self, call: EffectCall, action: Callable[[str], Json]) -> Json:
        place = (call.node, call.task)
        ordinal = self.counts[place] = self.counts.get(place, -1) + 1
        asked = digest(call.request)
        if entry := self.entries.get((*place, ordinal)):
            if entry[1] != asked:
                raise EffectMismatchError(f"another request at {place}, {ordinal}")
            return entry[2]
        result = action(f"key-{ordinal}")
        self.entries[(*place, ordinal)] = (call, asked, result)
        return result


def unreachable(_digest: str) -> ModelAnswer:
    raise InfrastructureError("the server of 'test-model' does not answer")


class TestJournaledModel(ModelConformance):
    def serve(self, answers: Sequence[ModelAnswer]) -> ModelPort:
        return JournaledModel(ScriptedModel(answers), Records().perform, node="act")

    def failing(self) -> ModelPort:
        return JournaledModel(ScriptedModel(unreachable), Records().perform, node="act")


def test_a_replay_is_served_from_the_journal_and_asks_no_model() -> None:
    records = Records()
    first = JournaledModel(
        ScriptedModel([ModelAnswer(text="heads"), ModelAnswer(text="tails")]),
        records.perform,
        node="act",
    )
    recorded = [first.complete(ask()), first.complete(ask())]
    records.again()
    silent = ScriptedModel([])
    replayed = JournaledModel(silent, records.perform, node="act")
    assert [replayed.complete(ask()), replayed.complete(ask())] == recorded
    assert silent.requests == ()


def test_a_call_is_a_repeatable_effect_that_carries_the_whole_request() -> None:
    records = Records()
    model = JournaledModel(ScriptedModel([ModelAnswer()]), records.perform, node="act", task=3)
    model.complete(ask())
    call = records.entries[("act", 3, 0)][0]
    assert (call.kind, call.effect_class) == ("model", "repeatable")
    assert call.request == ask().model_dump(mode="json")


def test_a_replay_that_asks_something_else_is_refused() -> None:
    records = Records()
    model = JournaledModel(ScriptedModel([ModelAnswer()]), records.perform, node="act")
    model.complete(ask())
    records.again()
    with pytest.raises(EffectMismatchError):
        model.complete(ask("another question"))
