"""Knowledge: the profile as a walk asks it, with the world of all mined rows to walk in."""

import json
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from functools import cached_property
from threading import Lock
from typing import NamedTuple

from envwright.events.canonical import Json
from envwright.events.values import ToolSchema
from envwright.recipes.toolspace.induction.fidelity import WORLD_FILE
from envwright.recipes.toolspace.mining.entries import Entry
from envwright.recipes.toolspace.mining.links import Link
from envwright.recipes.toolspace.mining.namespaces import split_key
from envwright.recipes.toolspace.profile import (
    Profile,
    TableProfile,
    ToolProfile,
    read_profile,
    tape_of,
)
from envwright.recipes.toolspace.values import (
    Leaf,
    Path,
    Pattern,
    canonical_bytes,
    is_key_value,
    key_text,
    leaves,
    leaves_at,
)
from envwright.recipes.toolspace.walks.variety import Variety
from envwright.sandbox.worlds import (
    CASSETTES,
    Fault,
    Lookup,
    Recorded,
    World,
    open_world,
    tables_written,
    tape_digest,
)

_KEPT = 4

_NO_FAULTS: Mapping[str, Fault] = {}

Rows = dict[str, dict[str, dict[str, Json]]]
"""Rows by table and key."""


class Hop(NamedTuple):
    """A row that a field of another row leads to."""

    link: Link
    path: Path
    """The place of the key in the row that leads on."""
    key: str


class Knowledge:
    """What a walk can ask about the mined tools and rows."""

    def __init__(self, profile: Profile) -> None:
        self.profile = profile
        self.namespaces = sorted({split_key(t)[0] for t, p in profile.tools.items() if p.grounded})
        self._maps = {name: frozenset(t.maps) for name, t in profile.tables.items()}
        self.variety = Variety(profile)

    def tool(self, key: str) -> ToolProfile:
        """Return a tool's profile."""
        return self.profile.tools[key]

    def table(self, name: str) -> TableProfile:
        """Return a table's profile."""
        return self.profile.tables[name]

    def row(self, table: str, key: str) -> dict[str, Json] | None:
        """Return a row as it is before anything is written."""
        return self.profile.tables[table].rows.get(key)

    def maps(self, table: str) -> frozenset[Pattern]:
        """Return where rows of a table hold objects that go by id."""
        return self._maps[table]

    def leaves(self, table: str, row: Json) -> Iterator[Leaf]:
        """Yield the scalars of a row of a table."""
        return leaves(row, self._maps[table])

    def leaves_at(self, table: str, row: Json, path: Path) -> list[Leaf]:
        """Return the scalars of a row of a table at a path, or inside what is there."""
        return list(leaves_at(row, path, self._maps[table]))

    def links_from(self, table: str) -> list[Link]:
        """Return the links that rows of a table have, sorted."""
        return [link for link in self.profile.links if link.table == table]

    def hops(self, link: Link, row: Json) -> list[Hop]:
        """Return where a row leads over a link, each key once; the rows may be unknown."""
        found: dict[str, Hop] = {}
        for leaf in self.leaves(link.table, row):
            if leaf.pattern == link.pattern and is_key_value(leaf.value):
                key = key_text(leaf.value)
                found.setdefault(key, Hop(link, leaf.path, key))
        return list(found.values())

    @cached_property
    def writes(self) -> list[str]:
        """The grounded tools that write, sorted."""
        programs = {t: p.program for t, p in self.profile.tools.items() if p.grounded}
        return sorted(t for t, program in programs.items() if program and tables_written(program))

    def written_table(self, tool: str) -> str:
        """Return the table of the row that a tool changes; empty if it names none."""
        domains = self.tool(tool).domains.values()
        return next((domain.table for domain in domains if domain.kind == "target"), "")

    @cached_property
    def questions(self) -> dict[str, str]:
        """The tools that read whole rows, each with the table that questions are about."""
        readers = {name: self.reads(name) for name in sorted(self.profile.tables)}
        return {reader: name for name, reader in readers.items() if reader is not None}

    @cached_property
    def recorded(self) -> list[str]:
        """The stateless tools whose recorded answers are worth a question, sorted."""
        taped = [t for t, p in self.profile.tools.items() if p.grounded and p.recordings]
        return sorted(tool for tool in taped if self.variety.answers(tool))

    @cached_property
    def retried(self) -> dict[str, str]:
        """The grounded tools that the log shows to be called again, each with a passing error."""
        return {t: error for t, error in self.profile.retried.items() if self.tool(t).grounded}

    @cached_property
    def goals(self) -> list[str]:
        """The tools that an ask can be about: those that write, read rows, or are recorded."""
        return sorted({*self.writes, *self.questions, *self.recorded})

    def key_arguments(self, tool: str) -> dict[str, str]:
        """Return the arguments of a tool that hold keys, with the tables: their domains."""
        if tool in self.questions:
            return {self.reader_argument(self.questions[tool]): self.questions[tool]}
        domains = self.tool(tool).domains
        return {name: d.table for name, d in domains.items() if d.kind in ("target", "key")}

    def table_of(self, tool: str) -> str:
        """Return the table that an ask about a tool is about; empty where it is about none."""
        if tool in self.questions:
            return self.questions[tool]
        program = self.tool(tool).program
        assert program is not None
        return self.written_table(tool) or min(tables_written(program), default="")

    def entries(self) -> list[Entry]:
        """Return the ways to a first row that an environment can offer."""
        return [
            e for e in self.profile.entries if self.tool(e.tool).grounded and self.reads(e.table)
        ]

    @cached_property
    def reach(self) -> dict[str, frozenset[str]]:
        """Which tables links lead to from each table, at any distance, itself included."""
        found = {name: {name} for name in self.profile.tables if self.reads(name)}
        for _ in found:
            for link in self.profile.links:
                for tables in found.values():
                    if link.table in tables and link.target in found:
                        tables.add(link.target)
        return {name: frozenset(tables) for name, tables in found.items()}

    def reads(self, table: str) -> str | None:
        """Return the grounded tool that reads whole rows of a table by key alone."""
        reader = self.table(table).reader
        profile = self.tool(reader)
        return reader if profile.grounded and isinstance(profile.program, Lookup) else None

    def reader_argument(self, table: str) -> str:
        """Return the argument that the table's reader takes the key in."""
        program = self.tool(self.table(table).reader).program
        assert isinstance(program, Lookup)
        return str(getattr(program.key, "path", ("",))[0])

    def key_value(self, table: str, key: str) -> Json:
        """Return a key as the table's reader takes it."""
        return self.typed_key(self.table(table).reader, self.reader_argument(table), key)

    def typed_key(self, tool: str, argument: str, key: str) -> Json:
        """Return a key as a tool takes it in an argument: some tools take numbers."""
        properties = self.tool(tool).schema_.parameters.get("properties", {})
        numeric = properties.get(argument, {}).get("type") in ("integer", "number")
        return int(key) if numeric and key.lstrip("-").isdigit() else key

    def argument_schemas(self, table: str) -> dict[str, ToolSchema]:
        """Return the arguments of tools beside a table, each with the first tool that has it."""
        found: dict[str, ToolSchema] = {}
        for tool in sorted(self.profile.tools):
            if split_key(tool)[0] == self.table(table).namespace:
                schema = self.tool(tool).schema_
                for name in schema.parameters.get("properties", {}):
                    found.setdefault(name, schema)
        return found

    @cached_property
    def names(self) -> dict[str, str]:
        """The name of each grounded tool in an environment: bare, unless two would be one."""
        grounded = [t for t in sorted(self.profile.tools) if self.profile.tools[t].grounded]
        bare = [split_key(tool)[1] for tool in grounded]
        return {
            tool: name if bare.count(name) == 1 else "__".join(split_key(tool))
            for tool, name in zip(grounded, bare, strict=True)
        }

    def schemas(self, namespaces: list[str]) -> tuple[ToolSchema, ...]:
        """Return the tools of the namespaces as a solver sees them, sorted by name."""
        tools = [
            self.tool(tool).schema_.model_copy(update={"name": name})
            for tool, name in self.names.items()
            if split_key(tool)[0] in namespaces
        ]
        return tuple(sorted(tools, key=lambda tool: tool.name))

    def files(
        self, namespaces: list[str], rows: Rows, faults: Mapping[str, Fault] = _NO_FAULTS
    ) -> dict[str, bytes]:
        """Return the files of a table world that holds these rows and the namespaces' tools."""
        tables = {
            name: {"key": table.key, "rows": rows.get(name, {})}
            for name, table in self.profile.tables.items()
            if table.namespace in namespaces
        }
        programs: dict[str, Json] = {}
        tapes: dict[str, Json] = {}
        for tool, name in self.names.items():
            program = self.tool(tool).program
            if split_key(tool)[0] not in namespaces or program is None:
                continue
            if isinstance(program, Recorded):
                tapes[name] = tape_of(name, self.tool(tool).recordings)
                program = Recorded(tape=tape_digest(tapes[name]))
            programs[name] = program.model_dump(mode="json")
        files = {
            "tables.json": canonical_bytes(tables),
            "programs.json": canonical_bytes(programs),
            "world.json": _world_file(faults),
        }
        return {**files, CASSETTES: canonical_bytes(tapes)} if tapes else files

    @cached_property
    def sizes(self) -> dict[tuple[str, str], int]:
        """The bytes that each row takes, by table and key."""
        return {
            (name, key): len(canonical_bytes(row))
            for name, table in self.profile.tables.items()
            for key, row in table.rows.items()
        }

    def open(self) -> World:
        """Open a world that holds all mined rows and all grounded tools."""
        return open_world("tables", self.schemas(self.namespaces), self._all_files)

    @cached_property
    def _all_files(self) -> dict[str, bytes]:
        rows = {name: table.rows for name, table in self.profile.tables.items()}
        return self.files(self.namespaces, rows)


def _world_file(faults: Mapping[str, Fault]) -> bytes:
    if not faults:
        return WORLD_FILE
    struck = {name: faults[name].model_dump(mode="json") for name in sorted(faults)}
    return canonical_bytes({**json.loads(WORLD_FILE), "faults": struck})


_known: OrderedDict[str, Knowledge] = OrderedDict()
_lock = Lock()


def knowledge_of(profile: Json) -> Knowledge:
    """Return the knowledge in a profile; the last few are kept, for all slots of a run use one."""
    with _lock:
        key = profile["digest"]
        if key not in _known:
            _known[key] = Knowledge(read_profile(profile))
            while len(_known) > _KEPT:
                _known.popitem(last=False)
        _known.move_to_end(key)
        return _known[key]
