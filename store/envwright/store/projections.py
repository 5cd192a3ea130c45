"""Projections: pure folds of the log into rows, kept current in the commit that moves a cursor."""

from collections.abc import Callable, Iterable, Iterator
from typing import Protocol

from envwright.events import Envelope, encode
from envwright.events.errors import ConcurrencyError, InfrastructureError
from envwright.events.ports import (
    Commit,
    CursorMove,
    Log,
    Parked,
    ProjectionState,
    ProjectionWrite,
)

PARKED = "parked-projections"
"""Projection whose rows say which projections stand still, and why."""

_BATCH = 500
"""Events that one commit folds."""

_KNOWN = 10_000
"""Rows that a catch-up remembers from one commit to the next."""

_ERROR = 2000
"""Characters that are kept of an error."""


class KeptRows(Protocol):
    """The rows of a projection before an event."""

    def get(self, key: str, /) -> bytes | None:
        """Return one row, None where there is none."""


class Projection(Protocol):
    """A pure fold: the same events give the same rows, byte for byte."""

    @property
    def name(self) -> str:
        """Name of its rows and of its cursor; a change of the fold takes a new name."""

    @property
    def types(self) -> frozenset[str]:
        """Event types that it folds; others only move its cursor."""

    def apply(self, envelope: Envelope, rows: KeptRows) -> Iterable[ProjectionWrite]:
        """Return the row changes that an event makes, given the projection's rows before it."""


class ProjectionRows:
    """Rows of a projection in memory, with the event that last wrote each of them.

    `read` looks up rows that are kept elsewhere, each when it is first asked for.
    """

    def __init__(
        self, projection: Projection, read: Callable[[str], bytes | None] = lambda key: None
    ) -> None:
        self._projection = projection
        self._read = read
        self._rows: dict[str, bytes | None] = {}
        self.written_by: dict[str, str] = {}
        """Key to the id of the event that last changed it, among those folded here."""

    def get(self, key: str, /) -> bytes | None:
        """Return one row, None where there is none."""
        if key not in self._rows:
            self._rows[key] = self._read(key)
        return self._rows[key]

    def fold(self, envelope: Envelope) -> list[ProjectionWrite]:
        """Apply one event and return what it changed."""
        if envelope.type not in self._projection.types:
            return []
        writes = list(self._projection.apply(envelope, self))
        for write in writes:
            self.written_by[write.key] = envelope.id
            self._rows[write.key] = write.value
        return writes

    def forget(self, limit: int) -> None:
        """Drop what is in memory where it is more than `limit` rows: all of it is kept by now."""
        if len(self._rows) > limit:
            self._rows.clear()
            self.written_by.clear()

    def items(self) -> Iterator[tuple[str, bytes]]:
        """Yield the rows in memory in key order."""
        return ((key, value) for key, value in sorted(self._rows.items()) if value is not None)

    def copy(self) -> "ProjectionRows":
        """Return the rows as they are now, to be left as they are."""
        other = ProjectionRows(self._projection, self._read)
        other._rows, other.written_by = dict(self._rows), dict(self.written_by)
        return other


class Projector:
    """Keeps one projection of a log current; any number of processes may do so at once.

    A projection that cannot fold an event is parked: its rows stay right up to the event before,
    and the error is kept until a rebuild.
    """

    def __init__(self, log: Log, projection: Projection) -> None:
        self._log = log
        self._projection = projection

    @property
    def cursor(self) -> str:
        """Name of the projection's cursor."""
        return cursor_name(self._projection)

    def catch_up(self) -> int:
        """Fold what has been recorded since the last time; returns the position reached."""
        while True:
            try:
                return self._catch_up()
            except ConcurrencyError:
                continue  # Another process was quicker: go on from where it left the cursor.

    def rebuild(self) -> int:
        """Replace all rows by a fold from position 0; returns the position reached.

        Folds of other processes go on meanwhile; what they reach, this fold reaches too.
        """
        rows, folded = ProjectionRows(self._projection), 0
        while True:
            start = self._log.cursor(self.cursor)
            aim = max(start, self._log.head())
            parked = None
            try:
                for _ in self._folds(rows, folded, aim):
                    pass
            except _StopsHere as stop:
                parked = stop.parked
            # Where it stops again, the next round only meets the same event.
            folded = aim if parked is None else parked.position
            try:
                self._commit(start, folded, self._replacing(rows, parked))
            except ConcurrencyError:
                continue
            return folded

    def rows(self, *, prefix: str = "") -> Iterator[tuple[str, bytes]]:
        """Yield the rows as they are kept, in key order."""
        return self._log.projection(self._projection.name, prefix=prefix)

    def state(self) -> ProjectionState:
        """Return how far the projection has come."""
        position, parked = self._log.cursor(self.cursor), self._parked()
        lag = max(0, self._log.head() - position)
        return ProjectionState(
            name=self._projection.name, position=position, lag=lag, parked=parked
        )

    def _catch_up(self) -> int:
        position, head = self._log.cursor(self.cursor), self._log.head()
        if position >= head or self._parked() is not None:
            return position
        rows = ProjectionRows(self._projection, self._kept)
        writes: dict[str, ProjectionWrite] = {}
        try:
            for number, (place, changes) in enumerate(self._folds(rows, position, head), start=1):
                writes |= {write.key: write for write in changes}
                if number % _BATCH == 0:
                    self._commit(position, place, writes.values())
                    position, writes = place, {}
                    rows.forget(_KNOWN)
        except _StopsHere as stop:
            parked = stop.parked
            self._commit(position, parked.position, [*writes.values(), self._parking(parked)])
            return parked.position
        if position < head:
            self._commit(position, head, writes.values())
        return head

    def _folds(
        self, rows: ProjectionRows, position: int, up_to: int
    ) -> Iterator[tuple[int, list[ProjectionWrite]]]:
        """Fold the events after a position; yields the place of each with what it changed.

        Raises:
            _StopsHere: an event cannot be folded, or not even be read.
        """
        event = ""
        try:
            for envelope in self._log.read_all(
                after=position, up_to=up_to, types=self._projection.types
            ):
                position, event = envelope.position - 1, envelope.id
                changes = rows.fold(envelope)
                position, event = envelope.position, ""
                yield position, changes
        except InfrastructureError:
            raise
        except Exception as error:
            said = f"{type(error).__name__}: {error}"[:_ERROR]
            raise _StopsHere(Parked(position=position, event=event, error=said)) from error

    def _replacing(self, rows: ProjectionRows, parked: Parked | None) -> Iterator[ProjectionWrite]:
        """Yield what turns the kept rows into these, and the parking into this one."""
        fresh = dict(rows.items())
        for key, value in self.rows():
            if key not in fresh:
                yield self._write(key, None)
            elif fresh[key] == value:
                del fresh[key]
        for key, value in fresh.items():
            yield self._write(key, value)
        yield self._parking(parked)

    def _commit(self, expected: int, position: int, writes: Iterable[ProjectionWrite]) -> None:
        move = CursorMove(name=self.cursor, expected=expected, position=position)
        self._log.commit(Commit(cursor=move, projections=tuple(writes)))

    def _kept(self, key: str) -> bytes | None:
        return self._log.projection_row(self._projection.name, key)

    def _write(self, key: str, value: bytes | None) -> ProjectionWrite:
        return ProjectionWrite(projection=self._projection.name, key=key, value=value)

    def _parked(self) -> Parked | None:
        row = self._log.projection_row(PARKED, self._projection.name)
        return None if row is None else Parked.model_validate_json(row)

    def _parking(self, parked: Parked | None) -> ProjectionWrite:
        value = None if parked is None else encode(parked.model_dump(mode="json"))
        return ProjectionWrite(projection=PARKED, key=self._projection.name, value=value)


class _StopsHere(Exception):
    """A projection cannot fold an event."""

    def __init__(self, parked: Parked) -> None:
        super().__init__(parked.error)
        self.parked = parked


def cursor_name(projection: Projection) -> str:
    """Return the name of a projection's cursor."""
    return f"projection/{projection.name}"
