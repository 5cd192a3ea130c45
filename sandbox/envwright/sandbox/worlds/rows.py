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


def _matches(row: Row, matches: Iterable[Match]) -> bool:
    for path, wanted in matches:
        found = at(row, path)
        if found is ABSENT or identity(found) != identity(wanted):
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
        path, wanted = match
        index = self._indexes.get(path)
        if index is None:
            index = {}
            for key, row in self.rows.items():
                found = at(row, path)
                if found is not ABSENT:
                    index.setdefault(identity(found), []).append(key)
            # Two threads may both build it; they build the same.
            self._indexes[path] = index
        return index.get(identity(wanted), [])


class BaseTables:
    """All tables of an environment as they are at a reset."""

    def __init__(self, tables: Mapping[str, Mapping[str, Row]]) -> None:
        self.tables = {name: BaseTable(tables[name]) for name in sorted(tables)}
        self.digest = digest({name: f"{t.total:x}" for name, t in self.tables.items()})


class Table:
    """One instance's table: the shared base, and over it the rows that this instance wrote."""

    __slots__ = ("_base", "_summands", "_total", "_unsummed", "written")

    def __init__(self, base: BaseTable) -> None:
        self._base = base
        self._total = base.total
        self._summands: dict[str, int] = {}
        self._unsummed: dict[str, None] = {}
        self.written: dict[str, Row] = {}

    def get(self, key: str) -> Row | None:
        """Return the row as it is now."""
        row = self.written.get(key)
        return self._base.rows.get(key) if row is None else row

    def put(self, key: str, row: Row) -> None:
        """Add a row or put it in the place of the one before."""
        self.written[key] = row
        self._unsummed[key] = None

    def find(self, matches: tuple[Match, ...]) -> tuple[str, Row] | None:
        """Return the first row, in the order of keys, that has all the values."""
        rows, written = self._base.rows, self.written
        candidates = [key for key, row in written.items() if _matches(row, matches)]
        for key in self._base.keys_with(matches[0]):
            if key not in written and _matches(rows[key], matches[1:]):
                candidates.append(key)
                break
        if not candidates:
            return None
        key = min(candidates)
        return key, written[key] if key in written else rows[key]

    def rows(self) -> dict[str, Row]:
        """Return all rows as they are now, in the order of keys."""
        merged = self._base.rows | self.written
        return {key: merged[key] for key in sorted(merged)}

    def total(self) -> int:
        """Return the sum of all rows' hashes as they are now."""
        for key in self._unsummed:
            before = self._summands.get(key) or self._base.summands.get(key, 0)
            after = _summand(key, self.written[key])
            self._total = (self._total + after - before) % _MODULUS
            self._summands[key] = after
        self._unsummed.clear()
        return self._total
