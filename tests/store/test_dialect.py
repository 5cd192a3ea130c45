"""The dialects: what the engines are told differently."""

import pytest

from envwright.store.dialect import POSTGRESQL, SQLITE, Dialect
from envwright.store.postgres.driver import numbered


@pytest.mark.parametrize(
    ("dialect", "expected"),
    [(SQLITE, ("IN (?, ?)", ["a", "b"])), (POSTGRESQL, ("= ANY(?)", (["a", "b"],)))],
    ids=["sqlite", "postgresql"],
)
def test_values_are_looked_for_among_others(dialect: Dialect, expected):
    assert dialect.among(["a", "b"]) == expected


@pytest.mark.parametrize("dialect", [SQLITE, POSTGRESQL], ids=["sqlite", "postgresql"])
def test_the_clock_takes_one_parameter(dialect: Dialect):
    for query in (dialect.now, dialect.timestamp):
        assert query.count("?") == 1 and numbered(query).count(b"$") == 1


def test_a_shift_is_said_as_each_takes_it():
    assert SQLITE.shift(-2) == "-2.000000 seconds" and POSTGRESQL.shift(2) == 2.0
