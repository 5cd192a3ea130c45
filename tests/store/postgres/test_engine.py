"""Connections to a server: what each is told."""

import pytest

from envwright.store.postgres.address import Address
from envwright.store.postgres.engine import open_engine

pytestmark = pytest.mark.postgres


def test_no_connection_waits_or_stands_still_for_ever(postgres_url):
    engine = open_engine(Address(postgres_url), patience=7.0, kept=1, more=0)
    with engine.connect() as connection:
        settings = {
            name: connection.exec_driver_sql(f"SHOW {name}").scalar_one()
            for name in (
                "lock_timeout",
                "idle_in_transaction_session_timeout",
                "client_encoding",
                "application_name",
            )
        }
    engine.dispose()
    assert settings == {
        "lock_timeout": "7s",
        "idle_in_transaction_session_timeout": "10min",
        "client_encoding": "UTF8",
        "application_name": "envwright",
    }
