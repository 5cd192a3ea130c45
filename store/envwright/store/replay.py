"""State replay: fold the log from its first position, prove every byte on the way, and compare."""

from collections.abc import Iterator, Sequence

from pydantic import Field

from envwright.events import Envelope, digest
from envwright.events.errors import IntegrityError
from envwright.events.ports import ArtifactStore, Log
from envwright.events.values import Value
from envwright.store.chains import (
    ChainCheck,
    ChainRow,
    Divergence,
    chain_rows,
    check_positions,
    earlier_hash,
)
from envwright.store.database import Database
from envwright.store.projections import Projection, ProjectionRows, cursor_name
from envwright.store.records import restore
from envwright.store.references import ReferenceCheck


class Replayed(Value):
    """What a state replay compared and where it stopped."""

    compared: int
    """Events whose hashes, links, columns and artifacts were checked."""
    digests: dict[str, str] = Field(default_factory=dict)
    """Digest of each projection's rows as folded from position 0."""
    diverged: Divergence | None = None


class StateReplay:
    """Replays the state of a log, or of one run, against its hashes and its kept projections."""

    def __init__(
        self,
        database: Database,
        log: Log,
        artifacts: ArtifactStore,
        projections: Sequence[Projection] = (),
    ) -> None:
        self._database = database
        self._log = log
        self._artifacts = artifacts
        self._projections = projections

    def replay(self, run_id: str | None = None) -> Replayed:
        """Check every event of the log, or of one run, and stop at the first divergence."""
        whole = run_id is None
        folds = [_Fold(projection, self._log, whole=whole) for projection in self._projections]
        compared, position = 0, 0
        try:
            hole = check_positions(self._database)
            if hole is not None:
                return Replayed(compared=0, diverged=hole)
            for row, failure in self._checked(run_id):
                failure = failure or self._fold(row, folds)
                if failure is not None:
                    return Replayed(compared=compared, diverged=failure)
                compared, position = compared + 1, row.position
        except IntegrityError as error:  # The file is damaged below the level of rows.
            damage = Divergence(
                event=f"position {position + 1}", expected="a readable row", actual=str(error)
            )
            return Replayed(compared=compared, diverged=damage)
        return Replayed(
            compared=compared,
            digests={fold.name: fold.digest() for fold in folds},
            diverged=next(filter(None, (fold.difference() for fold in folds)), None),
        )

    def _checked(self, run_id: str | None) -> Iterator[tuple[ChainRow, Divergence | None]]:
        chains = ChainCheck(earlier_hash(self._database))
        references = ReferenceCheck(self._artifacts)
        for row in chain_rows(self._database, run_id):
            failure = chains.check(row)
            if failure is None and row.payload is not None:
                artifact = references.check(row.payload)
                if artifact is not None:
                    failure = Divergence(event=row.id, expected=artifact[0], actual=artifact[1])
            yield row, failure

    def _fold(self, row: ChainRow, folds: "list[_Fold]") -> Divergence | None:
        wanting = [fold for fold in folds if row.type in fold.types]
        if not wanting:
            return None
        try:
            envelope = restore(row.stored(), self._artifacts)
            for fold in wanting:
                fold.add(envelope)
        except IntegrityError as error:
            return Divergence(event=row.id, expected="a fact of its type", actual=str(error))
        return None


class _Fold:
    """One projection's fold beside the rows that are kept of it, up to their cursor."""

    def __init__(self, projection: Projection, log: Log, *, whole: bool) -> None:
        self.name = projection.name
        self.types = projection.types
        self._whole = whole
        self._cursor, self._kept = _kept(projection, log)
        self._rows = ProjectionRows(projection)
        self._at_cursor: ProjectionRows | None = None

    def add(self, envelope: Envelope) -> None:
        if self._at_cursor is None and envelope.position > self._cursor:
            self._at_cursor = self._rows.copy()
        self._rows.fold(envelope)

    def digest(self) -> str:
        return digest([[key, value.hex()] for key, value in self._rows.items()])

    def difference(self) -> Divergence | None:
        """Return the first row that is not kept as it folds; a run's own rows only, if of one."""
        if not self._cursor:
            return None
        folded = self._at_cursor or self._rows
        rows = dict(folded.items())
        for key in sorted(rows.keys() | (self._kept.keys() if self._whole else set())):
            expected, actual = rows.get(key), self._kept.get(key)
            if expected != actual:
                return Divergence(
                    event=folded.written_by.get(key, f"position {self._cursor}"),
                    expected=f"{self.name}[{key}] = {_shown(expected)}",
                    actual=f"{self.name}[{key}] = {_shown(actual)}",
                )
        return None


def _kept(projection: Projection, log: Log) -> tuple[int, dict[str, bytes]]:
    """Read the kept rows with the cursor that they belong to; another process may move both."""
    while True:
        cursor = log.cursor(cursor_name(projection))
        rows = dict(log.projection(projection.name))
        if log.cursor(cursor_name(projection)) == cursor:
            return cursor, rows


def _shown(value: bytes | None) -> str:
    return "no row" if value is None else value.decode("utf-8", "replace")
