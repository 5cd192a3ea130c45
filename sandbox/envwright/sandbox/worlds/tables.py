"""The table world: tools as programs over shared base tables and one instance's changes."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from envwright.events.canonical import Json, digest, encode
from envwright.events.errors import BadInputError, CanonicalError, InfrastructureError
from envwright.events.values import ToolSchema, Value
from envwright.sandbox.worlds.arguments import ArgumentContract
from envwright.sandbox.worlds.cassettes import Tape, play
from envwright.sandbox.worlds.circumstances import Circumstances, Limits
from envwright.sandbox.worlds.interpreter import Transaction, execute
from envwright.sandbox.worlds.json_values import canonical, copied
from envwright.sandbox.worlds.programs import Program
from envwright.sandbox.worlds.refusal import Refusal
from envwright.sandbox.worlds.rows import BaseTables, Table
from envwright.sandbox.worlds.world import CallResult, Footprint


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool ready to be called: what solvers see, what it takes, what it does."""

    schema: ToolSchema
    contract: ArgumentContract
    program: Program
    tape: Tape | None = None
    """What a `recorded` program answers with."""


@dataclass(frozen=True, slots=True)
class TableDesign:
    """Everything that all instances of one table world share; nobody changes it."""

    tables: BaseTables
    tools: Mapping[str, Tool]
    circumstances: Circumstances
    limits: Limits


class Snapshot(Value):
    """The form of a snapshot: what an instance wrote, over the base that it names."""

    schema_version: Literal[1] = 1
    kind: Literal["tables"] = "tables"
    base: str
    """Digest of the base tables."""
    seed: int
    circumstances: Circumstances
    written: dict[str, dict[str, dict[str, Any] | None]]
    """Rows that differ from the base or may, by table and key; null for a row that was removed."""


class TableWorld:
    """A running table world; opens at seed 0."""

    kind = "tables"

    def __init__(self, design: TableDesign) -> None:
        self._design = design
        self._closed = False
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Go to the first state for `seed`."""
        self._check_open()
        self._seed = seed
        self._circumstances = self._design.circumstances
        self._tables = _fresh(self._design.tables)

    def tools(self) -> tuple[ToolSchema, ...]:
        """Return copies of the tools, sorted by name."""
        self._check_open()
        return tuple(tool.schema.model_copy(deep=True) for tool in self._design.tools.values())

    def call(self, name: str, arguments: dict[str, Any]) -> CallResult:
        """Call a tool; what it returns shares nothing with the state.

        Raises:
            InfrastructureError: the world is closed.
        """
        self._check_open()
        try:
            tool = self._tool(name)
            admitted = tool.contract.admit(arguments)
            transaction = Transaction(self._tables, self._circumstances, self._design.limits)
            if tool.tape is None:
                value = copied(execute(tool.program, admitted, transaction))
            else:
                value = copied(play(name, tool.tape, admitted))
        except Refusal as refusal:
            return CallResult(ok=False, value=str(refusal))
        error = self._strike(name)
        if error is not None:
            return CallResult(ok=False, value=error, transient=True)
        reads = tuple([Footprint(kind=table, key=key) for table, key in transaction.reads])
        if not transaction.staged and not transaction.numbers:
            return CallResult(ok=True, value=value, reads=reads)
        return CallResult(ok=True, value=value, reads=reads, writes=self._commit(transaction))

    def digest(self) -> str:
        """Return the digest of the whole state; costs what changed since the last one."""
        self._check_open()
        tables = {name: f"{table.total():x}" for name, table in self._tables.items()}
        return digest({"tables": tables, **self._besides_tables()})

    def state(self) -> Json:
        """Return a copy of the whole state as JSON."""
        self._check_open()
        tables = {name: copied(table.rows()) for name, table in self._tables.items()}
        return {"tables": tables, **self._besides_tables()}

    def snapshot(self) -> bytes:
        """Return what this instance wrote, in a form that any instance of this world restores."""
        self._check_open()
        written = {name: table.written for name, table in self._tables.items() if table.written}
        snapshot = Snapshot(
            base=self._design.tables.digest,
            seed=self._seed,
            circumstances=self._circumstances,
            written=written,
        )
        return encode(snapshot.model_dump())

    def restore(self, snapshot: bytes) -> None:
        """Go back to a snapshot exactly.

        Raises:
            BadInputError: the bytes are no snapshot of this world.
        """
        self._check_open()
        try:
            restored = Snapshot.model_validate(canonical(json.loads(snapshot)), strict=True)
        except (CanonicalError, ValueError, RecursionError) as error:
            raise BadInputError(f"no snapshot of a table world: {error!s:.200}") from error
        self._check_base(restored)
        tables = _fresh(self._design.tables)
        for name, rows in restored.written.items():
            for key, row in rows.items():
                tables[name].put(key, row)
        self._seed, self._circumstances = restored.seed, restored.circumstances
        self._tables = tables

    def close(self) -> None:
        """Drop the state; any further use is an InfrastructureError."""
        self._closed = True
        self._tables = {}

    def _tool(self, name: str) -> Tool:
        tool = self._design.tools.get(name) if isinstance(name, str) else None
        if tool is None:
            asked = repr(name) if isinstance(name, str) else f"with a {type(name).__name__} as name"
            known = ", ".join(self._design.tools)
            raise Refusal(f"Error: there is no tool {asked:.80}; the tools are {known:.500}")
        return tool

    def _strike(self, name: str) -> str | None:
        """Let the next fault of a tool strike a call that would succeed; return its error."""
        fault = self._circumstances.faults.get(name)
        if fault is None:
            return None
        error, left = fault.struck()
        faults = {tool: one for tool, one in self._circumstances.faults.items() if tool != name}
        faults |= {} if left is None else {name: left}
        self._circumstances = self._circumstances.model_copy(update={"faults": faults})
        return error

    def _commit(self, transaction: Transaction) -> tuple[Footprint, ...]:
        for (table, key), row in transaction.staged.items():
            self._tables[table].put(key, row)
        footprints = [Footprint(kind=table, key=key) for table, key in transaction.staged]
        if transaction.numbers:
            counters = {**self._circumstances.counters, **transaction.numbers}
            self._circumstances = self._circumstances.model_copy(update={"counters": counters})
            footprints += [Footprint(kind="counter", key=name) for name in transaction.numbers]
        return tuple(footprints)

    def _besides_tables(self) -> dict[str, Json]:
        return {"seed": self._seed, **self._circumstances.model_dump()}

    def _check_base(self, snapshot: Snapshot) -> None:
        mine = self._design.tables
        if snapshot.base != mine.digest or not snapshot.written.keys() <= mine.tables.keys():
            raise BadInputError(
                f"the snapshot is of other tables ({snapshot.base:.12}…, not {mine.digest:.12}…); "
                f"restore it in a world opened from the same files"
            )

    def _check_open(self) -> None:
        if self._closed:
            raise InfrastructureError("this world is closed; open another with open_world")


def _fresh(base: BaseTables) -> dict[str, Table]:
    return {name: Table(table) for name, table in base.tables.items()}
