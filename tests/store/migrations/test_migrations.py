"""The steps: counted, without a gap, and as many as the schema says."""

from pathlib import Path

from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine

from envwright.store import migrations
from envwright.store.migrations import migrate, revision_of
from envwright.store.schema import METADATA, SCHEMA_VERSION, VERSION_TABLE

FOLDER = str(Path(migrations.__file__).parent)


def test_the_steps_are_numbered_from_one_to_the_schema_version():
    config = Config()
    config.set_main_option("script_location", FOLDER)
    walked = [step.revision for step in ScriptDirectory.from_config(config).walk_revisions()]
    assert walked[::-1] == [revision_of(number) for number in range(1, SCHEMA_VERSION + 1)]


def test_migrating_again_changes_nothing(tmp_path: Path):
    engine = create_engine(f"sqlite:///{tmp_path}/log.sqlite", isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        migrate(connection)
        query = "SELECT name, sql FROM sqlite_schema ORDER BY name"
        made = connection.exec_driver_sql(query).all()
        migrate(connection)
        assert connection.exec_driver_sql(query).all() == made
    engine.dispose()
    assert METADATA.tables.keys() | {VERSION_TABLE} <= {name for name, _ in made}
