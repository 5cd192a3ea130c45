"""A small package made by hand: a repair desk with two tables, and a task of three calls."""

import json
from collections.abc import Callable
from typing import Any

from envwright.events import digest_bytes
from envwright.events.errors import ArtifactMissingError
from envwright.events.values import ArtifactRef
from envwright.sandbox.packages import Bundle
from envwright.sandbox.verifiers import frame_digest

TEXT = {"type": "string"}

INSTRUCTION = """\
I am Ada Moser from Graz. My ticket T-1002 is settled: note that the printer was repaired.
Then file ticket T-2001 for me; its subject is "scanner jams".
"""

CUSTOMERS: dict[str, Any] = {
    "c-moser-17": {"name": {"first": "Ada", "last": "Moser"}, "city": "Graz", "tier": "gold"},
    "c-novak-04": {"name": {"first": "Jan", "last": "Novak"}, "city": "Linz", "tier": "basic"},
    "c-novak-09": {"name": {"first": "Eva", "last": "Novak"}, "city": "Graz", "tier": "basic"},
}

TICKETS: dict[str, Any] = {
    "T-1001": {"customer": "c-novak-04", "subject": "cracked screen", "status": "open"},
    "T-1002": {"customer": "c-moser-17", "subject": "printer", "status": "open"},
    "T-1003": {"customer": "c-novak-09", "subject": "keyboard", "status": "closed"},
    "T-1004": {"customer": "c-moser-17", "subject": "battery", "status": "open"},
}


def arg(*path: str | int) -> dict[str, Any]:
    """Return the expression that reads an argument."""
    return {"op": "arg", "path": list(path)}


def tool(name: str, **properties: Any) -> dict[str, Any]:
    """Return a tool whose arguments are all required."""
    schema = {
        "type": "object",
        "properties": properties,
        "required": sorted(properties),
        "additionalProperties": False,
    }
    return {"name": name, "description": "", "parameters": schema}


TOOLS = [
    tool("find_customer", first=TEXT, last=TEXT, city=TEXT),
    tool("get_ticket", ticket_id=TEXT),
    tool("close_ticket", ticket_id=TEXT, outcome={"enum": ["repaired", "replaced", "refused"]}),
    tool("file_ticket", ticket_id=TEXT, customer_id=TEXT, subject=TEXT),
]

PROGRAMS: dict[str, Any] = {
    "find_customer": {
        "op": "find",
        "table": "customers",
        "where": [
            {"path": ["name", "first"], "equals": arg("first")},
            {"path": ["name", "last"], "equals": arg("last")},
            {"path": ["city"], "equals": arg("city")},
        ],
        "missing": "Error: no such customer",
        "returns": {"op": "key"},
    },
    "get_ticket": {
        "op": "lookup",
        "table": "tickets",
        "key": arg("ticket_id"),
        "missing": "Error: no such ticket",
        "returns": {"op": "row"},
    },
    "close_ticket": {
        "op": "update",
        "table": "tickets",
        "key": arg("ticket_id"),
        "missing": "Error: no such ticket",
        "guards": [{"path": ["status"], "within": ["open"], "error": "Error: it is not open"}],
        "set": [
            {"path": ["status"], "value": {"op": "const", "value": "closed"}},
            {"path": ["outcome"], "value": arg("outcome")},
        ],
        "append": [],
        "returns": {"op": "row"},
    },
    "file_ticket": {
        "op": "create",
        "table": "tickets",
        "key": arg("ticket_id"),
        "exists": "Error: the ticket exists",
        "row": {
            "op": "object",
            "fields": {
                "customer": arg("customer_id"),
                "subject": arg("subject"),
                "status": {"op": "const", "value": "open"},
            },
        },
        "returns": {"op": "row"},
    },
}

CALLS: list[dict[str, Any]] = [
    {"name": "find_customer", "arguments": {"first": "Ada", "last": "Moser", "city": "Graz"}},
    {"name": "close_ticket", "arguments": {"ticket_id": "T-1002", "outcome": "repaired"}},
    {
        "name": "file_ticket",
        "arguments": {
            "ticket_id": "T-2001",
            "customer_id": "c-moser-17",
            "subject": "scanner jams",
        },
    },
]

FACTS = [
    {
        "id": "customer",
        "value": "c-moser-17",
        "visibility": "hidden",
        "location": "environment/tables.json#/customers",
    },
    {"id": "ticket", "value": "T-1002", "visibility": "prompt", "location": "instruction.md"},
]

NEW_TICKET = {"customer": "c-moser-17", "subject": "scanner jams", "status": "open"}


def equals(name: str, path: list[str], expected: Any) -> dict[str, Any]:
    """Return a state assertion."""
    return {"id": name, "path": ["tables", *path], "op": "eq", "expected": expected, "must": True}


def frame(name: str, table: str, rows: dict[str, Any], *excepted: str) -> dict[str, Any]:
    """Return the frame assertion that a table keeps its rows but for the excepted ones."""
    paths = [(key,) for key in excepted]
    state = {"tables": {table: rows}}
    return {
        "id": name,
        "path": ["tables", table],
        "except": [[key] for key in excepted],
        "digest": frame_digest(state, ("tables", table), paths),
    }


def desk_documents() -> dict[str, Any]:
    """Return the package's documents by path: JSON values, and the instruction as text."""
    return {
        "package.json": {
            "schema_version": 1,
            "recipe": "by-hand",
            "recipe_version": "1",
            "world": "tables",
            "tools": TOOLS,
            "boundary": [],
        },
        "instruction.md": INSTRUCTION,
        "blueprint.json": {
            "schema_version": 1,
            "facts": FACTS,
            "boundary": [{"fact_id": "ticket", "may_appear_in": ["instruction.md"]}],
            "criteria": [{"id": "settled", "fact_ids": ["ticket"], "quote": "printer"}],
        },
        "environment/tables.json": {
            "customers": {"key": "customer_id", "rows": CUSTOMERS},
            "tickets": {"key": "ticket_id", "rows": TICKETS},
        },
        "environment/programs.json": PROGRAMS,
        "environment/world.json": {"clock": "2024-01-01T00:00:00Z"},
        "tests/assertions.json": {
            "schema_version": 1,
            "state": [
                equals("closed", ["tickets", "T-1002", "status"], "closed"),
                equals("outcome", ["tickets", "T-1002", "outcome"], "repaired"),
                equals("filed", ["tickets", "T-2001"], NEW_TICKET),
            ],
            "frames": [
                frame("customers", "customers", CUSTOMERS),
                frame("tickets", "tickets", TICKETS, "T-1002", "T-2001"),
            ],
            "answer": [],
        },
        "solution/calls.json": {"schema_version": 1, "calls": CALLS, "answer": ""},
    }


def desk_files(change: Callable[[dict[str, Any]], None] | None = None) -> dict[str, bytes]:
    """Return the package's files, after `change` had its way with a copy of the documents."""
    documents = json.loads(json.dumps(desk_documents()))
    if change is not None:
        change(documents)
    return {
        path: value.encode() if isinstance(value, str) else json.dumps(value).encode()
        for path, value in documents.items()
    }


def desk_bundle(change: Callable[[dict[str, Any]], None] | None = None) -> Bundle:
    """Return the package with its canaries, after `change`."""
    return Bundle.sealed(desk_files(change))


class MemoryArtifacts:
    """An artifact store in memory."""

    def __init__(self) -> None:
        self.kept: dict[str, bytes] = {}

    def put(self, data: bytes, media_type: str = "application/octet-stream") -> ArtifactRef:
        """Keep bytes."""
        self.kept[digest_bytes(data)] = data
        return ArtifactRef(digest=digest_bytes(data), size=len(data), media_type=media_type)

    def get(self, digest: str) -> bytes:
        """Return bytes."""
        if digest not in self.kept:
            raise ArtifactMissingError(digest)
        return self.kept[digest]

    def has(self, digest: str) -> bool:
        """Say whether bytes are kept."""
        return digest in self.kept
