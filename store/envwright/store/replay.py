"""State replay: fold the log from its first position, prove every byte on the way, and compare."""

from collections.abc import Iterator, Sequence

from pydantic import Field

from envwright.events import Envelope, digest
from envwright.events.errors import IntegrityError
from envwright.events.ports import ArtifactStore, Log
from envwright.events.values import Value
from envwright.store.chains import (
    ChainCheck,
    Divergence,
    PlainRow,
    chain_pages,
    check_positions,
    earlier_hash,
)
from envwright.store.database import Database
from envwright.store.projections import Projection, ProjectionRows, cursor_name
from envwright.store.references import ReferenceCheck

_SPAN = 20_000
"""Positions whose chains and artifacts are remembered together: what bounds the memory."""

_NAMED = b'"media_type"'
_LARGE = b'{"$artifact"'


class Replayed(Value):
    """What a state replay compared and where it differs from the record."""

    compared: int = 0
    """Events whose hashes, links, columns and artifacts were checked and are right."""
    digests: dict[str, str] = Field(default_factory=dict)
    """Digest of each projection's rows as folded from position 0."""
    divergences: tuple[Divergence, ...] = ()
    """In the order of positions; those of the projections follow."""

    @property
    def diverged(self) -> Divergence | None:
        """The first divergence."""
        return self.divergences[0] if self.divergences else None


class StateReplay:
    """Replays the state of a log, or of one run, against its hashes and its kept projections.

    Its parts may be done in any order and by several processes: `holes`, `check` for each of the
    `spans`, and `fold`.
    """

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
        hole = self.holes()
        if hole is not None:
            return Replayed(divergences=(hole,))
        compared, head = 0, self._log.head()
        for after, up_to in self.spans(head):
            found = self.check(run_id, after, up_to)
            compared += found.compared
            if found.divergences:
                return found.model_copy(update={"compared": compared})
        return self.fold(run_id, head).model_copy(update={"compared": compared})

    def holes(self) -> Divergence | None:
        """Check that the log has every position up to its head."""
        try:
            return check_positions(self._database)
        except IntegrityError as error:
            return _damage(1, error)

    def spans(self, head: int) -> list[tuple[int, int]]:
        """Divide the positions up to the head: `after < position <= up_to`, in order."""
        return [(after, min(after + _SPAN, head)) for after in range(0, head, _SPAN)]

    def check(
        self, run_id: str | None, after: int, up_to: int, *, keep_going: bool = False
    ) -> Replayed:
        """Check the events of a span; stop at its first divergence unless told to keep going."""
        chains = ChainCheck(earlier_hash(self._database))
        references = ReferenceCheck(self._artifacts)
        compared, position = 0, after
        found: list[Divergence] = []
        try:
            for page in chain_pages(self._database, run_id, after=after, up_to=up_to):
                wrong = dict(_wrong(chains, references, page))
                found += [wrong[place] for place in sorted(wrong)]
                if found and not keep_going:
                    compared += sum(row[0] < min(wrong) for row in page)
                    return Replayed(compared=compared, divergences=tuple(found[:1]))
                compared, position = compared + len(page) - len(wrong), page[-1][0]
        except IntegrityError as error:  # The file is damaged below the level of rows.
            found.append(_damage(position + 1, error))
        return Replayed(compared=compared, divergences=tuple(found))

    def fold(self, run_id: str | None, head: int) -> Replayed:
        """Fold the projections up to the head, and compare them with the rows that are kept."""
        whole = run_id is None
        folds = [_Fold(projection, self._log, whole=whole) for projection in self._projections]
        types = frozenset[str]().union(*(fold.types for fold in folds))
        place, event = 1, ""
        try:
            for envelope in self._log.read_all(up_to=head, run_id=run_id, types=types):
                place, event = envelope.position + 1, envelope.id
                for fold in folds:
                    if envelope.type in fold.types:
                        fold.add(envelope)
                event = ""
        except IntegrityError as error:
            unfit = Divergence(event=event, expected="a fact of its type", actual=str(error))
            return Replayed(divergences=(unfit if event else _damage(place, error),))
        return Replayed(
            digests={fold.name: fold.digest() for fold in folds},
            divergences=tuple(each for fold in folds for each in fold.differences()),
        )


def _wrong(
    chains: ChainCheck, references: ReferenceCheck, page: Sequence[PlainRow]
) -> Iterator[tuple[int, Divergence]]:
    """Yield what is wrong with the events of a page, by position."""
    broken = {row.position: divergence for row, divergence in chains.check_page(page)}
    yield from broken.items()
    for row in page:
        position, event, *_, payload = row
        if payload is None or position in broken:
            continue
        if _NAMED in payload or payload.startswith(_LARGE):
            artifact = references.check(payload)
            if artifact is not None:
                expected, actual = artifact
                yield position, Divergence(event=event, expected=expected, actual=actual)


def _damage(position: int, error: IntegrityError) -> Divergence:
    return Divergence(event=f"position {position}", expected="a readable row", actual=str(error))


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

    def differences(self) -> Iterator[Divergence]:
        """Yield the rows that are not kept as they fold; a run's own rows only, if of one."""
        if not self._cursor:
            return
        folded = self._at_cursor or self._rows
        rows = dict(folded.items())
        for key in sorted(rows.keys() | (self._kept.keys() if self._whole else set())):
            expected, actual = rows.get(key), self._kept.get(key)
            if expected != actual:
                yield Divergence(
                    event=folded.written_by.get(key, f"position {self._cursor}"),
                    expected=f"{self.name}[{key}] = {_shown(expected)}",
                    actual=f"{self.name}[{key}] = {_shown(actual)}",
                )


def _kept(projection: Projection, log: Log) -> tuple[int, dict[str, bytes]]:
    """Read the kept rows with the cursor that they belong to; another process may move both."""
    while True:
        cursor = log.cursor(cursor_name(projection))
        rows = dict(log.projection(projection.name))
        if log.cursor(cursor_name(projection)) == cursor:
            return cursor, rows


def _shown(value: bytes | None) -> str:
    return "no row" if value is None else value.decode("utf-8", "replace")
