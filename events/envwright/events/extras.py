"""Extras: the optional dependencies, and the clear word when one of them is not installed."""

from importlib.util import find_spec

from envwright.events.errors import MissingExtraError


def require(extra: str, *modules: str) -> None:
    """Check that what `extra` installs is there, without importing it.

    A package calls this first in its `__init__`: `require("store", "sqlalchemy", "filelock")`.

    Raises:
        MissingExtraError: naming the missing modules and the `pip install` that brings them.
    """
    missing = [module for module in modules if not _installed(module)]
    if missing:
        raise MissingExtraError(
            f"{', '.join(missing)} not installed; it comes with: pip install 'envwright[{extra}]'"
        )


def _installed(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except (ImportError, ValueError):  # ValueError: loaded without a spec, as by some hooks.
        return False
