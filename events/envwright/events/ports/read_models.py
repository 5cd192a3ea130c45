"""Port of the read models: what commands and a console list; no handler reads one."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Protocol

from envwright.events.canonical import Json
from envwright.events.values import Value


class Parked(Value):
    """Why a projection stands still; a rebuild sets it going again."""

    position: int
    """The position up to which its rows are right."""
    event: str
    """Id of the event that it could not fold; empty where the event itself cannot be read."""
    error: str


class ProjectionState(Value):
    """How far a projection has come."""

    name: str
    position: int
    lag: int
    """Events recorded after its position."""
    parked: Parked | None = None


class Following(Protocol):
    """A thread that keeps the read models current while others write the log."""

    def wake(self) -> None:
        """Look at the log at once instead of at the next tick."""

    def wait_for(self, position: int, timeout: float) -> bool:
        """Wait until no read model is behind a position, parked ones apart; False if too late."""


class ReadModels(Protocol):
    """Rows folded from the log, kept in it, and rebuilt from position 0 to the same bytes.

    Every method may raise `InfrastructureError` where the database cannot be reached or written.
    """

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the read models, sorted."""

    def catch_up(self) -> int:
        """Fold what has been recorded into all of them; returns the position that was aimed at.

        One that cannot fold an event is parked with its error and stops no other.
        """

    def rows(self, name: str, *, prefix: str = "") -> Iterator[dict[str, Json]]:
        """Catch one read model up and yield its rows whose keys begin with `prefix`, by key.

        Raises:
            BadInputError: there is no read model of this name.
        """

    def states(self) -> tuple[ProjectionState, ...]:
        """Return how far each has come, in the order of the names."""

    def rebuild(self, name: str) -> ProjectionState:
        """Replace all rows of one by a fold from position 0, and take it out of parking.

        Raises:
            BadInputError: there is no read model of this name.
        """

    def follow(
        self, moved: Callable[[int], None] = lambda position: None
    ) -> AbstractContextManager[Following]:
        """Keep all of them current from a thread, as long as the context is entered.

        `moved` is told from that thread each position that all of them have reached.
        """
