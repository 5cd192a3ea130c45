"""Port of the publisher: what carries the log to a bus, batch by batch, each batch whole."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol


class Message(NamedTuple):
    """One message for a topic."""

    topic: str
    key: bytes
    """Messages of one key keep their order."""
    headers: tuple[tuple[str, bytes], ...]
    value: bytes


class Published(NamedTuple):
    """The last event that a bus holds for certain."""

    position: int
    """0 where it holds none."""
    event_id: str


class Publisher(Protocol):
    """Publishes messages for the one relay that leads; a later leader shuts out this one."""

    def lead(self) -> Published:
        """Become the leader: fence every earlier one, and say where its last whole batch ended.

        What an earlier leader left unfinished is gone after this. May be called again after any
        error, which makes everything behind the publisher anew.

        Raises:
            InfrastructureError: the bus cannot be reached now; call again later.
        """

    def publish(self, messages: Sequence[Message]) -> None:
        """Publish all messages or none, in their order.

        Raises:
            FencedError: another relay leads by now; nothing of the batch was published.
            InfrastructureError: it is unknown whether the batch was published; `lead` tells.
            BadInputError: the bus refuses a message for good; nothing of the batch was published.
        """

    def close(self) -> None:
        """Let go of the connections; an unfinished batch is dropped."""
