"""Row folds write a row where it changes, delete it where the fold says so, and nothing else."""

import pytest

from envwright.store.projections import ProjectionRows
from envwright.store.readmodels.row_fold import RowFold, counted
from support.facts import recorded
from support.store_events import gate


class Last(RowFold):
    """The last detail of each package; an empty one deletes the row."""

    name = "last"
    types = frozenset({"gate.evaluated"})

    def key(self, envelope):
        return envelope.correlation_id

    def fold(self, row, envelope, rows):
        detail = envelope.fact.result.detail
        return {"detail": detail} if detail else None


def test_a_row_is_written_when_it_changes_and_only_then():
    facts = [gate("k", detail=detail).fact for detail in ("a", "a", "b", "", "")]
    rows = ProjectionRows(Last())
    changes = [rows.fold(envelope) for envelope in recorded(facts)]
    assert [[write.value for write in each] for each in changes] == [
        [b'{"detail":"a"}'],
        [],
        [b'{"detail":"b"}'],
        [None],
        [],
    ]


def test_counts_are_raised_in_a_copy():
    counts = {"a": 1}
    assert counted(counts, "a") == {"a": 2} and counted(counts, "b", 3) == {"a": 1, "b": 3}
    assert counts == {"a": 1}


def test_the_two_questions_are_left_to_each_fold():
    with pytest.raises(NotImplementedError):
        RowFold().key(None)
    with pytest.raises(NotImplementedError):
        RowFold().fold(None, None, None)
