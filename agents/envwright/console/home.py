"""The home: the folder of the embedded log, checked and opened for one command."""

import os
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from envwright.agents import ALL_ROLES, RoleName, Runtime, RuntimeConfig, open_runtime
from envwright.console.settings import load_settings
from envwright.events.errors import BadInputError


def home_folder(given: Path | None) -> Path:
    """Return the home that an option or the environment names."""
    return given if given is not None else load_settings().home


def at_home(home: Path) -> str:
    """Return the end of a command line that leads to this home; empty where it does anyway."""
    return "" if home == load_settings().home else f" --home {shlex.quote(str(home))}"


@contextmanager
def new_or_known_home(
    given: Path | None, *, roles: tuple[RoleName, ...] = ALL_ROLES
) -> Iterator[Runtime]:
    """Open a home to work in; it is made where it is absent.

    Raises:
        BadInputError: the home is no folder, or cannot be made or written.
    """
    home = home_folder(given)
    if home.exists():
        _check(home)
    try:
        home.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInputError(
            f"cannot make the home {str(home)!r} ({error.strerror}); name a folder that can be "
            "written with --home or ENVWRIGHT_HOME"
        ) from error
    with _opened(home, roles=roles, checkpoints=True) as runtime:
        yield runtime


@contextmanager
def known_home(
    given: Path | None, *, roles: tuple[RoleName, ...] = ALL_ROLES, checkpoints: bool = False
) -> Iterator[Runtime]:
    """Open a home that exists, to read it or to go on in it.

    Raises:
        BadInputError: there is no home here, or it is no folder that can be written.
    """
    home = home_folder(given)
    if not home.exists():
        raise BadInputError(
            f"no home at {str(home)!r}; `envwright synth` makes one, or name another with --home "
            "or ENVWRIGHT_HOME"
        )
    with _opened(home, roles=roles, checkpoints=checkpoints) as runtime:
        yield runtime


@contextmanager
def _opened(home: Path, *, roles: tuple[RoleName, ...], checkpoints: bool) -> Iterator[Runtime]:
    _check(home)
    settings = load_settings()
    runtime = open_runtime(
        RuntimeConfig(
            home=home,
            roles=roles,
            checkpoints=checkpoints,
            debug=settings.debug,
            lease_seconds=settings.lease_seconds,
            faults=settings.faults,
        )
    )
    try:
        yield runtime
    finally:
        runtime.close()


def _check(home: Path) -> None:
    if not home.is_dir():
        raise BadInputError(f"the home {str(home)!r} is a file; expected a folder")
    if not os.access(home, os.R_OK | os.W_OK | os.X_OK):
        raise BadInputError(
            f"the home {str(home)!r} cannot be written, which its log needs even to be read "
            "safely; change its permissions or name another with --home or ENVWRIGHT_HOME"
        )
