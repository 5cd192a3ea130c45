"""Rows that a projection folds from facts made by hand, without a log."""

import json
from collections.abc import Iterable
from typing import Any

from envwright.events import Envelope, Fact
from envwright.store.projections import Projection, ProjectionRows
from support.facts import recorded


def folded(projection: Projection, facts: Iterable[Fact | Envelope]) -> dict[str, Any]:
    """Return the rows by key; facts are recorded first, envelopes taken as they are."""
    given = list(facts)
    envelopes = [each for each in given if isinstance(each, Envelope)]
    rows = ProjectionRows(projection)
    for envelope in envelopes or recorded(each for each in given if isinstance(each, Fact)):
        before = {key for key, _ in rows.items()}
        touched = {write.key for write in rows.fold(envelope)}
        assert len(touched) <= 1, "one event touches one row"
        assert before <= {key for key, _ in rows.items()}
    return {key: json.loads(value) for key, value in rows.items()}
