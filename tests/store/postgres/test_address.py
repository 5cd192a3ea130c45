"""The address of a database on a server, and that nothing it says has the password."""

import pytest

from envwright.events.errors import BadInputError
from envwright.store.postgres.address import Address

URL = "postgresql://me:pa%40ss%3A@db.example:6543/log?sslmode=require&password=other"


def test_it_is_spoken_of_without_password_and_parameters():
    address = Address(URL)
    assert str(address) == "postgresql://me@db.example:6543/log"
    assert "pa" not in repr(address).removeprefix("Address('postgresql")
    assert (address.url.password, address.user) == ("pa@ss:", "me")


def test_what_a_driver_says_is_veiled_in_every_form():
    veiled = Address(URL).veil("wrong: pa@ss: and\n pa%40ss%3A at db.example")
    assert veiled == "wrong: *** and *** at db.example"


@pytest.mark.parametrize("scheme", ["postgres", "postgresql", "postgresql+psycopg"])
def test_every_usual_scheme_is_known(scheme):
    assert Address(f"{scheme}:///log").url.drivername == "postgresql+psycopg"


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("mysql://me:secret@host/log", "kind 'mysql' is not known"),
        ("postgresql://me:secret@host", "names no database"),
        ("postgresql://me:secret@host:port/log", "cannot be read"),
    ],
)
def test_what_cannot_be_used_is_refused_without_the_password(url, words):
    with pytest.raises(BadInputError, match=words) as failure:
        Address(url)
    assert "secret" not in str(failure.value) and failure.value.__cause__ is None
