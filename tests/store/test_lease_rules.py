"""The rules of leases, over single rows."""

from types import SimpleNamespace

import pytest

from envwright.store.lease_rules import claimable, row_of, work_of
from support.postgres_adapters import OnPostgres
from support.store_adapters import OnSqlite, SqliteAdapters
from support.store_events import drafted, recorded
from support.store_events import work_of as work_for


@pytest.mark.parametrize(
    ("state", "expires_at", "available_at", "expected"),
    [
        ("open", 0, 0, True),
        ("open", 0, 10, True),
        ("open", 0, 11, False),
        ("held", 10, 0, True),
        ("held", 11, 0, False),
        ("done", 0, 0, False),
        ("parked", 0, 0, False),
    ],
)
def test_open_work_past_its_backoff_and_work_that_ran_out_can_be_claimed(
    state, expires_at, available_at, expected
):
    lease = SimpleNamespace(state=state, expires_at=expires_at, available_at=available_at)
    assert claimable(lease, 10) is expected


def test_work_that_nobody_claimed_can_be_claimed():
    assert claimable(None, 10)


class TestRows(OnSqlite):
    def test_a_row_keeps_what_names_the_work(self, adapters: SqliteAdapters):
        due = work_for(recorded(adapters.log, drafted("1")), scope="scope")
        assert work_of(SimpleNamespace(**row_of(due))) == due


class TestRowsOnPostgres(OnPostgres, TestRows):
    pass
