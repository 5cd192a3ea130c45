"""What Alembic runs: the steps, on the connection and in the transaction that it is given."""

from alembic import context

from envwright.store.schema import VERSION_TABLE

context.configure(
    connection=context.config.attributes["connection"],
    version_table=VERSION_TABLE,
    # The caller's transaction holds all steps together, with the lock against other processes.
    transactional_ddl=False,
)
context.run_migrations()
