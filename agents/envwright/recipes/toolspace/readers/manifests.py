"""Tool manifests: sources, or elements of them, that declare tools and record no calls."""

from typing import ClassVar

from envwright.events.canonical import Json
from envwright.recipes.toolspace.calls import Manifest, Trace
from envwright.recipes.toolspace.readers.declarations import (
    ToolLists,
    declared_in,
    is_declaration,
    service_of,
)
from envwright.recipes.toolspace.readers.documents import Element
from envwright.recipes.toolspace.readers.skips import Skips


class ManifestReader:
    """Collects declarations, alone or in lists."""

    format: ClassVar[str] = "manifest"

    def __init__(self, skips: Skips) -> None:
        self._lists = ToolLists(skips)
        self._alone: list[Json] = []
        self._place = ""

    @staticmethod
    def recognises(value: Json) -> bool:
        """Say whether an element declares tools."""
        return is_declaration(value) or any(map(is_declaration, declared_in(value)))

    def take(self, element: Element) -> None:
        """Take a declaration, or a list of them."""
        if is_declaration(element.value):
            self._alone.append(element.value)
            self._place = self._place or element.place
        else:
            self._lists.add(element.place, service_of(element.value), declared_in(element.value))

    def traces(self) -> tuple[Trace, ...]:
        """Return nothing: a manifest records no calls."""
        return ()

    def manifests(self) -> tuple[Manifest, ...]:
        """Return the manifests."""
        if self._alone:
            self._lists.add(self._place, "", self._alone)
        return self._lists.manifests()
