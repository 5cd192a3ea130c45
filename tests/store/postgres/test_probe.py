"""The probe: what it says of a database, and that it leaves nothing behind."""

import psycopg
import pytest

from envwright.events.errors import BadInputError, InfrastructureError
from envwright.store.postgres.database import PostgresDatabase
from envwright.store.postgres.probe import probe

pytestmark = pytest.mark.postgres


def test_it_says_what_is_there_and_leaves_nothing(postgres_url):
    assert "takes writes and has no log yet (PostgreSQL" in probe(postgres_url)
    with psycopg.connect(postgres_url) as raw:
        query = "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"
        assert raw.execute(query).fetchone() == (0,)
    PostgresDatabase(postgres_url).close()
    assert "has a log" in probe(postgres_url)


def test_what_hinders_it_is_said(postgres_url):
    with pytest.raises(BadInputError, match="refuses the password"):
        probe(postgres_url.replace(":s3cret-word@", ":wrong@"))
    name = postgres_url.rpartition("/")[2]
    with psycopg.connect(postgres_url, autocommit=True) as raw:
        raw.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = on".encode())
    with pytest.raises(InfrastructureError, match="may only be read"):
        probe(postgres_url)
