"""The two public servers that these logs come from, and how a tool call reaches each of them."""

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
from http.client import HTTPConnection
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

CADENCE = ("cadence-todo==0.2.41", "mcp==1.30.0")
LOCALSTRIPE = ("localstripe==1.15.10", "aiohttp==3.14.5")
CACHE = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "envwright" / "tool_logs"

Row = dict[str, Any]


class Answer(NamedTuple):
    """What a server answered to one call."""

    result: Any
    error_code: str | None = None


Call = Callable[[str, Row], Answer]


def installed(name: str, packages: tuple[str, ...]) -> Path:
    """Return the `bin` of an environment with these packages; it is made once."""
    home = CACHE / name
    if not (home / "bin" / name).exists():
        venv.create(home, with_pip=True)
        install = [str(home / "bin" / "pip"), "install", "--quiet", *packages]
        subprocess.run(install, check=True, stdout=sys.stderr)
    return home / "bin"


class McpClient:
    """Speaks MCP to a server over its standard streams."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self._last = 0
        client = {"name": "recorder", "version": "1"}
        self.ask("initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo=client)
        self._send({"method": "notifications/initialized"})

    def _send(self, body: Row) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"jsonrpc": "2.0", **body}) + "\n")
        self._process.stdin.flush()

    def ask(self, method: str, **params: Any) -> Row:
        """Send a request and wait for its result.

        Raises:
            ConnectionError: the server stopped.
        """
        self._last += 1
        self._send({"id": self._last, "method": method, "params": params})
        assert self._process.stdout is not None
        for line in self._process.stdout:
            message = json.loads(line)
            if message.get("id") == self._last:
                result: Row = message["result"]
                return result
        raise ConnectionError(f"the server stopped during {method!r}: see its output above")

    def call(self, tool: str, args: Row) -> Answer:
        """Call a tool; the answer is the JSON of its text, or the text of an error."""
        result = self.ask("tools/call", name=tool, arguments=args)
        text = result["content"][0]["text"]
        return Answer(text, "tool_error") if result.get("isError") else Answer(json.loads(text))


@contextmanager
def todo_server() -> Iterator[tuple[Call, list[Row]]]:
    """Run cadence on an empty store; give what calls its tools, and how it declares them."""
    program = installed("cadence", CADENCE) / "cadence"
    with tempfile.TemporaryDirectory() as home:
        place = os.environ | {"CADENCE_HOME": home, "HOME": home}
        command = [str(program), "mcp"]
        with subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=place,
        ) as process:
            try:
                client = McpClient(process)
                yield client.call, client.ask("tools/list")["tools"]
            finally:
                process.terminate()


# What a client of the API calls: method and path of each tool; arguments beyond the path are sent.
PAYMENT_ROUTES = {
    "find_customers": ("GET", "/v1/customers?email={email}"),
    "get_customer": ("GET", "/v1/customers/{customer}"),
    "update_customer": ("POST", "/v1/customers/{customer}"),
    "get_payment_intent": ("GET", "/v1/payment_intents/{intent}"),
    "confirm_payment_intent": ("POST", "/v1/payment_intents/{intent}/confirm"),
    "capture_payment_intent": ("POST", "/v1/payment_intents/{intent}/capture"),
    "cancel_payment_intent": ("POST", "/v1/payment_intents/{intent}/cancel"),
    "get_charge": ("GET", "/v1/charges/{charge}"),
    "capture_charge": ("POST", "/v1/charges/{charge}/capture"),
    "create_refund": ("POST", "/v1/refunds"),
    "get_refund": ("GET", "/v1/refunds/{refund}"),
    "get_payout": ("GET", "/v1/payouts/{payout}"),
    "create_payout": ("POST", "/v1/payouts"),
    "cancel_payout": ("POST", "/v1/payouts/{payout}/cancel"),
    "get_product": ("GET", "/v1/products/{product}"),
    "update_product": ("POST", "/v1/products/{product}"),
    "get_tax_rate": ("GET", "/v1/tax_rates/{rate}"),
    "update_tax_rate": ("POST", "/v1/tax_rates/{rate}"),
    "create_coupon": ("POST", "/v1/coupons"),
    "get_coupon": ("GET", "/v1/coupons/{id}"),
    "delete_coupon": ("DELETE", "/v1/coupons/{id}"),
    # Only the recorder's own set-up calls these.
    "create_customer": ("POST", "/v1/customers"),
    "create_payment_method": ("POST", "/v1/payment_methods"),
    "attach_payment_method": ("POST", "/v1/payment_methods/{method}/attach"),
    "create_payment_intent": ("POST", "/v1/payment_intents"),
    "create_charge": ("POST", "/v1/charges"),
    "create_product": ("POST", "/v1/products"),
    "create_tax_rate": ("POST", "/v1/tax_rates"),
}


def rest_call(port: int, tool: str, args: Row) -> Answer:
    """Send one request; an error status is an answer."""
    verb, path = PAYMENT_ROUTES[tool]
    beyond = {name: value for name, value in args.items() if f"{{{name}}}" not in path}
    path = path.format(**{name: quote(str(value)) for name, value in args.items()})
    connection = HTTPConnection("127.0.0.1", port, timeout=30)
    headers = {"Authorization": "Bearer sk_test_recorder", "Content-Type": "application/json"}
    body = json.dumps(beyond) if verb == "POST" else None
    connection.request(verb, path, body, headers)
    response = connection.getresponse()
    told = response.read().decode()
    connection.close()
    if response.status == 200:
        return Answer(json.loads(told))
    is_json = response.headers.get_content_type() == "application/json"
    return Answer(json.loads(told) if is_json else told, str(response.status))


@contextmanager
def payments_server() -> Iterator[Call]:
    """Run localstripe with an empty store on a free port of this machine."""
    program = installed("localstripe", LOCALSTRIPE) / "localstripe"
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [str(program), "--port", str(port), "--from-scratch"]
    quiet = subprocess.DEVNULL
    with subprocess.Popen(command, stdout=quiet, stderr=quiet) as process:
        try:
            wait_until_up(port)
            yield lambda tool, args: rest_call(port, tool, args)
        finally:
            process.terminate()


def wait_until_up(port: int) -> None:
    """Return once the server answers; give up after 30 seconds."""
    for _ in range(300):
        try:
            rest_call(port, "get_product", {"product": "none"})
            return
        except ConnectionError:
            time.sleep(0.1)
    raise TimeoutError(f"localstripe did not answer on port {port}")
