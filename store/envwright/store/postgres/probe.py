"""The probe: whether a database can hold a log, found out by doing, with nothing left behind."""

from envwright.store.postgres.address import Address
from envwright.store.postgres.engine import HAS_VERSION, open_engine
from envwright.store.postgres.failures import explained

_PATIENCE = 10.0


def probe(url: str) -> str:
    """Make a table, write a row and take both back; return what was found, in words.

    Raises:
        BadInputError: the URL, user, password or database is wrong.
        InfrastructureError: the server cannot be reached or lets nothing be made.
    """
    address = Address(url)
    engine = open_engine(address, patience=_PATIENCE, kept=1, more=0)
    try:
        with explained(address), engine.connect() as connection:
            server = connection.exec_driver_sql("SHOW server_version").scalar_one()
            made = connection.exec_driver_sql(HAS_VERSION).scalar_one()
            connection.exec_driver_sql("BEGIN")
            connection.exec_driver_sql("CREATE TABLE envwright_probe (number integer)")
            connection.exec_driver_sql("INSERT INTO envwright_probe VALUES (1)")
            connection.exec_driver_sql("ROLLBACK")
    finally:
        engine.dispose()
    holds = "has a log" if made else "has no log yet"
    return f"{address} takes writes and {holds} (PostgreSQL {server})"
