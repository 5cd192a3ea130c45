"""Row folds: projections that keep one JSON object a key and touch one row an event."""

import json
from collections.abc import Iterable
from typing import ClassVar

from envwright.events import Envelope, Json, encode
from envwright.events.ports import ProjectionWrite
from envwright.store.projections import KeptRows

Row = dict[str, Json]


class RowFold:
    """Finds the one row that an event is about and says what it is after the event.

    Keys begin with `<run>/`, but where a key is a run itself, so that the rows of one run are read
    without those of others.
    """

    name: ClassVar[str]
    types: ClassVar[frozenset[str]]

    def key(self, envelope: Envelope) -> str:
        """Return the key of the row that an event is about."""
        raise NotImplementedError

    def fold(self, row: Row | None, envelope: Envelope, rows: KeptRows) -> Row | None:
        """Return the row after an event; None leaves the key without one."""
        raise NotImplementedError

    def apply(self, envelope: Envelope, rows: KeptRows) -> Iterable[ProjectionWrite]:
        """Return the change of the row, if there is one."""
        key = self.key(envelope)
        kept = rows.get(key)
        after = self.fold(None if kept is None else json.loads(kept), envelope, rows)
        value = None if after is None else encode(after)
        if value != kept:
            yield ProjectionWrite(projection=self.name, key=key, value=value)


def counted(counts: dict[str, int], name: str, more: int = 1) -> dict[str, int]:
    """Return counts with one of them raised."""
    return {**counts, name: counts.get(name, 0) + more}
