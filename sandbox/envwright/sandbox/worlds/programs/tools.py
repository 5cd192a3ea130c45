"""Programs: what a tool does, from its arguments to its result and what it writes."""

from abc import ABC
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self, TypeAlias

from pydantic import Field, model_validator

from envwright.events.values import Value
from envwright.sandbox.worlds.programs.contracts import (
    ANY,
    BOOLEAN,
    ELEMENT,
    LIST,
    TEXT,
    Name,
    Need,
    Node,
    Path,
)
from envwright.sandbox.worlds.programs.lists import Assignment, Condition
from envwright.sandbox.worlds.programs.scopes import check

if TYPE_CHECKING:
    from envwright.sandbox.worlds.programs.language import Effect, Expr

_READ: tuple[Need, ...] = ("before", "after", "key")
_WRITING: tuple[Need, ...] = ("before", "key", "counters")
_WRITTEN: tuple[Need, ...] = ("before", "after", "key", "counters")
_COUNTING: tuple[Need, ...] = ("counters",)


class Guard(Value):
    """What a field must be for an update to happen; an absent field never passes."""

    path: Path
    within: tuple[Any, ...]
    """The values that pass."""
    error: str
    """The error text of a call that does not pass."""


class Checked(Node, ABC):
    """A program whose parts all have what they need; others are refused before any call."""

    @model_validator(mode="after")
    def _parts_have_what_they_need(self) -> Self:
        check(self)
        return self


class TableProgram(Checked, ABC):
    """A program over one table, that may look into others."""

    table: str


class Lookup(TableProgram):
    """Read one row by its key."""

    takes = {"key": ANY, "returns": ANY}
    offers = {"returns": _READ}
    op: Literal["lookup"] = "lookup"
    key: "Expr"
    missing: str
    """The error text where no row has the key."""
    returns: "Expr"


class Find(TableProgram):
    """Read the first row, in the order of keys, whose fields match."""

    takes = {"where": ANY, "returns": ANY}
    offers = {"returns": _READ}
    op: Literal["find"] = "find"
    where: Annotated[tuple[Condition, ...], Field(min_length=1)]
    missing: str
    """The error text where no row matches."""
    returns: "Expr"


class Search(TableProgram):
    """Read a list: what `returns` gives for each row that matches, in the order of keys."""

    takes = {"where": ANY, "returns": ANY}
    offers = {"returns": _READ}
    op: Literal["search"] = "search"
    where: tuple[Condition, ...] = ()
    """What rows must have; nothing for all rows."""
    returns: "Expr"


class Update(TableProgram):
    """Change one row: values see the row as it was before; `set` comes first, then `append`."""

    takes = {"key": ANY, "set": ANY, "append": ANY, "returns": ANY}
    offers = {"set": _WRITING, "append": _WRITING, "returns": _WRITTEN}
    op: Literal["update"] = "update"
    key: "Expr"
    missing: str
    """The error text where no row has the key."""
    guards: tuple[Guard, ...] = ()
    set: tuple[Assignment, ...] = ()
    """Values to put in place; the parent of each must exist, and an index too."""
    append: tuple[Assignment, ...] = ()
    """Values to add at the end of lists; each list must exist."""
    returns: "Expr"

    @model_validator(mode="after")
    def _writes_something(self) -> Self:
        if not self.set and not self.append:
            raise ValueError("an update needs `set` or `append`; use `lookup` to read a row")
        return self


class Create(TableProgram):
    """Add one row under a new key."""

    takes = {"key": ANY, "row": ANY, "returns": ANY}
    offers = {
        "key": _COUNTING,
        "row": ("key", "counters"),
        "returns": ("after", "key", "counters"),
    }
    op: Literal["create"] = "create"
    key: "Expr"
    exists: str
    """The error text where a row has the key already."""
    row: "Expr"
    returns: "Expr"


class Let(Node):
    """A step that gives a value a name, for all that follows."""

    takes = {"value": ANY}
    declares = "name"
    op: Literal["let"] = "let"
    name: Name
    value: "Expr"


class Require(Node):
    """A step that ends the call with an error text unless a predicate holds.

    With `of`, it must hold for each element of a list, and the text may name the first that fails.
    """

    takes = {"of": LIST, "holds": BOOLEAN, "error": TEXT}
    binds = {"holds": (ELEMENT, "named"), "error": (ELEMENT, "named")}
    op: Literal["require"] = "require"
    of: "Expr | None" = None
    named: Name | None = None
    """A name for the element, for loops inside the predicate."""
    holds: "Expr"
    error: "str | Expr"
    """The error text, or an expression that gives it."""

    def bound(self, field: str) -> frozenset[str]:
        """Return the names that exist in a field: the element's where there is a list."""
        return super().bound(field) if self.of is not None else frozenset()

    @model_validator(mode="after")
    def _names_what_is_there(self) -> Self:
        if self.named is not None and self.of is None:
            raise ValueError(f"`named` is {self.named!r} without a list; give `of` too")
        return self


ProcedureStep: TypeAlias = Annotated[Let | Require, Field(discriminator="op")]
"""What a procedure does before it writes, told apart by `op`."""


class Procedure(Checked):
    """Steps, then effects on any rows, then a result: all of it or, on an error, nothing.

    Without effects it is a read.
    """

    takes = {"steps": ANY, "effects": ANY, "returns": ANY}
    offers = {"steps": _COUNTING, "effects": _COUNTING, "returns": ("outcome", "counters")}
    op: Literal["procedure"] = "procedure"
    steps: tuple[ProcedureStep, ...] = ()
    """Values with names and what must hold, in the order of evaluation."""
    effects: "tuple[Effect, ...]" = ()
    returns: "Expr"


class Constant(Node):
    """A tool that always answers the same."""

    op: Literal["constant"] = "constant"
    value: Any
    """Any JSON value."""


class Recorded(Node):
    """A tool that answers from its tape in `cassettes.json`, and nothing that is not on it."""

    op: Literal["recorded"] = "recorded"
    tape: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    """Digest of the tape."""
