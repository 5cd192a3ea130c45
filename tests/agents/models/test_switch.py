"""Tests of the switch before real models."""

from collections.abc import Iterator, Sequence

import pytest

from envwright.agents.models import (
    ModelAnswer,
    ModelPort,
    ScriptedModel,
    SwitchedModel,
    allow_model_requests,
    model_requests_allowed,
)
from envwright.events.errors import BadInputError, InfrastructureError
from support.model_conformance import ModelConformance, ask


def unreachable(_digest: str) -> ModelAnswer:
    raise InfrastructureError("the server of 'test-model' does not answer")


class TestSwitchedModelWhileOn(ModelConformance):
    @pytest.fixture(autouse=True)
    def _on(self) -> Iterator[None]:
        allow_model_requests()
        yield
        allow_model_requests(False)

    def serve(self, answers: Sequence[ModelAnswer]) -> ModelPort:
        return SwitchedModel(ScriptedModel(answers))

    def failing(self) -> ModelPort:
        return SwitchedModel(ScriptedModel(unreachable))


def test_requests_are_off_by_default_and_the_model_is_not_asked() -> None:
    behind = ScriptedModel([ModelAnswer(text="paid for")])
    assert not model_requests_allowed()
    with pytest.raises(BadInputError, match=r"turn them on with allow_model_requests\(\)"):
        SwitchedModel(behind).complete(ask())
    assert behind.requests == ()
