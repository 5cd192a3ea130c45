"""The two public servers that the demo records, json-server and mockworld, and how to call them."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from urllib.error import HTTPError, URLError
from urllib.parse import quote
from urllib.request import Request, urlopen

JSON_SERVER = "json-server@0.17.4"
MOCKWORLD = ("mockworld-mcp==0.3.3", "mcp==1.30.0")
HERE = Path(__file__).parent
CACHE = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "envwright" / "demo"

Row = dict[str, Any]
Rows = dict[str, list[Row]]


class Answer(NamedTuple):
    """What a server answered to one call."""

    result: Any
    error_code: str | None = None


Call = Callable[[str, Row], Answer]


# --- the REST server: one tool per resource and verb, as a client of the API would write them


class Route(NamedTuple):
    """How a tool becomes a request; `copies` and `append` read the resource before the PATCH."""

    verb: str
    path: str
    fixed: Row = {}
    copies: dict[str, str] = {}
    append: str = ""


TICKET = "/tickets/{ticket_id}"
TRIAGE = {"status": "open", "assignee": "Triage Desk", "team_lead": "Duty Manager"}
HELPDESK_ROUTES = {
    "find_customer_by_email": Route("GET", "/logins/{email}"),
    "get_customer": Route("GET", "/customers/{customer_id}"),
    "list_customer_tickets": Route("GET", "/tickets?customer_id={customer_id}"),
    "get_ticket": Route("GET", TICKET),
    "get_product": Route("GET", "/products/{product_id}"),
    "create_ticket": Route("POST", "/tickets", {**TRIAGE, "resolution": "", "comments": []}),
    "update_ticket_status": Route("PATCH", TICKET),
    "update_ticket_priority": Route("PATCH", TICKET),
    "assign_ticket": Route("PATCH", TICKET),
    "escalate_ticket": Route("PATCH", TICKET, {"priority": "urgent"}, {"assignee": "team_lead"}),
    "add_ticket_comment": Route("PATCH", TICKET, append="comments"),
    "close_ticket": Route("PATCH", TICKET, {"status": "closed"}),
    "change_customer_plan": Route("PATCH", "/customers/{customer_id}"),
    "update_customer_phone": Route("PATCH", "/customers/{customer_id}"),
}


def request(verb: str, url: str, body: Row | None = None) -> Answer:
    """One HTTP request; an error status is an answer."""
    data = None if body is None else json.dumps(body).encode()
    headers = {"Content-Type": "application/json"}
    try:
        with urlopen(Request(url, data, headers, method=verb), timeout=30) as response:
            return Answer(json.load(response))
    except HTTPError as error:
        return Answer(json.loads(error.read()), str(error.code))


def rest_call(base: str, tool: str, args: Row) -> Answer:
    """Run one helpdesk tool against json-server."""
    route = HELPDESK_ROUTES[tool]
    url = base + route.path.format(**{key: quote(str(value)) for key, value in args.items()})
    if route.verb == "GET":
        return request("GET", url)
    given = {key: value for key, value in args.items() if "{" + key + "}" not in route.path}
    if route.verb == "POST":
        given["id"] = given.pop("ticket_id")
    if route.copies or route.append:
        now = request("GET", url)
        if now.error_code:
            return now
        given |= {key: now.result[source] for key, source in route.copies.items()}
        if route.append:
            given = {route.append: [*now.result[route.append], given]}
    return request(route.verb, url, given | route.fixed)


@contextmanager
def rest_server(rows: Rows) -> Iterator[Call]:
    """Run json-server on the rows, in a temporary folder and on a free port of this machine."""
    program = CACHE / "node_modules" / "json-server" / "lib" / "cli" / "bin.js"
    if not program.exists():
        install = ["npm", "install", "--no-audit", "--no-fund", "--prefix", str(CACHE), JSON_SERVER]
        subprocess.run(install, check=True, stdout=sys.stderr)
    with socket.socket() as probe, tempfile.TemporaryDirectory() as home:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
        probe.close()
        Path(home, "db.json").write_text(json.dumps(rows), encoding="utf-8")
        command = ["node", str(program), "db.json", "--host", "127.0.0.1", "--port", str(port)]
        process = subprocess.Popen([*command, "--quiet"], cwd=home, stdout=subprocess.DEVNULL)
        base = f"http://127.0.0.1:{port}"
        try:
            wait_until_up(base)
            yield lambda tool, args: rest_call(base, tool, args)
        finally:
            process.terminate()
            process.wait()


def wait_until_up(base: str) -> None:
    """Return once the server answers; give up after 30 seconds."""
    for _ in range(300):
        try:
            request("GET", f"{base}/db")
            return
        except URLError:
            time.sleep(0.1)
    raise TimeoutError(f"json-server did not answer at {base!r}: see its output above")


# --- the MCP server: mockworld's own create, read and update on the collections declared here

LIBRARY_KEYS = {
    "logins": "email",
    "members": "member_id",
    "loans": "loan_id",
    "holds": "hold_id",
    "books": "book_id",
}
LIBRARY_TOOLS: dict[str, tuple[str, str, Row]] = {
    "find_member_by_email": ("read", "logins", {}),
    "get_member": ("read", "members", {}),
    "get_loan": ("read", "loans", {}),
    "get_hold": ("read", "holds", {}),
    "get_book": ("read", "books", {}),
    "renew_loan": ("update", "loans", {}),
    "return_loan": ("update", "loans", {"status": "returned"}),
    "report_loan_lost": ("update", "loans", {"status": "lost"}),
    "place_hold": ("create", "holds", {"status": "waiting"}),
    "change_hold_branch": ("update", "holds", {}),
    "cancel_hold": ("update", "holds", {"status": "cancelled"}),
    "suspend_member": ("update", "members", {"card_status": "suspended"}),
    "change_home_branch": ("update", "members", {}),
    "move_book": ("update", "books", {}),
}


def manifest(service: str) -> list[Row]:
    """The service's tools in the OpenAI function format."""
    tools: list[Row] = json.loads((HERE / f"{service}-tools.json").read_text(encoding="utf-8"))
    return [tool["function"] for tool in tools]


def library_tool(function: Row) -> Row:
    """Declare one tool to mockworld; the reads are rate-limited now and then, by its seed."""
    operation, collection, fixed = LIBRARY_TOOLS[function["name"]]
    params = {
        name: {"type": "str", "required": True, "enum": schema.get("enum")}
        for name, schema in function["parameters"]["properties"].items()
    }
    params |= {name: {"type": "str", "default": value} for name, value in fixed.items()}
    busy = {"type": "rate_limited", "probability": 0.04, "retry_after_s": 2}
    return {
        "name": function["name"],
        "description": function["description"],
        "params": params,
        "behavior": f"crud:{operation}",
        "collection": collection,
        "faults": [busy] if operation == "read" else [],
    }


def write_library(home: Path, rows: Rows) -> list[str]:
    """Write the mock and the snapshot that it starts from; return the server's arguments."""
    collections = {name: {"key": key} for name, key in LIBRARY_KEYS.items()}
    definition = {"schema_version": "1", "name": "library", "description": "A public library."}
    mock = definition | {
        "state": collections,
        "tools": list(map(library_tool, manifest("library"))),
    }
    state = {name: {row[key]: row for row in rows[name]} for name, key in LIBRARY_KEYS.items()}
    head = {"snapshot_version": "1", "mock": "library", "mock_version": "0.1.0", "seed": 7}
    (home / "mock.yaml").write_text(json.dumps(mock), encoding="utf-8")
    snapshot = head | {"created": 0, "state": state}
    (home / "start.mw.json").write_text(json.dumps(snapshot), encoding="utf-8")
    return ["run", str(home), "--seed", "7", "--snapshot", str(home / "start.mw.json")]


class McpClient:
    """The few lines of JSON-RPC that a stdio MCP server needs."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process, self._last = process, 0
        self.ask(
            "initialize",
            protocolVersion="2025-06-18",
            capabilities={},
            clientInfo={"name": "record", "version": "1"},
        )
        self._send({"method": "notifications/initialized"})

    def _send(self, message: Row) -> None:
        assert self._process.stdin
        self._process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        self._process.stdin.flush()

    def ask(self, method: str, **params: Any) -> Row:
        """Send a request and return its result."""
        self._last += 1
        self._send({"id": self._last, "method": method, "params": params})
        assert self._process.stdout
        for line in self._process.stdout:
            message = json.loads(line)
            if message.get("id") == self._last:
                result: Row = message["result"]
                return result
        raise ConnectionError(f"the MCP server stopped during {method!r}: see its output above")

    def call(self, tool: str, args: Row) -> Answer:
        """Call a tool; the answer is its structured content, or the error in its text."""
        result = self.ask("tools/call", name=tool, arguments=args)
        if not result.get("isError"):
            return Answer(result["structuredContent"])
        error = json.loads(result["content"][0]["text"])
        return Answer(error, error["error"]["code"])


@contextmanager
def mcp_server(rows: Rows) -> Iterator[Call]:
    """Run mockworld over stdio on the rows."""
    program = CACHE / "venv" / "bin" / "mockworld"
    if not program.exists():
        venv.create(CACHE / "venv", with_pip=True)
        install = [str(CACHE / "venv" / "bin" / "pip"), "install", "--quiet", *MOCKWORLD]
        subprocess.run(install, check=True, stdout=sys.stderr)
    with tempfile.TemporaryDirectory() as home:
        command = [str(program), *write_library(Path(home), rows)]
        pipe = subprocess.PIPE
        with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as process:
            try:
                yield McpClient(process).call
            finally:
                process.terminate()
