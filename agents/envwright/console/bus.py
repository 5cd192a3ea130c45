"""The option `--bus`: the broker that doorbells come over, and the relay that a run brings."""

import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from typing import Annotated, Any, NamedTuple

import typer
from pydantic import SecretStr

from envwright.agents import Runtime, open_relay
from envwright.console.settings import load_settings
from envwright.console.store import hide_password
from envwright.console.terminal import notice

BusOption = Annotated[
    str | None,
    typer.Option(
        "--bus",
        metavar="URL",
        help="Broker that carries the log, such as kafka://host:9092/prefix. What logs in belongs "
        "into ENVWRIGHT_BUS.",
        show_default="ENVWRIGHT_BUS or none: the log itself",
    ),
]
NoRelayOption = Annotated[
    bool,
    typer.Option(
        "--no-relay", help="Let others carry the log to the broker: `envwright relay` does."
    ),
]

_DRAIN_SECONDS = 10.0


class _Given(NamedTuple):
    url: SecretStr | None
    no_relay: bool


_given: ContextVar[_Given] = ContextVar("_given")


def bus_url() -> SecretStr:
    """Return the URL that the option or the environment names; empty is the store's own bus."""
    given = _given.get(_Given(None, False))
    return SecretStr(load_settings().bus) if given.url is None else given.url


def is_bus_given() -> bool:
    """Say whether the option names another bus than the environment."""
    return bus_url().get_secret_value() != load_settings().bus


def with_bus(command: Callable[..., None], *, relays: bool) -> Callable[..., None]:
    """Return a command that takes `--bus`, and `--no-relay` where it has a relay of its own."""

    @wraps(command)
    def run(
        *arguments: Any, bus: str | None = None, no_relay: bool = False, **options: Any
    ) -> None:
        if bus is not None:
            hide_password(bus)
        token = _given.set(_Given(None if bus is None else SecretStr(bus), no_relay))
        try:
            command(*arguments, **options)
        finally:
            _given.reset(token)

    taken: dict[str, tuple[Any, object]] = {"bus": (BusOption, None)}
    if relays:
        taken["no_relay"] = (NoRelayOption, False)
    signature = inspect.signature(command)
    added = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=option)
        for name, (option, default) in taken.items()
    ]
    parameters = [*signature.parameters.values(), *added]
    run.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {
        **command.__annotations__,
        **{name: option for name, (option, _) in taken.items()},
    }
    return run


@contextmanager
def relaying(runtime: Runtime) -> Iterator[None]:
    """Carry the log to the broker, if there is one, unless somebody does or it is not wanted."""
    if not runtime.config.bus.get_secret_value() or _given.get(_Given(None, False)).no_relay:
        yield
        return
    relay = open_relay(runtime)
    relay.start()
    try:
        yield
    finally:
        try:
            left = relay.drain(_DRAIN_SECONDS)
            if left:
                notice(f"{left} events have not reached the broker yet; the next relay brings them")
        finally:
            relay.stop()
