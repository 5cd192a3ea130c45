"""The port of the readers: how one format is recognised and read."""

from collections.abc import Callable
from typing import ClassVar, Protocol

from envwright.events.canonical import Json
from envwright.recipes.toolspace.calls import Manifest, Trace
from envwright.recipes.toolspace.readers.documents import Element
from envwright.recipes.toolspace.readers.skips import Skips


class Reader(Protocol):
    """Reads the elements of one format in one source; what it cannot use it adds to the skips."""

    format: ClassVar[str]
    """The format's name, for people."""

    @staticmethod
    def recognises(value: Json) -> bool:
        """Say whether an element is of this format."""

    def take(self, element: Element) -> None:
        """Read an element that is of this format; never raises."""

    def traces(self) -> tuple[Trace, ...]:
        """Return the traces, when all elements were taken."""

    def manifests(self) -> tuple[Manifest, ...]:
        """Return the manifests, when all elements were taken."""


Opens = Callable[[Skips], Reader]
"""Opens a reader for one source."""
