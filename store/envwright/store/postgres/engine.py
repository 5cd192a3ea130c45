"""Connections to a server: how each is opened and what it is told first."""

from typing import Any

import psycopg
from sqlalchemy import Engine, create_engine, event

from envwright.store.postgres.address import Address
from envwright.store.postgres.driver import adapt_text
from envwright.store.schema import APPLICATION_ID, VERSION_TABLE

LOCK_TABLES = f"SELECT pg_advisory_xact_lock({APPLICATION_ID}, 1)"
"""Takes the lock of those who make tables, until the end of the transaction."""

# Not to_regclass: it may remember from before a lock was waited for that there is no such table.
HAS_VERSION = f"""
    SELECT EXISTS (
        SELECT FROM pg_class
        WHERE relname = '{VERSION_TABLE}' AND relnamespace = current_schema()::regnamespace
    )
"""
"""Asks whether there is a log."""

_CONNECT_SECONDS = 10
_IDLE_SECONDS = 600.0
"""After which the server ends a transaction whose process has stopped, and frees what it holds."""


def open_engine(address: Address, *, patience: float, kept: int, more: int) -> Engine:
    """Return a pool of so many connections, outside transactions: those are begun by hand.

    `patience` is how many seconds a statement waits for a lock, and a caller for a connection.
    """
    engine = create_engine(
        address.url,
        isolation_level="AUTOCOMMIT",
        pool_size=kept,
        max_overflow=more,
        pool_timeout=patience,
        use_native_hstore=False,
        hide_parameters=True,
        connect_args={
            "connect_timeout": _CONNECT_SECONDS,
            "application_name": "envwright",
            "client_encoding": "UTF8",
            "keepalives_idle": 30,
            "tcp_user_timeout": 30_000,
        },
    )

    def configure(connection: "psycopg.Connection[Any]", _record: Any) -> None:
        adapt_text(connection)
        settings = {
            "lock_timeout": int(patience * 1000),
            "idle_in_transaction_session_timeout": int(_IDLE_SECONDS * 1000),
            # A plan that is kept from when the tables were small must not read them as a whole.
            "enable_seqscan": "off",
            "jit": "off",
        }
        for name, value in settings.items():
            connection.execute(f"SET {name} = {value}".encode())

    event.listen(engine, "connect", configure)
    return engine
