"""Conformance suite of the model port: every adapter's test class inherits it."""

from abc import ABC, abstractmethod
from collections.abc import Sequence

import pytest

from envwright.agents.models import (
    Message,
    ModelAnswer,
    ModelPort,
    ModelRequest,
    ModelToolCall,
    Usage,
)
from envwright.events.errors import InfrastructureError
from envwright.events.values import ToolSchema


def ask(text: str = "What is the status of ticket TKT-1?") -> ModelRequest:
    """A request with a tool and an earlier exchange."""
    lookup = ModelToolCall(id="call-1", name="get_ticket", arguments='{"ticket_id":"TKT-1"}')
    return ModelRequest(
        model="test-model",
        messages=(
            Message(role="system", content="Use the tools."),
            Message(role="user", content=text),
            Message(role="assistant", tool_calls=(lookup,)),
            Message(role="tool", content="open", tool_call_id="call-1"),
        ),
        tools=(ToolSchema(name="get_ticket", description="Get a ticket."),),
        temperature=0.5,
        seed=7,
    )


class ModelConformance(ABC):
    """What every adapter must do; a subclass says how to set its model up."""

    @abstractmethod
    def serve(self, answers: Sequence[ModelAnswer]) -> ModelPort:
        """Return a model whose server gives these answers in turn."""

    @abstractmethod
    def failing(self) -> ModelPort:
        """Return a model whose server cannot be reached."""

    def test_a_text_comes_back_as_it_was_written(self) -> None:
        text = 'Grüße, "ticket" 7\n\t→ открыт \u0000 end'
        assert self.serve([ModelAnswer(text=text)]).complete(ask()).text == text

    def test_tool_calls_keep_their_order_ids_and_names(self) -> None:
        calls = tuple(
            ModelToolCall(id=f"call-{n}", name=f"tool_{n}", arguments=f'{{"n":{n}}}')
            for n in range(3)
        )
        answer = self.serve([ModelAnswer(tool_calls=calls, finish_reason="tool_calls")]).complete(
            ask()
        )
        assert answer.tool_calls == calls
        assert answer.finish_reason == "tool_calls"

    @pytest.mark.parametrize("arguments", ["", "{", "not json", '{"a": NaN}', "[1]", '"text"'])
    def test_malformed_arguments_of_a_tool_call_are_passed_on_unparsed(
        self, arguments: str
    ) -> None:
        call = ModelToolCall(id="call-1", name="get_ticket", arguments=arguments)
        answer = self.serve([ModelAnswer(tool_calls=(call,))]).complete(ask())
        assert answer.tool_calls[0].arguments == arguments

    @pytest.mark.parametrize("reason", ["stop", "length", "content_filter"])
    def test_a_cut_or_refused_answer_is_an_answer(self, reason: str) -> None:
        scripted = ModelAnswer.model_validate({"text": "Cut o", "finish_reason": reason})
        assert self.serve([scripted]).complete(ask()).finish_reason == reason

    def test_usage_counts_the_prompt_with_and_without_the_cache(self) -> None:
        used = Usage(input_tokens=120, cached_tokens=100, output_tokens=9)
        usage = self.serve([ModelAnswer(text="ok", usage=used)]).complete(ask()).usage
        assert usage == used
        assert usage.uncached_input_tokens == 20

    def test_equal_requests_are_separate_samples(self) -> None:
        model = self.serve([ModelAnswer(text="heads"), ModelAnswer(text="tails")])
        assert [model.complete(ask()).text for _ in range(2)] == ["heads", "tails"]

    def test_an_unreachable_server_is_an_infrastructure_error(self) -> None:
        with pytest.raises(InfrastructureError):
            self.failing().complete(ask())
