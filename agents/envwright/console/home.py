"""The home: the folder of the embedded log or of its artifacts, checked and opened."""

import os
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pydantic import SecretStr

from envwright.agents import (
    ALL_ROLES,
    RoleName,
    Runtime,
    RuntimeConfig,
    open_runtime,
    without_password,
)
from envwright.console.bus import bus_url, is_bus_given
from envwright.console.settings import load_settings
from envwright.console.store import is_given, store_url
from envwright.events.errors import BadInputError


def home_folder(given: Path | None) -> Path:
    """Return the home that an option or the environment names."""
    return given if given is not None else load_settings().home


def at_home(home: Path) -> str:
    """Return the end of a command line that leads to this log; empty where it does anyway."""
    there = "" if home == load_settings().home else f" --home {shlex.quote(str(home))}"
    if is_given():
        there += f" --store {shlex.quote(without_password(store_url().get_secret_value()))}"
    if is_bus_given():
        there += f" --bus {shlex.quote(without_password(bus_url().get_secret_value()))}"
    return there


@contextmanager
def new_or_known_home(
    given: Path | None,
    *,
    roles: tuple[RoleName, ...] = ALL_ROLES,
    embedded: bool = False,
    bus: SecretStr | None = None,
) -> Iterator[Runtime]:
    """Open a home to work in; it is made where it is absent.

    With `embedded` its log is in it, whatever store the user names. Without `bus` the log itself
    is the bus.

    Raises:
        BadInputError: the home is no folder, or cannot be made or written.
    """
    home = home_folder(given)
    _make(home)
    store = SecretStr("") if embedded else store_url()
    with _opened(home, store, bus, roles=roles, checkpoints=True) as runtime:
        yield runtime


@contextmanager
def known_home(
    given: Path | None,
    *,
    roles: tuple[RoleName, ...] = ALL_ROLES,
    checkpoints: bool = False,
    bus: SecretStr | None = None,
) -> Iterator[Runtime]:
    """Open a home that exists, to read it or to go on in it.

    Raises:
        BadInputError: there is no home here, or it is no folder that can be written.
    """
    home, store = home_folder(given), store_url()
    if store.get_secret_value():
        _make(home)  # It keeps no log: that is somewhere else, whether or not it was here before.
    elif not home.exists():
        raise BadInputError(
            f"no home at {str(home)!r}; `envwright synth` makes one, or name another with --home "
            "or ENVWRIGHT_HOME"
        )
    with _opened(home, store, bus, roles=roles, checkpoints=checkpoints) as runtime:
        yield runtime


def _make(home: Path) -> None:
    if home.exists():
        _check(home)
    try:
        home.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInputError(
            f"cannot make the home {str(home)!r} ({error.strerror}); name a folder that can be "
            "written with --home or ENVWRIGHT_HOME"
        ) from error


@contextmanager
def _opened(
    home: Path,
    store: SecretStr,
    bus: SecretStr | None,
    *,
    roles: tuple[RoleName, ...],
    checkpoints: bool,
) -> Iterator[Runtime]:
    _check(home)
    settings = load_settings()
    runtime = open_runtime(
        RuntimeConfig(
            home=home,
            store=store,
            bus=bus or SecretStr(""),
            artifacts=settings.artifacts,
            roles=roles,
            checkpoints=checkpoints,
            debug=settings.debug,
            otlp_endpoint=settings.otlp_endpoint,
            lease_seconds=settings.lease_seconds,
            faults=settings.faults,
            anchors=settings.anchors,
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
