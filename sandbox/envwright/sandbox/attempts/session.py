"""The sealed session: all that a policy may touch of a running world."""

from typing import Any

from envwright.events import Json, normalise
from envwright.events.errors import CanonicalError
from envwright.events.ports import Session
from envwright.events.values import Observation, ToolCall
from envwright.sandbox.worlds import CallResult, World

Trace = list[tuple[ToolCall, CallResult]]
"""Calls with their results and footprints, in order; for the engine alone."""


def sealed_session(world: World, trace: Trace) -> Session:
    """Return a proxy with `call` alone; what passes through it is plain data, copied.

    The world lives in a closure, so no attribute of the session leads to it, and what a policy
    keeps or changes afterwards is its own copy.
    """

    class SealedSession:
        """A session on one world."""

        __slots__ = ()

        def call(self, name: str, arguments: dict[str, Any]) -> Observation:
            """Call a tool; bad input is an observation that is not ok."""
            problem = _problem(name, arguments)
            if problem:
                asked, result = ToolCall(name=str(name)), CallResult(ok=False, value=problem)
            else:
                asked = ToolCall(name=name, arguments=_copy(arguments))
                result = world.call(name, _copy(arguments))
            trace.append((asked, result))
            return Observation(ok=result.ok, value=_copy(result.value))

    return SealedSession()


def _copy(value: Json) -> Json:
    return normalise(value, nfc=False)


def _problem(name: str, arguments: dict[str, Any]) -> str:
    """Return what makes a call impossible to record, or the empty text."""
    if not isinstance(name, str) or not isinstance(arguments, dict):
        return "Error: a call is a tool's name and an object of arguments"
    try:
        _copy(arguments)
    except CanonicalError as error:
        return f"Error: the arguments are not JSON: {error}"
    except RecursionError:
        return "Error: the arguments are nested too deeply"
    return ""
