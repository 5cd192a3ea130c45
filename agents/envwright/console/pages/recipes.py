"""The page of `envwright recipes`."""

from collections.abc import Iterator

from rich.console import RenderableType

from envwright.console.pages.layout import pairs, title
from envwright.events.canonical import Json


def recipes_page(view: dict[str, Json]) -> Iterator[RenderableType]:
    """Draw the methods that there are."""
    for recipe in view["recipes"]:
        yield title(recipe["recipe"], f"version {recipe['version']}")
        yield pairs(
            [
                ("makes", recipe["title"]),
                ("needs", recipe["needs"]),
                ("works", recipe["state"]),
            ]
        )
