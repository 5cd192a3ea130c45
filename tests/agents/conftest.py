"""An office for the agents' tests, recipes that are quick, and one run with all kinds of ends."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from support import choosy_recipe, desk_recipe, mending_recipe
from support.office import Office


@pytest.fixture(scope="session", autouse=True)
def recipes() -> Iterator[None]:
    """Let runs ask for the quick recipes."""
    with pytest.MonkeyPatch.context() as patch:
        desk_recipe.install(patch)
        mending_recipe.install(patch)
        choosy_recipe.install(patch)
        yield


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Office]:
    """A process on a home of its own."""
    opened = Office(tmp_path / "home")
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def varied(recipes: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Office]:
    """A finished run with admissions, repairs, rejections and two rounds; not to be changed."""
    opened = Office(tmp_path_factory.mktemp("varied") / "home")
    subjects = ("broken", "good", "hopeless", "none", "unclear")
    run = opened.request(*subjects, recipe="mending", count=4, slots=5, max_rounds=2, max_repairs=1)
    assert opened.finish(run) == "short"
    yield opened
    opened.close()
