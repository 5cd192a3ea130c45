"""The pipeline: what is sent together is answered in order, and an error stops what follows."""

from collections.abc import Iterator

import psycopg
import pytest

from envwright.store.postgres.driver import PostgresDriver

pytestmark = pytest.mark.postgres


@pytest.fixture
def driver(postgres_server_url: str) -> Iterator[PostgresDriver]:
    with psycopg.connect(postgres_server_url, autocommit=True) as connection:
        yield PostgresDriver(connection)


def test_answers_come_in_the_order_of_the_statements(driver):
    rows = driver.together([("SELECT ?::int", (n,)) for n in range(50)])
    assert [each.fetchone() for each in rows] == [(n,) for n in range(50)]


def test_more_than_the_buffers_hold_passes_in_both_directions(driver):
    body = b"\x00\xff" * 2_000_000
    rows = driver.together([("SELECT ?::bytea", (body,)), ("SELECT length(?::bytea)", (body,))])
    assert [each.fetchone() for each in rows] == [(body,), (len(body),)]


def test_an_error_is_raised_and_what_follows_is_not_run(driver):
    driver.execute("CREATE TEMP TABLE kept (number int)")
    insert = "INSERT INTO kept SELECT 10 / ?::int"
    with pytest.raises(psycopg.errors.DivisionByZero):
        driver.together([(insert, (1,)), (insert, (0,)), (insert, (2,))])
    assert driver.execute("SELECT count(*) FROM kept").fetchone() == (0,)


def test_what_begins_a_transaction_travels_with_its_first_statement(driver):
    driver.begin("BEGIN", "SET LOCAL lock_timeout = 77")
    assert driver.in_transaction
    assert driver.execute("SHOW lock_timeout").fetchone() == ("77ms",)
    driver.execute("ROLLBACK")
    assert not driver.in_transaction


def test_a_connection_that_is_lost_meanwhile_is_an_operational_error(driver):
    asked = [("SELECT pg_terminate_backend(pg_backend_pid())", ()), ("SELECT 1", ())]
    with pytest.raises(psycopg.OperationalError):
        driver.together(asked)
    assert driver.is_lost and not driver.in_transaction
