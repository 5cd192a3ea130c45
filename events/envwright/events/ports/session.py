"""Port of a solver's session: all that a policy may touch of a world."""

from typing import Any, Protocol

from envwright.events.values import Observation


class Session(Protocol):
    """A proxy on a running world with `call` alone; footprints go to the log, not to the caller."""

    def call(self, name: str, arguments: dict[str, Any]) -> Observation:
        """Call a tool; a tool's own error is an observation, not an exception.

        Raises:
            InfrastructureError: the world itself failed.
        """
