"""The command `recipes`: the methods that there are."""

from envwright.console.options import JsonOption
from envwright.console.pages.recipes import recipes_page
from envwright.console.terminal import print_json, print_page
from envwright.recipes import RECIPES


def recipes(as_json: JsonOption = False) -> None:
    """List the recipes: what each makes, which sources it needs, what of it works.

    A recipe is a method of making packages; `envwright synth --recipe` takes its name.

    Examples:
      envwright recipes
      envwright recipes --json
    """
    found = [
        {
            "recipe": recipe.id,
            "version": recipe.version,
            "title": recipe.title,
            "needs": recipe.needs,
            "state": recipe.state,
        }
        for _, recipe in sorted(RECIPES.items())
    ]
    if as_json:
        print_json({"recipes": found})
    else:
        print_page(*recipes_page({"recipes": found}))
