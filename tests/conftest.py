"""What holds for every test: one hypothesis profile, no way to a user's files, and services."""

import os
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from support.postgres_server import PostgresServer

# A shared machine is slow at times: examples are counted, not timed. Failures must come again.
settings.register_profile(
    "envwright",
    deadline=None,
    derandomize=True,
    max_examples=60,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("envwright")


@pytest.fixture(scope="session", autouse=True)
def no_way_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Hide the user's settings, and send keys, anchors and homes to a temporary folder."""
    home: Path = tmp_path_factory.mktemp("user")
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.startswith("ENVWRIGHT_")]:
            patch.delenv(name)
        patch.setenv("ENVWRIGHT_HOME", str(home / "envwright"))
        patch.setenv("XDG_CONFIG_HOME", str(home / "config"))
        patch.setenv("XDG_STATE_HOME", str(home / "state"))
        yield


@pytest.fixture(scope="session")
def postgres_server_url() -> Iterator[str]:
    """URL of a database of a server that runs as long as the tests of this process."""
    from support.postgres_server import EXISTING, started

    with ExitStack() as stack:
        yield EXISTING or stack.enter_context(started()).url


@pytest.fixture
def postgres_url(postgres_server_url: str) -> Iterator[str]:
    """URL of an empty database of the test's own."""
    from support.postgres_server import database

    with database(postgres_server_url) as url:
        yield url


@pytest.fixture
def postgres_server() -> "Iterator[PostgresServer]":
    """A server of the test's own, to be stopped and started."""
    from support.postgres_server import started

    with started() as server:
        yield server
