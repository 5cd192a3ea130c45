"""Failures: the server's errors in words that name the database and the remedy."""

import psycopg
import pytest
from psycopg.errors import lookup
from sqlalchemy.exc import OperationalError

from envwright.events.errors import BadInputError, InfrastructureError, IntegrityError
from envwright.store.postgres.address import Address
from envwright.store.postgres.failures import explain, explained, is_passing

ADDRESS = Address("postgresql://me:secret@host/log")


@pytest.mark.parametrize(
    ("code", "kind", "words"),
    [
        ("53100", InfrastructureError, "disk is full"),
        ("53300", InfrastructureError, "no more connections"),
        ("42501", InfrastructureError, "GRANT ALL ON SCHEMA public TO me"),
        ("25006", InfrastructureError, "standby"),
        ("55P03", InfrastructureError, "stays locked"),
        ("57P01", InfrastructureError, "shut down or restarted"),
        ("40P01", InfrastructureError, "too busy"),
        ("58030", InfrastructureError, "system reports an error"),
        ("XX001", IntegrityError, "is damaged"),
    ],
)
def test_a_known_code_is_explained(code, kind, words):
    error = lookup(code)("the server's words, secret")
    expected = pytest.raises(kind, match=f"me@host/log .*{words}.*the server's words")
    with expected as failure, explained(ADDRESS):
        raise error
    assert "secret" not in str(failure.value)


@pytest.mark.parametrize(
    ("said", "kind", "words"),
    [
        ('FATAL:  password authentication failed for user "me"', BadInputError, "PGPASSWORD"),
        ("fe_sendauth: no password supplied", BadInputError, "wants a password"),
        ('FATAL:  database "log" does not exist', BadInputError, "createdb --owner me log"),
        ('FATAL:  role "me" does not exist', BadInputError, "createuser me"),
        ("FATAL:  no pg_hba.conf entry for host", BadInputError, "pg_hba.conf"),
        ("connection refused", InfrastructureError, "cannot be reached"),
    ],
)
def test_a_refused_connection_is_explained(said, kind, words):
    found = explain(OperationalError("", {}, psycopg.OperationalError(said)), ADDRESS)
    assert isinstance(found, kind) and words in str(found) and said.split()[-1] in str(found)


@pytest.mark.parametrize("code", ["57P01", "57P02", "57P03", "08006", "40001", "40P01", "53300"])
def test_what_passes_is_worth_another_try(code):
    assert is_passing(lookup(code)("x"))


def test_a_lost_connection_passes():
    assert is_passing(psycopg.OperationalError("the connection is closed"))


@pytest.mark.parametrize("code", ["08P01", "42501", "23505", "53100", "42P01", "55P03", "57014"])
def test_what_stays_is_not_tried_again(code):
    assert not is_passing(lookup(code)("x"))


@pytest.mark.parametrize("error", [lookup("42P01")("x"), lookup("08P01")("x"), KeyError("x")])
def test_a_bug_stays_what_it_is(error):
    assert explain(error, ADDRESS) is None and not is_passing(error)
    with pytest.raises(type(error)), explained(ADDRESS):
        raise error
