"""The page of `envwright recipes`."""

import pytest

from envwright.console.pages.recipes import recipes_page
from envwright.console.terminal import print_page


def test_a_recipe_is_told_in_three_lines(capsys: pytest.CaptureFixture[str]) -> None:
    recipe = {"recipe": "desk", "version": "2", "title": "t", "needs": "n", "state": "s"}
    print_page(*recipes_page({"recipes": [recipe]}))
    assert capsys.readouterr().out.split() == ["desk", "version", "2"] + [
        "makes",
        "t",
        "needs",
        "n",
        "works",
        "s",
    ]
