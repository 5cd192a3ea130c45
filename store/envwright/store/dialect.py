"""Dialects: the fragments of SQL in which the engines differ; all other SQL is written once."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Dialect:
    """What the hot path's SQL must be told about an engine; its placeholders are `?` on all."""

    name: str
    """As SQLAlchemy says it."""
    now: str
    """Query of the clock in seconds since 1970; its parameter is what `shift` returns."""
    timestamp: str
    """Expression of the clock as ISO 8601 in UTC; its parameter is what `shift` returns."""
    take: str
    """Statement that takes positions: the number of events and what `shift` returns are its
    parameters, the last of the positions and `timestamp` its row."""
    shift: Callable[[float], str | float]
    """By how many seconds the clock is moved, as the engine's date functions take it."""
    among: Callable[[Sequence[str]], tuple[str, Sequence[object]]]
    """Condition on the column before it to be one of some values, with its parameters."""


def _any_placeholder(values: Sequence[str]) -> tuple[str, Sequence[object]]:
    return f"IN ({', '.join('?' * len(values))})", values


def _array(values: Sequence[str]) -> tuple[str, Sequence[object]]:
    # One statement whatever the number of values, so that the server prepares it once.
    return "= ANY(?)", (list(values),)


def _take(timestamp: str) -> str:
    return (
        f"UPDATE log_head SET position = position + ? WHERE id = 1 RETURNING position, {timestamp}"
    )


_SQLITE_TIMESTAMP = "strftime('%Y-%m-%dT%H:%M:%fZ', 'now', ?)"
_POSTGRESQL_TIMESTAMP = (
    "to_char((clock_timestamp() + make_interval(secs => ?)) AT TIME ZONE 'UTC',"
    """ 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')"""
)

SQLITE = Dialect(
    name="sqlite",
    # Before 3.42 there is no unixepoch('subsec'); a Julian day resolves 40 microseconds.
    now="SELECT (julianday('now', ?) - 2440587.5) * 86400.0",
    timestamp=_SQLITE_TIMESTAMP,
    take=_take(_SQLITE_TIMESTAMP),
    shift=lambda seconds: f"{seconds:+f} seconds",
    among=_any_placeholder,
)

POSTGRESQL = Dialect(
    name="postgresql",
    # Not now(): that is when the transaction began, perhaps long before its turn came.
    now="SELECT extract(epoch FROM clock_timestamp())::float8 + ?::float8",
    timestamp=_POSTGRESQL_TIMESTAMP,
    take=_take(_POSTGRESQL_TIMESTAMP),
    shift=float,
    among=_array,
)
