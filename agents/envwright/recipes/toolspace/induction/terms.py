"""Terms: what successful calls had in common that no guard states; walks stay within them.

What a log never shows may fail in reality, so a task does not rely on it.
"""

from collections.abc import Iterator, Sequence
from math import comb

from envwright.events.canonical import Json, encode
from envwright.events.values import Value
from envwright.recipes.toolspace.induction.arguments import Domain
from envwright.recipes.toolspace.induction.samples import Sample
from envwright.recipes.toolspace.mining.tables import Table
from envwright.recipes.toolspace.values import (
    ABSENT,
    Path,
    alike,
    at,
    identity,
    is_scalar,
    leaves,
    same,
)
from envwright.sandbox.worlds import Expr

FEW_VALUES = 8
"""A field with at most this many values is a category (ours) …"""

ROWS_EACH = 3
"""… if the table has this many rows for each of them (ours)."""

NEVER_EQUAL = 5
"""Fewest rows on which an argument must have differed from a field to be held to it (ours)."""

FEW_STATES = 3
"""A category with at most this many values is held to those that were seen, whatever the odds."""

CHANCE = 0.05
"""Greatest probability that luck alone kept the other values of a category away (ours)."""

_DEEPEST = 2


class Seen(Value):
    """The values of a category at which calls succeeded."""

    path: Path
    within: tuple[Json, ...]


class Unlike(Value):
    """An argument that never had the value of a field, though it could have."""

    argument: str
    path: Path


class Terms(Value):
    """The terms of one tool."""

    lengths: dict[str, tuple[int, ...]] = {}
    """For lists that the program looks into by position: the lengths that were seen. What holds
    on lists of one length may be a sum or a search on longer ones."""
    seen: tuple[Seen, ...] = ()
    unlike: tuple[Unlike, ...] = ()

    def admit_row(self, row: Json) -> bool:
        """Say whether a row is like those on which the tool was seen to work."""
        for name, lengths in self.lengths.items():
            items = at(row, (name,))
            if not isinstance(items, list) or len(items) not in lengths:
                return False
        return all(
            (found := at(row, seen.path)) is ABSENT
            or identity(found) in [identity(value) for value in seen.within]
            for seen in self.seen
        )

    def admit_argument(self, row: Json, argument: str, value: Json) -> bool:
        """Say whether an argument is unlike the fields that it was never like."""
        return not any(
            (found := at(row, item.path)) is not ABSENT and same(found, value)
            for item in self.unlike
            if item.argument == argument
        )


def mine_terms(
    values: Sequence[Expr], samples: Sequence[Sample], table: Table, domains: dict[str, Domain]
) -> Terms:
    """Return the terms that the samples of an update kept to."""
    names = sorted({name for value in values for name in _indexed(value)})
    rows = [sample.before for sample in samples if sample.before is not None]
    lengths = {
        name: tuple(sorted({len(row[name]) for row in rows if isinstance(row.get(name), list)}))
        for name in names
    }
    return Terms(
        lengths=lengths,
        seen=tuple(_categories(rows, len({sample.key for sample in samples}), table)),
        unlike=tuple(_unlike(samples, domains)),
    )


def _indexed(expr: Expr) -> set[str]:
    path: Path = getattr(expr, "path", ())
    looks_in = expr.needs == "before" and len(path) > 1 and isinstance(path[1], int)
    own = {str(path[0])} if looks_in else set()
    return own.union(*(_indexed(part) for part in expr.parts()))


def _categories(rows: Sequence[Json], keys: int, table: Table) -> Iterator[Seen]:
    paths = sorted(
        {
            leaf.path
            for row in rows
            for leaf in leaves(row)
            if len(leaf.path) <= _DEEPEST and all(isinstance(step, str) for step in leaf.path)
        },
        key=repr,
    )
    for path in paths:
        everywhere = _distinct([*table.rows.values(), *rows], path)
        if 1 < len(everywhere) <= FEW_VALUES and len(everywhere) * ROWS_EACH <= len(table.rows):
            here = _distinct(rows, path)
            if len(here) < len(everywhere) and (
                len(everywhere) <= FEW_STATES
                or _luck(table, path, here, len(everywhere), keys) <= CHANCE
            ):
                yield Seen(path=path, within=tuple(sorted(here.values(), key=encode)))


def _luck(table: Table, path: Path, here: dict[object, Json], count: int, keys: int) -> float:
    """Return how likely rows drawn from the table keep to any as few of its `count` values."""
    values = [identity(at(row, path)) for row in table.rows.values() if at(row, path) is not ABSENT]
    share = sum(value in here for value in values) / len(values)
    return float(comb(count, len(here)) * share**keys)


def _distinct(rows: Sequence[Json], path: Path) -> dict[object, Json]:
    found = [at(row, path) for row in rows]
    return {identity(value): value for value in found if value is not ABSENT and is_scalar(value)}


def _unlike(samples: Sequence[Sample], domains: dict[str, Domain]) -> Iterator[Unlike]:
    if len({sample.key for sample in samples}) < NEVER_EQUAL:
        return
    for argument in sorted(domains):
        given = [s for s in samples if s.before is not None and argument in s.arguments]
        if not given or not is_scalar(given[0].arguments[argument]):
            continue
        for leaf in leaves(given[0].before):
            if alike(str(_last_name(leaf.path)), argument) and _never_equal(
                given, argument, leaf.path
            ):
                yield Unlike(argument=argument, path=leaf.path)


def _last_name(path: Path) -> str:
    return next((step for step in reversed(path) if isinstance(step, str)), "")


def _never_equal(given: Sequence[Sample], argument: str, path: Path) -> bool:
    held = [at(sample.before, path) for sample in given]
    if any(value is ABSENT or not is_scalar(value) for value in held):
        return False
    wanted = [sample.arguments[argument] for sample in given]
    shared = {identity(value) for value in held} & {identity(value) for value in wanted}
    return bool(shared) and not any(map(same, held, wanted))
