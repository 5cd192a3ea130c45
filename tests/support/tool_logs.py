"""Short hand for tool logs in tests: calls, traces, and a history of them."""

from typing import Any

from envwright.recipes.toolspace.calls import Call, Declaration, Trace
from envwright.recipes.toolspace.mining.history import History


def ok(tool: str, value: Any, **arguments: Any) -> Call:
    """A call that succeeded, in namespace `ns`."""
    return Call(f"ns.{tool}", arguments, True, value)


def failed(tool: str, text: str, **arguments: Any) -> Call:
    """A call that failed, in namespace `ns`."""
    return Call(f"ns.{tool}", arguments, False, text)


def trace(task: object, *calls: Call, said: str = "") -> Trace:
    """A trace of a task."""
    return Trace(str(task), said, calls)


def history(*traces: Trace, declared: dict[str, Declaration] | None = None) -> History:
    """A history of traces in the order that mining gives them."""
    return History(sorted(traces, key=Trace.identity), declared or {})


def order(key: str, status: str = "open", **fields: Any) -> dict[str, Any]:
    """A row of the kind that most tests use."""
    return {"order_id": key, "status": status, **fields}
