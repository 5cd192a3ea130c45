"""The option `--store`: the database that a command's log is in, for every command with a home."""

import ctypes
import inspect
from collections.abc import Callable
from contextvars import ContextVar
from functools import wraps
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlsplit

import typer
from pydantic import SecretStr

from envwright.console.settings import load_settings

StoreOption = Annotated[
    str | None,
    typer.Option(
        "--store",
        metavar="URL",
        help="Database of the log, such as postgresql://user@host/database; the home then keeps "
        "artifacts and spans. A password belongs into ENVWRIGHT_STORE, PGPASSWORD or ~/.pgpass.",
        show_default="ENVWRIGHT_STORE or the embedded log",
    ),
]

_given: ContextVar[SecretStr | None] = ContextVar("_given", default=None)


def store_url() -> SecretStr:
    """Return the URL that the option or the environment names; empty is the embedded log."""
    given = _given.get()
    return load_settings().store if given is None else given


def is_given() -> bool:
    """Say whether the option names another store than the environment."""
    return store_url() != load_settings().store


def with_store(command: Callable[..., None]) -> Callable[..., None]:
    """Return a command that takes `--store` beside its `--home`."""
    signature = inspect.signature(command)
    if "home" not in signature.parameters:
        return command

    @wraps(command)
    def run(*arguments: Any, store: str | None = None, **options: Any) -> None:
        if store is None:
            command(*arguments, **options)
            return
        hide_password(store)
        token = _given.set(SecretStr(store))
        try:
            command(*arguments, **options)
        finally:
            _given.reset(token)

    parameters = list(signature.parameters.values())
    option = inspect.Parameter(
        "store", inspect.Parameter.KEYWORD_ONLY, default=None, annotation=StoreOption
    )
    run.__signature__ = signature.replace(parameters=[*parameters, option])  # type: ignore[attr-defined]
    run.__annotations__ = {**command.__annotations__, "store": StoreOption}
    return run


def hide_password(url: str) -> None:
    """Blot a URL's passwords out of this process's command line, as lists of processes show it.

    Where the system does not say where that lies, nothing is done.
    """
    parts = urlsplit(url)
    words = [":" + parts.netloc.rpartition("@")[0].partition(":")[2]]
    words += ["=" + each.partition("=")[2] for each in parts.query.split("&") if "password" in each]
    words = [word for word in words if len(word) > 1]
    try:
        stat = Path("/proc/self/stat").read_text("ascii", errors="replace")
        # Fields 48 and 49 of proc(5); the first after the name in brackets is number 3.
        start, end = map(int, stat.rpartition(")")[2].split()[45:47])
    except (OSError, ValueError):
        return
    if not words or not 0 < start < end:
        return
    line = ctypes.string_at(start, end - start)
    at = line.find(url.encode())
    for word in (word.encode() for word in words if at >= 0):
        ctypes.memset(start + line.index(word, at) + 1, ord("*"), len(word) - 1)
