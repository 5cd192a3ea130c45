"""What holds for every test: one hypothesis profile, and no way to the user's own files."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

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
