"""A model behind the effect journal: replay and takeover are served the recorded answers."""

from collections.abc import Callable
from typing import Protocol

from envwright.agents.models.port import ModelAnswer, ModelPort, ModelRequest
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

    def __init__(self, model: ModelPort, perform: Perform, *, node: str, task: int = 0) -> None:
        self._model = model
        self._perform = perform
        self._node = node
        self._task = task

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
        return self._model.complete(request).model_dump(mode="json")
