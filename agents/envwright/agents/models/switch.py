"""The one switch for requests to real models; off until somebody turns it on."""

from threading import Event

from envwright.agents.models.port import ModelAnswer, ModelPort, ModelRequest
from envwright.events.errors import BadInputError

# An Event, since workers are threads: a context variable would not reach them.
_ALLOWED = Event()


def allow_model_requests(allowed: bool = True) -> None:
    """Turn requests to real models on or off for this process."""
    if allowed:
        _ALLOWED.set()
    else:
        _ALLOWED.clear()


def model_requests_allowed() -> bool:
    """Say whether requests to real models are on."""
    return _ALLOWED.is_set()


class SwitchedModel:
    """Stands before a real model and lets a request through only while the switch is on."""

    def __init__(self, model: ModelPort) -> None:
        self._model = model

    def complete(self, request: ModelRequest) -> ModelAnswer:
        """Ask the model, if requests are allowed."""
        if not model_requests_allowed():
            raise BadInputError(
                f"requests to real models are off, and {request.model!r} was asked; turn them on "
                "with allow_model_requests(), or use a scripted model"
            )
        return self._model.complete(request)
