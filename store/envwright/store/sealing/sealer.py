"""The sealer: signs a checkpoint of what a log holds by now, and copies it to the anchors."""

from collections.abc import Callable

from envwright.events.errors import ConcurrencyError, IntegrityError
from envwright.store.database import Database
from envwright.store.sealing.anchors import Anchors
from envwright.store.sealing.keys import SigningKey
from envwright.store.sealing.records import (
    KeptCheckpoint,
    chained,
    head,
    keep_checkpoint,
    kept_checkpoints,
    last_checkpoint,
    leaf_rows,
    log_id,
)
from envwright.store.sealing.tree import Frontier
from envwright.store.sealing.verify import CHECKPOINT, Record, leaf_hash


class Sealer:
    """Seals a log; any process may, at any time, and of two at once one comes second."""

    def __init__(
        self,
        database: Database,
        key: Callable[[], SigningKey],
        anchors: Callable[[str], Anchors],
    ) -> None:
        """`key` and `anchors`, by the log's id, are opened when there is something to seal."""
        self._database = database
        self._key = key
        self._anchors = anchors

    def seal(self, minimum: int = 1) -> Record | None:
        """Sign a checkpoint if at least so many events came since the last one; return the newest.

        None where there is nothing to seal yet.

        Raises:
            IntegrityError: a position is missing, or the last checkpoint was altered: what is
                broken is not signed.
            InfrastructureError: the database or the key cannot be used.
        """
        last = last_checkpoint(self._database)
        covered = last.tree().size if last is not None else 0
        up_to = head(self._database)
        if up_to - covered < max(minimum, 1):
            return last.record if last is not None else None
        record, frontier = self._next(last, up_to)
        try:
            self._database.write(lambda tx: keep_checkpoint(tx, record, frontier))
        except ConcurrencyError:
            newest = last_checkpoint(self._database)
            return newest.record if newest is not None else None
        return record

    def publish(self) -> int:
        """Copy to the anchors what they lack; return up to which position they reach.

        Raises:
            InfrastructureError: they cannot be reached; what they lack is copied the next time.
        """
        kept = kept_checkpoints(self._database)
        if not kept:
            return 0
        self._anchors(kept[-1].record["home"]).add(each.record for each in kept)
        return int(kept[-1].record["to"])

    def _next(self, last: KeptCheckpoint | None, up_to: int) -> tuple[Record, Frontier]:
        frontier = last.tree() if last is not None else Frontier()
        start = frontier.size
        for row in leaf_rows(self._database, start, up_to):
            if row.position != frontier.size + 1:
                raise IntegrityError(
                    f"position {frontier.size + 1} is missing; `envwright audit` says what else is"
                )
            frontier.add(leaf_hash(row.position, row.recorded_at, row.hash))
        if frontier.size != up_to:
            raise IntegrityError(f"position {frontier.size + 1} is missing before head {up_to}")
        previous = last.record if last is not None else None
        body = {
            "format": CHECKPOINT,
            "number": previous["number"] + 1 if previous else 1,
            "home": previous["home"] if previous else log_id(self._database),
            "from": start,
            "to": up_to,
            "root": frontier.root().hex(),
            "previous": chained(previous),
        }
        return self._key().sign(body), frontier
