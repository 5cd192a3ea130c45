"""The story of a task: the rows it is about, how each is told, and what is asked, in order."""

from typing import Literal

from envwright.events.canonical import Json
from envwright.events.values import ToolCall, Value
from envwright.recipes.toolspace.mining.entries import Entry
from envwright.recipes.toolspace.values import Path
from envwright.recipes.toolspace.walks.traits import Trait


class Place(Value):
    """A row that the task comes by."""

    table: str
    key: str
    parent: int | None = None
    """The place whose row leads here; None for the first."""
    path: Path = ()
    """Where in the parent's row the key stands."""
    only: bool = True
    """Whether the parent leads to no other row this way."""
    traits: tuple[Trait, ...] = ()
    """What tells the row from its siblings."""
    inside: Path | None = None
    """The element of the parent's row that the traits are of; None: they are of the row itself."""


class Member(Value):
    """A value that is taken out of a row, and what tells it from the others there."""

    value: Json
    path: Path
    traits: tuple[Trait, ...] = ()
    only: bool = True


class Bound(Value):
    """An argument of a write and where its value comes from."""

    argument: str
    kind: Literal["target", "fresh", "key", "choice", "member", "free"]
    value: Json
    place: int | None = None
    """The place whose key it is, or whose row holds the members."""
    members: tuple[Member, ...] = ()


class Request(Value):
    """A write that the user asks for."""

    tool: str
    place: int | None
    """The place of the row that is changed; None where one is added."""
    bound: tuple[Bound, ...]


class Question(Value):
    """A value that the user wants to know."""

    place: int
    path: Path
    value: Json
    traits: tuple[Trait, ...] = ()
    """What tells the element of the row that holds the value from its like."""


class Inquiry(Value):
    """A value of the answer of a stateless tool, which was recorded."""

    tool: str
    call: ToolCall
    """The call that gives the answer, as the reference makes it."""
    bound: tuple[Bound, ...]
    """Its arguments: said by the user, or a field of a row."""
    path: Path
    """Where in the answer the value stands."""
    value: Json
    traits: tuple[Trait, ...] = ()
    """What tells the entry of the answer that holds the value from its like."""


Ask = Request | Question | Inquiry
"""One thing that the user wants."""


class Story(Value):
    """A whole task: how it starts, the rows, the calls that solve it, and what is asked."""

    entry: Entry
    given: dict[str, Json]
    """What the user knows: the arguments of the first call."""
    places: tuple[Place, ...]
    calls: tuple[ToolCall, ...]
    """The reference, under the names that tools have in an environment."""
    asks: tuple[Ask, ...] = ()
    """What the user wants, in the order in which it is asked."""

    @property
    def requests(self) -> tuple[Request, ...]:
        """The writes that the user asks for."""
        return tuple(ask for ask in self.asks if isinstance(ask, Request))

    @property
    def inquiries(self) -> tuple[Inquiry, ...]:
        """The recorded answers of which the user wants to know a value."""
        return tuple(ask for ask in self.asks if isinstance(ask, Inquiry))

    @property
    def questions(self) -> tuple[Question | Inquiry, ...]:
        """The values that the user wants to know."""
        return tuple(ask for ask in self.asks if isinstance(ask, Question | Inquiry))
