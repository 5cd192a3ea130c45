"""What a call sees and does while it is interpreted: frames for expressions, one transaction."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple, Protocol

from envwright.events.canonical import Json
from envwright.sandbox.worlds.circumstances import Circumstances, Limits
from envwright.sandbox.worlds.json_values import ABSENT, measure
from envwright.sandbox.worlds.refusal import Refusal
from envwright.sandbox.worlds.rows import Match, Row, has_all, wanted


class TableView(Protocol):
    """A table as programs read it."""

    def get(self, key: str) -> Row | None:
        """Return a row."""

    def find(self, matches: tuple[Match, ...]) -> tuple[str, Row] | None:
        """Return the first row, in the order of keys, that has all the values."""

    def candidates(self, matches: tuple[Match, ...]) -> Iterable[str]:
        """Return keys, in order, among which are those of all rows that have the values."""


class Transaction:
    """One call on the tables: what it has read, counted and staged, and what work is left."""

    __slots__ = ("circumstances", "left", "limits", "numbers", "reads", "staged", "tables")

    def __init__(
        self, tables: Mapping[str, TableView], circumstances: Circumstances, limits: Limits
    ) -> None:
        self.tables = tables
        self.circumstances = circumstances
        self.limits = limits
        self.left = limits.work
        self.reads: dict[tuple[str, str], None] = {}
        self.numbers: dict[str, int] = {}
        self.staged: dict[tuple[str, str], Row | None] = {}

    def row(self, table: str, key: str) -> Row | None:
        """Return a row as it was before the call, and note that it was read."""
        row = self.tables[table].get(key)
        if row is not None:
            self.reads[table, key] = None
        return row

    def matching(self, table: str, matches: tuple[Match, ...]) -> list[tuple[str, Row]]:
        """Return the rows that have all the values with their keys, in order."""
        for _, value in matches:
            self.spend(measure(value, self.left))
        view, values, found = self.tables[table], wanted(matches), []
        for key in view.candidates(matches):
            self.spend(1)
            row = view.get(key)
            if row is not None and has_all(row, values):
                self.reads[table, key] = None
                found.append((key, row))
        return found

    def now(self, table: str, key: str) -> Row | None:
        """Return a row as the effects so far left it."""
        place = (table, key)
        return self.staged[place] if place in self.staged else self.row(table, key)

    def stage(self, table: str, key: str, row: Row | None) -> None:
        """Hold a row ready to be written, or to be removed."""
        if row is None and self.tables[table].get(key) is None:
            del self.staged[table, key]
        else:
            self.staged[table, key] = row

    def ordinal(self, counter: str) -> int:
        """Return the number of this call from a counter."""
        return self.numbers.setdefault(counter, self.circumstances.counters.get(counter, 0) + 1)

    def spend_on_text(self, text: str) -> None:
        """Count the work of looking at every character of a text."""
        self.spend(len(text) >> 8)

    def spend(self, work: int) -> None:
        """Count work against the limit.

        Raises:
            Refusal: the call would do more than the world allows.
        """
        self.left -= work
        if self.left < 0:
            raise Refusal(
                f"Error: the call takes more than {self.limits.work} steps; ask for less at once"
            )


class Frame(NamedTuple):
    """What the expressions at one place see; none asks for a part that its place does not offer."""

    arguments: Mapping[str, Json]
    transaction: Transaction
    key: str = ""
    before: Json = None
    after: Json = None
    names: Mapping[str, Json] = MappingProxyType({})
    """Variables, and `element`."""
    current: Json = ABSENT
    """What is at the place of the effect that is being done."""
