"""Projections: pure folds of the log into rows, kept current in the commit that moves a cursor."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Protocol

from envwright.events import Envelope
from envwright.events.errors import ConcurrencyError
from envwright.events.ports import Commit, CursorMove, Log, ProjectionWrite

_BATCH = 500


class Projection(Protocol):
    """A pure fold: the same events give the same rows, byte for byte."""

    @property
    def name(self) -> str:
        """Name of its rows and of its cursor; a change of the fold takes a new name."""

    @property
    def types(self) -> frozenset[str]:
        """Event types that it folds; others only move its cursor."""

    def apply(self, envelope: Envelope, rows: Mapping[str, bytes]) -> Iterable[ProjectionWrite]:
        """Return the row changes that an event makes, given the projection's rows before it."""


class ProjectionRows:
    """The rows of a projection in memory, with the event that last wrote each of them."""

    def __init__(self, projection: Projection, rows: Mapping[str, bytes] | None = None) -> None:
        self._projection = projection
        self._rows = dict(rows or {})
        self.written_by: dict[str, str] = {}
        """Key to the id of the event that last changed it, among those folded here."""

    def fold(self, envelope: Envelope) -> list[ProjectionWrite]:
        """Apply one event and return what it changed."""
        if envelope.type not in self._projection.types:
            return []
        writes = list(self._projection.apply(envelope, self._rows))
        for write in writes:
            self.written_by[write.key] = envelope.id
            if write.value is None:
                self._rows.pop(write.key, None)
            else:
                self._rows[write.key] = write.value
        return writes

    def items(self) -> Iterator[tuple[str, bytes]]:
        """Yield the rows in key order."""
        return iter(sorted(self._rows.items()))

    def copy(self) -> "ProjectionRows":
        """Return the rows as they are now, to be left as they are."""
        other = ProjectionRows(self._projection, self._rows)
        other.written_by = dict(self.written_by)
        return other


class Projector:
    """Keeps one projection of a log current; any number of processes may do so at once."""

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
        """Replace all rows by a fold from position 0; returns the position reached."""
        start, head = self._log.cursor(self.cursor), self._log.head()
        rows = ProjectionRows(self._projection)
        for envelope in self._log.read_all(up_to=head, types=self._projection.types):
            rows.fold(envelope)
        fresh = dict(rows.items())
        stale = [key for key, _ in self._log.projection(self._projection.name) if key not in fresh]
        writes = [self._write(key, None) for key in stale]
        writes += [self._write(key, value) for key, value in fresh.items()]
        self._commit(start, head, writes)
        return head

    def rows(self) -> Iterator[tuple[str, bytes]]:
        """Yield the rows as they are kept, in key order."""
        return self._log.projection(self._projection.name)

    def _catch_up(self) -> int:
        position, head = self._log.cursor(self.cursor), self._log.head()
        if position == head:
            return head
        rows = ProjectionRows(self._projection, dict(self.rows()))
        writes: dict[str, ProjectionWrite] = {}
        reached = position
        pending = self._log.read_all(after=position, up_to=head, types=self._projection.types)
        for number, envelope in enumerate(pending, start=1):
            writes |= {write.key: write for write in rows.fold(envelope)}
            if number % _BATCH == 0:
                self._commit(reached, envelope.position, writes.values())
                reached, writes = envelope.position, {}
        if reached < head or writes:
            self._commit(reached, head, writes.values())
        return head

    def _commit(self, expected: int, position: int, writes: Iterable[ProjectionWrite]) -> None:
        move = CursorMove(name=self.cursor, expected=expected, position=position)
        self._log.commit(Commit(cursor=move, projections=tuple(writes)))

    def _write(self, key: str, value: bytes | None) -> ProjectionWrite:
        return ProjectionWrite(projection=self._projection.name, key=key, value=value)


def cursor_name(projection: Projection) -> str:
    """Return the name of a projection's cursor."""
    return f"projection/{projection.name}"
