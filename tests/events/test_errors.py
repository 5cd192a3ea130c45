"""The tree of errors in the module's docstring is the tree of classes."""

import re

from envwright.events import errors


def tree(root: type[Exception]) -> list[str]:
    """Return the names of a class and all below it."""
    return [root.__name__, *(name for child in root.__subclasses__() for name in tree(child))]


def test_the_docstring_draws_every_error_once():
    drawn = re.findall(r"^[│├└─ ]*(\w+Error)\b", errors.__doc__, flags=re.MULTILINE)
    here = [name for name in tree(errors.EnvwrightError) if hasattr(errors, name)]
    assert sorted(drawn) == sorted(here)


def test_every_error_says_what_it_means():
    for name in tree(errors.EnvwrightError):
        if hasattr(errors, name):
            assert getattr(errors, name).__doc__
