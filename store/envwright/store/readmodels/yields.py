"""The yield of each round: slots, admissions, and rejections by reason."""

from typing import ClassVar

from envwright.events import Envelope
from envwright.events.catalog import (
    BriefPlanned,
    PackageAdmitted,
    PackageInherited,
    PackageRejected,
    RoundOpened,
    RoundSettled,
)
from envwright.store.projections import KeptRows
from envwright.store.readmodels.row_fold import Row, RowFold, counted


class Yields(RowFold):
    """One row a round, by `<run>/<round>`, rounds padded so that they sort."""

    name: ClassVar[str] = "yields"
    types: ClassVar[frozenset[str]] = frozenset(
        {
            "round.opened",
            "brief.planned",
            "package.inherited",
            "package.admitted",
            "package.rejected",
            "round.settled",
        }
    )

    def key(self, envelope: Envelope) -> str:
        """Return run and round."""
        return f"{envelope.run_id}/{_round(envelope):06d}"

    def fold(self, row: Row | None, envelope: Envelope, rows: KeptRows) -> Row:
        """Return the round's row after an event."""
        known = row or {
            "run": envelope.run_id,
            "round": _round(envelope),
            "slots": 0,
            "planned": 0,
            "inherited": 0,
            "admitted": 0,
            "rejected": {},
            "settled": False,
        }
        match envelope.fact:
            case RoundOpened() as fact:
                return known | {"slots": fact.slots}
            case BriefPlanned():
                return known | {"planned": known["planned"] + 1}
            case PackageInherited():
                return known | {"inherited": known["inherited"] + 1}
            case PackageAdmitted():
                return known | {"admitted": known["admitted"] + 1}
            case PackageRejected() as fact:
                return known | {"rejected": counted(known["rejected"], fact.reason)}
            case _:
                return known | {"settled": True}


def _round(envelope: Envelope) -> int:
    match envelope.fact:
        case BriefPlanned() as fact:
            return fact.brief.round
        case RoundOpened() | RoundSettled() as fact:
            return fact.round
        case PackageInherited() | PackageAdmitted() | PackageRejected() as fact:
            return fact.round
        case fact:
            raise TypeError(f"{fact} belongs to no round")
