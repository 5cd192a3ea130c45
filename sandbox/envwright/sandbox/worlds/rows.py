"""Rows of table worlds: immutable base tables that all instances share, and one instance's changes.

The digest of a table is additive: each (key, row) is hashed to 2048 bits and a table is the sum of
its rows modulo 2**2048, so that a changed row costs one subtraction and one addition, whatever the
size of the table and in whatever order rows changed. At 2048 bits such a sum is collision-resistant
(AdHash: Bellare and Micciancio 1997; sizes in Lewi et al. 2019, "Securing Update Propagation with
Homomorphic Hashing"); at 256 bits it would not be.
"""

import hashlib
from collections.abc import Hashable, Iterable, Mapping
from typing import TypeAlias

from envwright.events.canonical import Json, digest
from envwright.sandbox.worlds.json_values import ABSENT, at, canonical_bytes, identity

Row: TypeAlias = dict[str, Json]
"""A row: a canonical object that nobody ever changes; an update puts another one in its place."""

Match: TypeAlias = tuple[tuple[str | int, ...], Json]
"""A path in a row, and the value that must be there."""

_MODULUS = 2**2048


def _summand(key: str, row: Row) -> int:
    return int.from_bytes(hashlib.shake_256(canonical_bytes([key, row])).digest(256))


Wanted: TypeAlias = tuple[tuple[str | int, ...], Hashable]
"""A path in a row, and the identity of the value that must be there."""


def wanted(matches: Iterable[Match]) -> list[Wanted]:
    """Return matches with the identities of their values, for one look at many rows."""
    return [(path, identity(value)) for path, value in matches]


def has_all(row: Row, wanted: Iterable[Wanted]) -> bool:
    """Say whether a row has all the values; a field that is absent has none."""
    for path, value in wanted:
        found = at(row, path)
        if found is ABSENT or identity(found) != value:
            return False
    return True


class BaseTable:
    """The first rows of a table: read once, hashed once, shared by all instances."""

    def __init__(self, rows: Mapping[str, Row]) -> None:
        self.rows = {key: rows[key] for key in sorted(rows)}
        self.summands = {key: _summand(key, row) for key, row in self.rows.items()}
        self.total = sum(self.summands.values()) % _MODULUS
        self._indexes: dict[tuple[str | int, ...], dict[Hashable, list[str]]] = {}

    def keys_with(self, match: Match) -> list[str]:
        """Return the keys, in order, of the rows that match; each path is indexed once."""
        path, value = match
        index = self._indexes.get(path)
        if index is None:
            index = {}
            for key, row in self.rows.items():
                found = at(row, path)
                if found is not ABSENT:
                    index.setdefault(identity(found), []).append(key)
            # Two threads may both build it; they build the same.
            self._indexes[path] = index
        return index.get(identity(value), [])


class BaseTables:
    """All tables of an environment as they are at a reset."""

    def __init__(self, tables: Mapping[str, Mapping[str, Row]]) -> None:
        self.tables = {name: BaseTable(tables[name]) for name in sorted(tables)}
        self.digest = digest({name: f"{t.total:x}" for name, t in self.tables.items()})


class Table:
    """One instance's table: the shared base, and over it the rows that this instance wrote."""

    __slots__ = ("_base", "_summands", "_total", "_unsummed", "written")

    written: dict[str, Row | None]
    """The rows that were put in place since the reset; None for a row that was removed."""

    def __init__(self, base: BaseTable) -> None:
        self._base = base
        self._total = base.total
        self._summands: dict[str, int] = {}
        self._unsummed: dict[str, None] = {}
        self.written = {}

    def get(self, key: str) -> Row | None:
        """Return the row as it is now."""
        written = self.written
        return written[key] if key in written else self._base.rows.get(key)

    def put(self, key: str, row: Row | None) -> None:
        """Add a row or put it in the place of the one before; None removes the one before."""
        self.written[key] = row
        self._unsummed[key] = None

    def find(self, matches: tuple[Match, ...]) -> tuple[str, Row] | None:
        """Return the first row, in the order of keys, that has all the values."""
        values = wanted(matches)
        found = [
            (key, row)
            for key, row in self.written.items()
            if row is not None and has_all(row, values)
        ]
        for key in self._base.keys_with(matches[0]):
            if key not in self.written and has_all(self._base.rows[key], values[1:]):
                found.append((key, self._base.rows[key]))
                break
        # Keys differ, so no two rows are ever compared.
        return min(found, default=None)

    def candidates(self, matches: tuple[Match, ...]) -> list[str]:
        """Return keys, in order, among which are those of all rows that have the values."""
        base = self._base.keys_with(matches[0]) if matches else self._base.rows
        return sorted({*base, *self.written}) if self.written else list(base)

    def rows(self) -> dict[str, Row]:
        """Return all rows as they are now, in the order of keys."""
        merged = self._base.rows | self.written
        return {key: row for key in sorted(merged) if (row := merged[key]) is not None}

    def total(self) -> int:
        """Return the sum of all rows' hashes as they are now."""
        for key in self._unsummed:
            before = self._summands.get(key)
            if before is None:
                before = self._base.summands.get(key, 0)
            row = self.written[key]
            after = 0 if row is None else _summand(key, row)
            self._total = (self._total + after - before) % _MODULUS
            self._summands[key] = after
        self._unsummed.clear()
        return self._total
