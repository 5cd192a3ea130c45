"""What every part of a program declares: what it takes, gives, needs, offers and binds.

The declarations are data on the class, so that a program is checked before any call is made and a
search over programs can compose parts by their contracts alone.
"""

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal, NamedTuple, Self, TypeAlias, cast

from pydantic import Field, StrictInt, StrictStr, StringConstraints, model_validator

from envwright.events.canonical import Json
from envwright.events.values import Value

if TYPE_CHECKING:
    from envwright.sandbox.worlds.programs.language import Expr

Step: TypeAlias = StrictStr | Annotated[StrictInt, Field(ge=0)]
"""One step of a path: text names a field of an object, a whole number indexes a list from 0."""

Path: TypeAlias = Annotated[tuple[Step, ...], Field(min_length=1)]
"""Steps from a row, or from the arguments, to a value inside."""

InnerPath: TypeAlias = tuple[Step, ...]
"""Steps to a value inside another; none for the other itself."""

Name: TypeAlias = Annotated[str, StringConstraints(pattern=r"^[a-z_][a-z0-9_]{0,63}$")]
"""The name of a variable."""

Kind: TypeAlias = Literal["any", "null", "boolean", "number", "text", "list", "object"]
"""What sort of JSON value: as JSON Schema has them, with one sort of number."""

Kinds: TypeAlias = tuple[Kind, ...]

ANY: Kinds = ("any",)
BOOLEAN: Kinds = ("boolean",)
LIST: Kinds = ("list",)
NUMBER: Kinds = ("number",)
OBJECT: Kinds = ("object",)
TEXT: Kinds = ("text",)

Need: TypeAlias = Literal["before", "after", "key", "current", "outcome", "counters"]
"""What an expression may need besides the arguments and the tables as they were: the row before,
the row after, its key, the value at the place of an effect, the tables after all effects, or
counters that go on."""

ELEMENT = "element"
"""The name of what the innermost loop is at."""

_NAMES: dict[type, Kind] = {
    type(None): "null",
    bool: "boolean",
    int: "number",
    float: "number",
    str: "text",
    list: "list",
    tuple: "list",
    dict: "object",
}


def kind_of(value: Json) -> Kind:
    """Return the kind of a JSON value."""
    return _NAMES.get(type(value), "any")


class Held(NamedTuple):
    """A part inside another."""

    field: str
    """The field that holds it."""
    place: str
    """The field, with the index or the name where it holds several."""
    node: "Node"


class Node(Value):
    """A part of a program that holds expressions: one itself, an effect, a step or a program."""

    takes: ClassVar[Mapping[str, Kinds]] = {}
    """The fields that hold expressions, in the order of evaluation, and the kinds of value that
    each takes. A field may hold one, several, or parts that hold them."""
    offers: ClassVar[Mapping[str, tuple[Need, ...]]] = {}
    """What exists, besides what existed before, where a field is evaluated."""
    binds: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    """The names that exist where a field is evaluated: `element`, or the field with the name."""
    declares: ClassVar[str] = ""
    """The field with a name that exists in what follows this part."""

    def held(self) -> Iterator[Held]:
        """Yield the parts that this one holds directly, in the order of evaluation."""
        for field in self.takes:
            yield from _held(field, field, getattr(self, field))

    def bound(self, field: str) -> frozenset[str]:
        """Return the names that exist in a field of this part and not around it."""
        names = (b if b == ELEMENT else getattr(self, b) for b in self.binds.get(field, ()))
        return frozenset(name for name in names if name is not None)

    @cached_property
    def size(self) -> int:
        """How many parts this one is made of: the cost of a program, and of one turn of a loop."""
        return 1 + sum(held.node.size for held in self.held())

    @model_validator(mode="after")
    def _kinds_fit(self) -> Self:
        for field, kinds in self.takes.items():
            if kinds == ANY:
                continue
            for held in _held(field, field, getattr(self, field)):
                if isinstance(held.node, Primitive) and not fits(held.node.kind(), kinds):
                    raise ValueError(
                        f"{held.place} takes a {' or '.join(kinds)}, and `{held.node.op}` gives a "
                        f"{held.node.kind()}"
                    )
        return self


class Primitive(Node):
    """An expression: gives one JSON value; a new one is a class and a rule to evaluate it."""

    needs: ClassVar[Need | None] = None
    """What must exist where the expression stands."""
    gives: ClassVar[Kind] = "any"
    """The kind of its value, as far as the class tells."""
    op: str

    def kind(self) -> Kind:
        """Return the kind of its value, as far as it is known before a call."""
        return self.gives

    def parts(self) -> "tuple[Expr, ...]":
        """Return the expressions directly inside this one."""
        return cast("tuple[Expr, ...]", tuple(_expressions(self)))


def fits(kind: Kind, kinds: Kinds) -> bool:
    """Say whether a value of a kind may stand where some kinds are taken."""
    return kind == "any" or kinds == ANY or kind in kinds


def _expressions(node: Node) -> Iterator[Primitive]:
    for held in node.held():
        if isinstance(held.node, Primitive):
            yield held.node
        else:
            yield from _expressions(held.node)


def _held(field: str, place: str, value: object) -> Iterator[Held]:
    if isinstance(value, Node):
        yield Held(field, place, value)
    elif isinstance(value, tuple):
        for index, part in enumerate(value):
            yield from _held(field, f"{place}.{index}", part)
    elif isinstance(value, dict):
        for name, part in value.items():
            yield from _held(field, f"{place}.{name}", part)
