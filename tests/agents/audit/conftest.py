"""A home of its own for each test of a check."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from support.audited_events import Scroll


@pytest.fixture
def scroll(tmp_path: Path) -> Iterator[Scroll]:
    opened = Scroll(tmp_path)
    yield opened
    opened.close()
