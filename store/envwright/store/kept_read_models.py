"""The kept read models of a log: caught up on demand or by a thread, listed, rebuilt."""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager

from envwright.events import Json
from envwright.events.errors import BadInputError
from envwright.events.ports import Following, Log, ProjectionState
from envwright.store.following import Follower
from envwright.store.projections import Projection, Projector
from envwright.store.readmodels import READ_MODELS


class KeptReadModels:
    """Read models in a log; see `envwright.events.ports.ReadModels` for the contract."""

    def __init__(self, log: Log, projections: Sequence[Projection] = READ_MODELS) -> None:
        self._log = log
        self._projectors = {
            each.name: Projector(log, each) for each in sorted(projections, key=lambda p: p.name)
        }

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the read models, sorted."""
        return tuple(self._projectors)

    def catch_up(self) -> int:
        """Fold what has been recorded into all of them; returns the position that was aimed at."""
        head = self._log.head()
        for projector in self._projectors.values():
            projector.catch_up()
        return head

    def rows(self, name: str, *, prefix: str = "") -> Iterator[dict[str, Json]]:
        """Catch one read model up and yield its rows whose keys begin with `prefix`, by key."""
        projector = self._named(name)
        projector.catch_up()
        return (json.loads(value) for _, value in projector.rows(prefix=prefix))

    def states(self) -> tuple[ProjectionState, ...]:
        """Return how far each has come, in the order of the names."""
        return tuple(projector.state() for projector in self._projectors.values())

    def rebuild(self, name: str) -> ProjectionState:
        """Replace all rows of one by a fold from position 0, and take it out of parking."""
        projector = self._named(name)
        projector.rebuild()
        return projector.state()

    def follow(
        self, moved: Callable[[int], None] = lambda position: None
    ) -> AbstractContextManager[Following]:
        """Keep all of them current from a thread, as long as the context is entered."""
        return Follower(self, moved)

    def _named(self, name: str) -> Projector:
        if name not in self._projectors:
            raise BadInputError(
                f"no read model is called {name!r}; there are {', '.join(self.names)}"
            )
        return self._projectors[name]
