"""Tables on a server that may be lost: they are made again, and another version replaces them."""

import threading

import psycopg
import pytest
from sqlalchemy import Column, Integer, MetaData, Table, func, insert, select

from envwright.events.errors import InfrastructureError
from envwright.store.postgres.disposable import DisposableTables

pytestmark = pytest.mark.postgres

SCHEMA = MetaData()
NUMBERS = Table("graph_numbers", SCHEMA, Column("number", Integer, primary_key=True))


def add(number: int):
    return lambda connection: connection.execute(insert(NUMBERS).values(number=number))


def count(connection) -> int:
    return int(connection.scalar(select(func.count()).select_from(NUMBERS)) or 0)


@pytest.fixture
def tables(postgres_url):
    opened = DisposableTables(postgres_url, SCHEMA, version=1)
    yield opened
    opened.close()


def test_rows_are_kept_and_closing_only_closes(tables, postgres_url):
    tables.write(add(1))
    tables.close()
    assert tables.read(count) == 1
    other = DisposableTables(postgres_url, SCHEMA, version=1)
    assert other.read(count) == 1
    other.close()


def test_what_fails_is_undone(tables):
    def fail(connection) -> None:
        add(1)(connection)
        raise KeyError("x")

    with pytest.raises(KeyError):
        tables.write(fail)
    assert tables.read(count) == 0


def test_tables_that_are_gone_are_made_again(tables, postgres_url):
    tables.write(add(1))
    with psycopg.connect(postgres_url) as raw:
        raw.execute("DROP TABLE graph_numbers")
    tables.write(add(2))
    assert tables.read(count) == 1


def test_tables_of_another_version_are_emptied(tables, postgres_url):
    tables.write(add(1))
    newer = DisposableTables(postgres_url, SCHEMA, version=2)
    assert newer.read(count) == 0
    newer.close()


def test_many_make_them_at_the_same_time(postgres_url):
    every = [DisposableTables(postgres_url, SCHEMA, version=1) for _ in range(5)]
    threads = [
        threading.Thread(target=each.write, args=(add(number),))
        for number, each in enumerate(every)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert every[0].read(count) == 5
    for each in every:
        each.close()


def test_a_lost_connection_is_replaced(tables, postgres_url):
    tables.write(add(1))
    with psycopg.connect(postgres_url, autocommit=True) as raw:
        raw.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
    assert tables.read(count) == 1


def test_a_server_that_is_not_there_is_an_infrastructure_error():
    tables = DisposableTables(
        "postgresql://me:secret@127.0.0.1:1/log", SCHEMA, version=1, patience=0.2
    )
    with pytest.raises(InfrastructureError, match="me@127.0.0.1:1/log cannot be reached"):
        tables.read(count)
    tables.close()
