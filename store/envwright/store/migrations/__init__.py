"""Migrations: the steps that make the tables of a log, or bring older ones up to date."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, inspect

from envwright.store.schema import VERSION_TABLE


def migrate(connection: Connection, found: int | None = None) -> None:
    """Make the tables, or upgrade them, in the transaction that is open on the connection.

    `found` is the version of tables that were made before the steps were counted.
    """
    config = Config()
    # Alembic reads a percent sign as the beginning of a variable.
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    config.attributes["connection"] = connection
    if found is not None and not inspect(connection).has_table(VERSION_TABLE):
        command.stamp(config, revision_of(found))
    command.upgrade(config, "head")


def revision_of(version: int) -> str:
    """Return what a schema version is called among the steps."""
    return f"{version:04}"
