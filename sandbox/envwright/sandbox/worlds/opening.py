"""Opening of worlds: from the files of an environment to a running instance, by kind."""

import json
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import replace
from threading import Lock
from typing import Annotated, Any, Generic, TypeVar

from pydantic import StringConstraints, TypeAdapter, ValidationError

from envwright.events.canonical import Json, digest, digest_bytes
from envwright.events.errors import BadInputError, CanonicalError
from envwright.events.values import ToolSchema, Value
from envwright.sandbox.worlds.arguments import ArgumentContract
from envwright.sandbox.worlds.cassettes import (
    CASSETTES,
    ReplayMismatchError,
    Tape,
    check_tape,
)
from envwright.sandbox.worlds.circumstances import Limits, WorldFile
from envwright.sandbox.worlds.json_values import canonical, exceeds_bounds
from envwright.sandbox.worlds.programs import (
    Argument,
    Program,
    Recorded,
    expressions,
    tables_read,
    tables_written,
)
from envwright.sandbox.worlds.rows import BaseTables
from envwright.sandbox.worlds.tables import TableDesign, TableWorld, Tool
from envwright.sandbox.worlds.world import World

Made = TypeVar("Made")

_KEPT = 32
"""Designs and base tables kept for the next instance: a few runs' worth, bounded in memory."""


class TableFile(Value):
    """A table in `tables.json`."""

    key: Annotated[str, StringConstraints(min_length=1)]
    """Name of the field or argument that holds a row's key; for people and recipes."""
    rows: dict[str, dict[str, Any]]


TABLES_FILE: TypeAdapter[dict[str, TableFile]] = TypeAdapter(dict[str, TableFile])
PROGRAMS_FILE: TypeAdapter[dict[str, Program]] = TypeAdapter(dict[str, Program])
CASSETTES_FILE: TypeAdapter[dict[str, dict[str, Any]]] = TypeAdapter(dict[str, dict[str, Any]])
WORLD_FILE: TypeAdapter[WorldFile] = TypeAdapter(WorldFile)


def open_world(kind: str, tools: tuple[ToolSchema, ...], files: Mapping[str, bytes]) -> World:
    """Open a world of a kind from its files (names as they are under `environment/`).

    Raises:
        BadInputError: naming the file and the place that cannot be used.
    """
    opener = _KINDS.get(kind)
    if opener is None:
        raise BadInputError(f"unknown kind of world {kind!r}; the kinds are {', '.join(_KINDS)}")
    return opener(tuple(tools), files)


class ContentCache(Generic[Made]):
    """What was made from some content, kept by the content's digest; the least used goes first."""

    def __init__(self, kept: int) -> None:
        self._kept = kept
        self._made: OrderedDict[str, Made] = OrderedDict()
        self._lock = Lock()

    def get(self, content: str, make: Callable[[], Made]) -> Made:
        """Return what `make` made of the content, now or before."""
        with self._lock:
            if content not in self._made:
                self._made[content] = make()
                while len(self._made) > self._kept:
                    self._made.popitem(last=False)
            self._made.move_to_end(content)
            return self._made[content]


_designs: ContentCache[TableDesign] = ContentCache(_KEPT)
_bases: ContentCache[BaseTables] = ContentCache(_KEPT)


def _open_tables(tools: tuple[ToolSchema, ...], files: Mapping[str, bytes]) -> World:
    names = ("tables.json", "programs.json", "world.json")
    for name in names:
        if name not in files:
            raise BadInputError(
                f"environment/{name} is missing; a table world needs {', '.join(names)}"
            )
    # Instances share the design: nobody outside may hold a part of it.
    schemas = tuple(tool.model_copy(deep=True) for tool in tools)
    try:
        listed = digest([tool.model_dump() for tool in schemas])
    except CanonicalError as error:
        raise BadInputError(f"the tools are no JSON: {error}") from error
    present = [name for name in (*names, CASSETTES) if name in files]
    content = digest([listed, *(digest_bytes(files[name]) for name in present)])
    return TableWorld(_designs.get(content, lambda: _design(schemas, files)))


def _design(tools: tuple[ToolSchema, ...], files: Mapping[str, bytes]) -> TableDesign:
    data = files["tables.json"]
    tables = _bases.get(digest_bytes(data), lambda: _read_tables(data))
    programs = _read("programs.json", files["programs.json"], PROGRAMS_FILE)
    world = _read("world.json", files["world.json"], WORLD_FILE)
    tapes = _read_tapes(files.get(CASSETTES, b"{}"))
    by_name = _by_name(tools, programs)
    for name in sorted(world.faults.keys() - by_name.keys()):
        known = ", ".join(sorted(by_name)) or "none"
        raise BadInputError(
            f"environment/world.json: a fault of {name!r}, which is no tool; the tools: {known}"
        )
    ready = {
        name: _taped(_tool(by_name[name], programs[name], tables, world.limits), tapes)
        for name in sorted(by_name)
    }
    return TableDesign(
        tables=tables, tools=ready, circumstances=world.circumstances(), limits=world.limits
    )


def _read_tables(data: bytes) -> BaseTables:
    tables = _read("tables.json", data, TABLES_FILE)
    for name, table in tables.items():
        for key, row in table.rows.items():
            excess = exceeds_bounds(row)
            if excess:
                raise BadInputError(f"environment/tables.json: {name}.rows.{key} {excess}")
    return BaseTables({name: table.rows for name, table in tables.items()})


def _by_name(
    tools: tuple[ToolSchema, ...], programs: Mapping[str, Program]
) -> dict[str, ToolSchema]:
    by_name = {tool.name: tool for tool in tools}
    if len(by_name) < len(tools):
        raise BadInputError("two tools have one name; every tool needs a name of its own")
    for name in sorted(by_name.keys() ^ programs.keys()):
        lack = "has no program in" if name in by_name else "is no tool of the package but stands in"
        raise BadInputError(f"{name} {lack} environment/programs.json; each tool has one program")
    return by_name


def _tool(schema: ToolSchema, program: Program, tables: BaseTables, limits: Limits) -> Tool:
    contract = ArgumentContract(schema, limits.text)
    place = f"environment/programs.json: {schema.name}"
    for table in sorted(tables_read(program) | tables_written(program)):
        if table not in tables.tables:
            known = ", ".join(tables.tables) or "none"
            raise BadInputError(f"{place}: there is no table {table!r}; the tables: {known}")
    for slot, expr in expressions(program):
        if isinstance(expr, Argument) and not contract.may_take(str(expr.path[0])):
            known = ", ".join(contract.names) or "none"
            raise BadInputError(
                f"{place}.{slot}: the tool declares no argument {expr.path[0]!r}; it has: {known}"
            )
    return Tool(schema=schema, contract=contract, program=program)


def _read_tapes(data: bytes) -> dict[str, dict[str, Any]]:
    try:
        return _read(CASSETTES, data, CASSETTES_FILE)
    except BadInputError as error:
        # Whatever stands there, it is not what was recorded.
        raise ReplayMismatchError(str(error)) from error


def _taped(tool: Tool, tapes: Mapping[str, Tape]) -> Tool:
    if not isinstance(tool.program, Recorded):
        return tool
    return replace(tool, tape=check_tape(tool.schema.name, tapes, tool.program.tape))


def _read(name: str, data: bytes, adapter: TypeAdapter[Made]) -> Made:
    place = f"environment/{name}"
    try:
        content = canonical(json.loads(data.decode("utf-8"), object_pairs_hook=_no_twins))
        return adapter.validate_python(content)
    except UnicodeDecodeError as error:
        raise BadInputError(
            f"{place}: byte {error.start} is not UTF-8; save it as UTF-8"
        ) from error
    except json.JSONDecodeError as error:
        where = f"line {error.lineno} column {error.colno}"
        raise BadInputError(f"{place}: {where}: {error.msg}; it must be JSON") from error
    except RecursionError as error:
        raise BadInputError(f"{place}: nested too deep to be read") from error
    except ValidationError as error:
        raise BadInputError(f"{place}: {_first(error)}") from error
    except (CanonicalError, ValueError) as error:
        raise BadInputError(f"{place}: {error!s:.200}") from error


def _no_twins(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    result: dict[str, Json] = {}
    for key, value in pairs:
        if key in result:
            raise ValueError(f"an object has the key {key!r:.80} twice")
        result[key] = value
    return result


def _first(error: ValidationError) -> str:
    first = error.errors(include_url=False)[0]
    return f"{'.'.join(map(str, first['loc']))}: {first['msg']}"


_KINDS: dict[str, Callable[[tuple[ToolSchema, ...], Mapping[str, bytes]], World]] = {
    TableWorld.kind: _open_tables,
}
