"""Scripted model: answers from a list, or from a function of the request's digest."""

from collections.abc import Callable, Sequence

from envwright.agents.models.port import ModelAnswer, ModelRequest, request_digest
from envwright.events.errors import BadInputError

Script = Sequence[ModelAnswer] | Callable[[str], ModelAnswer]
"""Answers in the order of the requests, or the answer for a request's digest."""


class ScriptedModel:
    """A model without chance or cost; it remembers what it was asked."""

    def __init__(self, script: Script) -> None:
        self._script = script
        self._requests: list[ModelRequest] = []

    @property
    def requests(self) -> tuple[ModelRequest, ...]:
        """Every request so far, in order, those without an answer included."""
        return tuple(self._requests)

    def complete(self, request: ModelRequest) -> ModelAnswer:
        """Give the next answer of the list, or the function's answer for this request."""
        self._requests.append(request)
        if callable(self._script):
            return self._script(request_digest(request))
        asked = len(self._requests)
        if asked > len(self._script):
            raise BadInputError(
                f"the script of model {request.model!r} has {len(self._script)} answers and was "
                f"asked for number {asked}; add an answer or script a function of the digest"
            )
        return self._script[asked - 1]
