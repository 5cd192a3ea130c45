"""Tests of the scripted model."""

from collections.abc import Sequence

import pytest

from envwright.agents.models import ModelAnswer, ModelPort, ScriptedModel, request_digest
from envwright.events.errors import BadInputError, InfrastructureError
from support.model_conformance import ModelConformance, ask


def unreachable(_digest: str) -> ModelAnswer:
    raise InfrastructureError("the server of 'test-model' does not answer")


class TestScriptedModel(ModelConformance):
    def serve(self, answers: Sequence[ModelAnswer]) -> ModelPort:
        return ScriptedModel(answers)

    def failing(self) -> ModelPort:
        return ScriptedModel(unreachable)


def test_an_exhausted_script_says_how_many_answers_it_had() -> None:
    model = ScriptedModel([ModelAnswer(text="only one")])
    model.complete(ask())
    with pytest.raises(
        BadInputError, match="'test-model' has 1 answers and was asked for number 2"
    ):
        model.complete(ask())


def test_a_function_of_the_digest_gives_equal_requests_equal_answers() -> None:
    model = ScriptedModel(lambda digest: ModelAnswer(text=digest[:8]))
    first, other = ask("first"), ask("other")
    texts = [model.complete(request).text for request in (first, other, first)]
    assert texts == [request_digest(request)[:8] for request in (first, other, first)]
    assert texts[0] != texts[1]


def test_requests_are_recorded_in_order() -> None:
    model = ScriptedModel(lambda _digest: ModelAnswer())
    model.complete(ask("first"))
    model.complete(ask("second"))
    assert model.requests == (ask("first"), ask("second"))
