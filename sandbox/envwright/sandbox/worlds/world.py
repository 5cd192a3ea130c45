"""Port of the worlds: a running environment instance with tools, state, clock and seed."""

from typing import Any, Protocol

from envwright.events.canonical import Json
from envwright.events.values import ToolSchema, Value


class Footprint(Value):
    """A piece of state that a call touched."""

    kind: str
    """Table, folder, page or other kind of state."""
    key: str


class CallResult(Value):
    """What a tool call did; the footprints are for the log, never for a solver."""

    ok: bool
    value: Any = None
    """The result, or the error text when not `ok`."""
    reads: tuple[Footprint, ...] = ()
    writes: tuple[Footprint, ...] = ()
    transient: bool = False
    """Whether a fault of the world's own made the call fail: the same call may succeed next."""


class World(Protocol):
    """A running environment instance. Clock, ids and randomness are part of its state.

    Two resets with one seed give one digest; snapshot and restore are exact; instances never see
    each other. Bad input to a tool is a result that is not `ok`, with the state unchanged. Faults
    that a world was given are part of its state too, and one that has struck is gone.
    """

    def reset(self, seed: int) -> None:
        """Go to the first state for `seed`."""

    def tools(self) -> tuple[ToolSchema, ...]:
        """Return the tools, sorted by name."""

    def call(self, name: str, arguments: dict[str, Any]) -> CallResult:
        """Call a tool.

        Raises:
            InfrastructureError: the world itself failed.
        """

    def digest(self) -> str:
        """Return the digest of the whole state."""

    def state(self) -> Json:
        """Return the whole state as JSON, for verifiers and diffs; not to be changed."""

    def snapshot(self) -> bytes:
        """Return the state in a form that `restore` of another instance understands."""

    def restore(self, snapshot: bytes) -> None:
        """Go back to a snapshot exactly.

        Raises:
            BadInputError: the bytes are no snapshot of this world.
        """

    def close(self) -> None:
        """Release what the world holds; further calls are an error."""
