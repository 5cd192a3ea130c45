"""Failures: what PostgreSQL's errors mean to a caller, in words that name the remedy."""

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from envwright.events.errors import (
    BadInputError,
    EnvwrightError,
    InfrastructureError,
    IntegrityError,
)
from envwright.store.postgres.address import Address

# SQLSTATE codes, Appendix A of PostgreSQL's manual. Codes that are missing here are bugs of ours.
_DAMAGED = {"XX001", "XX002"}
_UNUSABLE = {
    "25006": "may only be read: it is a standby; name the primary",
    "25P03": "ended a transaction that stood still for too long; run again",
    "25P04": "ended a transaction that took too long; run again",
    "3F000": "has no schema to make tables in; set the user's search_path",
    "42501": "may not be used by {user}; as its owner: GRANT ALL ON SCHEMA public TO {user}",
    "53100": "cannot grow: the server's disk is full; free some space and run again",
    "53200": "cannot be used: the server's memory ran out",
    "53300": "takes no more connections; raise max_connections or end other clients",
    "55P03": "stays locked by another client; end it, or look for it in pg_stat_activity",
    "57014": "was told to cancel the statement; run again",
}
_UNUSABLE_CLASSES = {
    "08": "lost the connection; see that the server runs, and run again",
    "40": "is too busy to commit; run again",
    "53": "has run out of what it needs; see the server's log",
    "57": "was shut down or restarted; see that it runs, and run again",
    "58": "cannot be read or written: the server's system reports an error",
}
_PASSING_CLASSES = ("08", "40", "57P0")
_PASSING = {"25P03", "53300"}
_MISTAKE = "08P01"
"""A violation of the protocol: of the class of lost connections, and a bug of ours."""

# What a refused connection says; there is no code for it. The server may say it in its language.
_REFUSED = {
    "password authentication failed": "refuses the password of {user}; correct it in the URL, "
    "PGPASSWORD or ~/.pgpass",
    "no password supplied": "wants a password for {user}; give it in the URL of ENVWRIGHT_STORE, "
    "PGPASSWORD or ~/.pgpass",
    "no pg_hba.conf entry": "lets nobody in from here as {user}; add a line to its pg_hba.conf",
    "authentication failed": "does not know {user} for who it is; see its pg_hba.conf",
    "permission denied for database": "may not be used by {user}; as its owner: "
    "GRANT ALL ON DATABASE {database} TO {user}",
}
_UNKNOWN = {
    "role": "knows no user {user}; make it: createuser {user}",
    "database": "does not exist; make it: createdb --owner {user} {database}",
}


def explain(error: BaseException, address: Address) -> EnvwrightError | None:
    """Return the error to raise in place of a driver's, None where it should stay as it is."""
    if isinstance(error, PoolTimeoutError):
        return InfrastructureError(f"{address} has no free connection: {error}")
    cause = error.orig if isinstance(error, DBAPIError) else error
    if not isinstance(cause, psycopg.Error):
        return None
    said = address.veil(str(cause))
    code = cause.sqlstate
    if code is None:
        return _unconnected(cause, said, address)
    words = _UNUSABLE.get(code) or _UNUSABLE_CLASSES.get(code[:2])
    if code == _MISTAKE:
        return None
    if code in _DAMAGED:
        return IntegrityError(f"{address} is damaged; restore it from a copy ({said})")
    if words is not None:
        return InfrastructureError(f"{address} {_filled(words, address)} ({said})")
    return None


def is_passing(error: BaseException) -> bool:
    """Say whether the same may succeed on another connection: after a restart, a deadlock."""
    cause = error.orig if isinstance(error, DBAPIError) else error
    if not isinstance(cause, psycopg.OperationalError | psycopg.InterfaceError):
        return False
    code = cause.sqlstate
    if code == _MISTAKE:
        return False
    return code is None or code.startswith(_PASSING_CLASSES) or code in _PASSING


@contextmanager
def explained(address: Address) -> Iterator[None]:
    """Turn the driver's errors about a database into ours."""
    try:
        yield
    except (psycopg.Error, DBAPIError, PoolTimeoutError) as error:
        explanation = explain(error, address)
        if explanation is None:
            raise
        # Not chained: the driver's own words may quote the password.
        raise explanation from None


def _unconnected(cause: psycopg.Error, said: str, address: Address) -> EnvwrightError | None:
    """Explain an error that came without a code: there is no connection, or no more."""
    if not isinstance(cause, psycopg.OperationalError | psycopg.InterfaceError):
        return None
    for phrase, words in _REFUSED.items():
        if phrase in said:
            return BadInputError(f"{address} {_filled(words, address)} ({said})")
    if said.endswith("does not exist"):
        for kind, words in _UNKNOWN.items():
            if f" {kind} " in said:
                return BadInputError(f"{address} {_filled(words, address)} ({said})")
    return InfrastructureError(
        f"{address} cannot be reached; start the server, or correct the URL ({said})"
    )


def _filled(words: str, address: Address) -> str:
    return words.format(user=address.user, database=address.url.database)
