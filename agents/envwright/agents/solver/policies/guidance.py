"""Guidance: what was mined from the sources of a task, as it bears on the tools of the task."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Literal

from pydantic import BaseModel, ConfigDict

from envwright.agents.solver.policies.parameters import Lore, Place
from envwright.agents.solver.policies.vocabulary import GENERIC, stems

Path = tuple[str, ...]

_LEAST_SHARE = 0.25
"""Least support of a place, as a share of that of the argument's best place (ours)."""


class _Mined(BaseModel):
    """A part of what was mined; fields that say nothing here are passed over."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class Transfer(_Mined):
    """A place in results whose values went to a place in arguments."""

    output: Path
    input: Path
    support: int = 1


class Edge(_Mined):
    """That one tool leads to another."""

    kind: str
    source: str
    target: str
    transfers: tuple[Transfer, ...] = ()


class Graph(_Mined):
    """The edges between tools."""

    edges: tuple[Edge, ...] = ()


class Domain(_Mined):
    """Where the values of an argument come from."""

    kind: str
    table: str = ""
    pattern: Path = ()


class MinedTool(_Mined):
    """What calls of a tool do, and what its arguments take."""

    effect: Literal["read", "write", "suspect", "unproven"]
    domains: dict[str, Domain] = {}


class MinedTable(_Mined):
    """A kind of thing: what keys it, which tool reads it, and what fields it has."""

    key: str
    reader: str
    fields: tuple[str, ...] = ()


class Link(_Mined):
    """That a field of one kind of thing holds keys of another."""

    table: str
    pattern: Path
    target: str


class Mined(_Mined):
    """All that a privileged policy is given: structure, and no value of any row."""

    graph: Graph
    tools: dict[str, MinedTool] = {}
    """By tool key, `namespace.tool`."""
    tables: dict[str, MinedTable] = {}
    links: tuple[Link, ...] = ()


class Guidance:
    """What was mined, under the bare names that the tools of one task have."""

    def __init__(self, mined: Mined, names: Iterable[str]) -> None:
        self._mined = mined
        self._keys = _keys(mined.tools, names)
        self._names = {key: name for name, key in self._keys.items()}

    @cached_property
    def lore(self) -> Lore:
        """What is known of the tools beyond their schemas."""
        used = {edge.source for edge in self._mined.graph.edges if edge.kind == "data"}
        used |= {edge.target for edge in self._mined.graph.edges if edge.kind == "data"}
        used |= {table.reader for table in self._mined.tables.values()}
        effects = {name: self._mined.tools[key].effect for name, key in self._keys.items()}
        unproven = {name for name, effect in effects.items() if effect == "unproven"}
        inert = {name for name in unproven if self._keys[name] not in used}
        return Lore(
            reads={
                name: effect in ("read", "unproven")
                for name, effect in effects.items()
                if effect != "unproven" or self._keys[name] in used
            },
            origins=self._origins(),
            inert=frozenset(inert),
        )

    def table_of(self, tool: str, argument: str) -> str | None:
        """Return the table whose keys an argument takes."""
        key = self._keys.get(tool)
        known = self._mined.tools[key].domains.get(argument) if key else None
        if known is not None:
            return known.table if known.kind in ("target", "key") else None
        return next(
            (
                name
                for name, table in sorted(self._mined.tables.items())
                if (table.reader, table.key) == (key, argument)
            ),
            None,
        )

    def readers(self, said: frozenset[str]) -> frozenset[str]:
        """Return the tools that read the things that are named by some of the stems."""
        found = (
            self._names.get(table.reader)
            for table in self._mined.tables.values()
            if self._noun(table) & said
        )
        return frozenset(name for name in found if name)

    def readers_of(self, wanted: frozenset[str]) -> frozenset[str]:
        """Return the tools that read things with a field of which all words are wanted."""
        found = (
            self._names.get(table.reader)
            for table in self._mined.tables.values()
            if any(frozenset(stems(field)) <= wanted for field in table.fields if stems(field))
        )
        return frozenset(name for name in found if name)

    def reader(self, table: str) -> str | None:
        """Return the tool that reads a table."""
        known = self._mined.tables.get(table)
        return self._names.get(known.reader) if known else None

    @staticmethod
    def _noun(table: MinedTable) -> frozenset[str]:
        return frozenset(stems(table.key)) - GENERIC

    def _origins(self) -> dict[tuple[str, str], frozenset[Place]]:
        carried = self._carried()
        arguments = set(carried)
        for name, key in self._keys.items():
            arguments |= {(name, argument) for argument in self._mined.tools[key].domains}
        for table in self._mined.tables.values():
            if table.reader in self._names:
                arguments.add((self._names[table.reader], table.key))
        keyed = self._keyed(carried)
        found = {}
        for tool, argument in sorted(arguments):
            places = frozenset(self._places(tool, argument, carried, keyed))
            if places:
                found[tool, argument] = places
        return found

    def _places(
        self,
        tool: str,
        argument: str,
        carried: Mapping[tuple[str, str], Mapping[Place, int]],
        keyed: Mapping[str, frozenset[Place]],
    ) -> Iterator[Place]:
        domain = self._mined.tools[self._keys[tool]].domains.get(argument)
        if domain is not None and domain.kind in ("fresh", "choice", "free"):
            return
        if domain is not None and domain.kind == "member":
            reader = self.reader(domain.table)
            if reader is not None:
                yield Place(reader, domain.pattern)
        yield from keyed.get(self.table_of(tool, argument) or "", ())
        support = carried.get((tool, argument), {})
        least = _LEAST_SHARE * max(support.values(), default=0)
        yield from (place for place in support if support[place] >= least)

    def _keyed(
        self, carried: Mapping[tuple[str, str], Mapping[Place, int]]
    ) -> dict[str, frozenset[Place]]:
        """Return the places of each table's keys: what one of its arguments takes, all may take."""
        found: dict[str, set[Place]] = defaultdict(set)
        for name, table in self._mined.tables.items():
            if table.reader in self._names:
                found[name].add(Place(self._names[table.reader], (table.key,)))
        for link in self._mined.links:
            reader = self.reader(link.table)
            if reader is not None:
                found[link.target].add(Place(reader, link.pattern))
        for (tool, argument), support in carried.items():
            table_name = self.table_of(tool, argument)
            if table_name is not None:
                least = _LEAST_SHARE * max(support.values())
                found[table_name] |= {place for place in support if support[place] >= least}
        return {name: frozenset(places) for name, places in found.items()}

    def _carried(self) -> dict[tuple[str, str], Counter[Place]]:
        """Return what the data edges say: the support of each place for each argument."""
        found: dict[tuple[str, str], Counter[Place]] = defaultdict(Counter)
        for edge in self._mined.graph.edges:
            source, target = self._names.get(edge.source), self._names.get(edge.target)
            if edge.kind != "data" or source is None or target is None:
                continue
            for transfer in edge.transfers:
                argument = next((step for step in reversed(transfer.input) if step != "*"), "")
                found[target, argument][Place(source, transfer.output)] += transfer.support
        return found


def _keys(mined: Mapping[str, MinedTool], names: Iterable[str]) -> dict[str, str]:
    """Return the tool key of each name, of the namespace that knows most of the names.

    A name that tools of two namespaces have is told with its namespace before it.
    """
    wanted = set(names)
    offered: dict[str, list[str]] = {}
    for key in mined:
        namespace, _, name = key.partition(".")
        offered[key] = sorted({name, f"{namespace}__{name}"} & wanted)
    known = Counter(key.partition(".")[0] for key, found in offered.items() if found)
    keys: dict[str, str] = {}
    for key in sorted(mined, key=lambda key: (-known[key.partition(".")[0]], key)):
        for name in offered[key]:
            keys.setdefault(name, key)
    return keys
