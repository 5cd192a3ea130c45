"""The port's own values."""

from envwright.events.errors import EnvwrightError
from envwright.recipes import NoTaskError, Recipe
from envwright.recipes.toolspace import ToolSpace


def test_no_task_carries_its_reason_code_and_a_detail():
    error = NoTaskError("NO_WALK", "nothing leads there")
    assert isinstance(error, EnvwrightError)
    assert (error.reason, error.detail) == ("NO_WALK", "nothing leads there")
    assert str(error) == "NO_WALK: nothing leads there"


def test_toolspace_fits_the_port():
    recipe: Recipe = ToolSpace()
    assert recipe.id == "toolspace"
    assert recipe.title
    assert recipe.needs
    assert recipe.state
