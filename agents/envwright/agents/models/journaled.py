"""A model behind the effect journal: replay and takeover are served the recorded answers."""

from collections.abc import Callable
from typing import Protocol

from envwright.agents.models.port import ModelAnswer, ModelPort, ModelRequest
from envwright.agents.tracing import Tracing, record_usage
from envwright.events import Json
from envwright.events.ports.effects import EffectCall


class Perform(Protocol):
    """The journal as a handler gives it to its nodes: `WorkJournal.perform`, its reads bound."""

    def __call__(self, call: EffectCall, action: Callable[[str], Json]) -> Json:
        """Return the recorded result of the effect, or act and record."""


class JournaledModel:
    """Sends every request through the journal as a `repeatable` effect of one node's task.

    Equal requests are still separate samples: the journal tells them apart by their order.
    """

    def __init__(
        self,
        model: ModelPort,
        perform: Perform,
        *,
        node: str,
        task: int = 0,
        tracing: Tracing | None = None,
        provider: str = "openai",
    ) -> None:
        """Take the model, the journal, and what spans the calls that are made, not those served."""
        self._model = model
        self._perform = perform
        self._node = node
        self._task = task
        self._tracing = tracing
        self._provider = provider

    def complete(self, request: ModelRequest) -> ModelAnswer:
        """Return the recorded answer, or ask the model and record what it says."""
        call = EffectCall(
            kind="model",
            effect_class="repeatable",
            node=self._node,
            task=self._task,
            request=request.model_dump(mode="json"),
        )
        answer = self._perform(call, lambda _key: self._ask(request))
        return ModelAnswer.model_validate(answer)

    def _ask(self, request: ModelRequest) -> Json:
        if self._tracing is None:
            return self._model.complete(request).model_dump(mode="json")
        with self._tracing.chat(request.model, provider=self._provider) as span:
            answer = self._model.complete(request)
            used = answer.usage
            record_usage(
                span,
                input_tokens=used.input_tokens,
                output_tokens=used.output_tokens,
                cached_tokens=used.cached_tokens,
            )
        return answer.model_dump(mode="json")
