"""The driver: values come back as they went in, and order is that of code points."""

from collections.abc import Iterator

import psycopg
import pytest
from hypothesis import given
from hypothesis import strategies as st

from envwright.store.postgres.driver import PostgresDriver, adapt_text, numbered

pytestmark = pytest.mark.postgres

HARD = ["", "a", "a\x00", "a\x00\x01", "a\x01", "a\x01\x01", "a\x02", "ä", "\uffff", "\U0001f600"]


@pytest.fixture(scope="module")
def connection(postgres_server_url: str) -> "Iterator[psycopg.Connection]":
    with psycopg.connect(postgres_server_url, autocommit=True) as opened:
        adapt_text(opened)
        yield opened


@pytest.fixture(scope="module")
def driver(connection: "psycopg.Connection") -> PostgresDriver:
    return PostgresDriver(connection)


def test_placeholders_are_numbered():
    assert numbered("a = ? AND b IN (?, ?)") == b"a = $1 AND b IN ($2, $3)"


def test_values_come_back_as_they_went_in(driver):
    query = "SELECT ?::bigint, ?::float8, ?::bytea, ?::text, ?::text, ?::bool"
    values = (2**62, 0.1, b"\x00\xff", "x\x00", None, True)
    assert driver.execute(query, values).fetchone() == values
    assert driver.execute("SELECT 'b' = ANY(?)", (["a", 'b"\\{}'],)).fetchone() == (False,)


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_any_text_survives(driver, text):
    assert driver.execute("SELECT ?::text", (text,)).fetchone() == (text,)


def test_texts_are_ordered_by_their_code_points(driver):
    query = 'SELECT each FROM unnest(?::text[]) AS each ORDER BY each COLLATE "C"'
    assert [text for (text,) in driver.execute(query, (HARD[::-1],))] == HARD


def test_cursors_of_the_connection_keep_any_text_too(connection):
    assert connection.execute("SELECT %s::text", ("a\x00\x01",)).fetchone() == ("a\x00\x01",)


def test_rows_can_be_taken_one_by_one_and_together(driver):
    rows = driver.execute("SELECT generate_series(1, 4)")
    assert rows.fetchone() == (1,) and rows.fetchall() == [(2,), (3,), (4,)]
    assert rows.fetchone() is None and rows.rowcount == 4


def test_more_statements_than_are_kept_prepared_still_run(driver, monkeypatch):
    monkeypatch.setattr("envwright.store.postgres.driver._PREPARED", 1)
    assert [driver.execute(f"SELECT {n} + ?::int", (1,)).fetchone()[0] for n in range(5)] == [
        1, 2, 3, 4, 5,
    ]  # fmt: skip


def test_a_commit_that_the_server_turns_into_a_rollback_is_an_error(driver):
    driver.execute("BEGIN")
    with pytest.raises(psycopg.errors.DivisionByZero):
        driver.execute("SELECT 1 / 0")
    assert driver.in_transaction
    with pytest.raises(psycopg.errors.InFailedSqlTransaction, match="nothing was committed"):
        driver.execute("COMMIT")
    assert not driver.in_transaction


def test_a_lost_connection_is_an_operational_error(postgres_server_url):
    with psycopg.connect(postgres_server_url, autocommit=True) as lost:
        driver = PostgresDriver(lost)
        with psycopg.connect(postgres_server_url, autocommit=True) as other:
            other.execute("SELECT pg_terminate_backend(%s)", (lost.info.backend_pid,))
        with pytest.raises(psycopg.OperationalError):
            driver.execute("SELECT 1")
        assert driver.is_lost and not driver.in_transaction
