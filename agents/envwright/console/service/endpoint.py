"""The endpoint: `/healthz`, `/readyz` and `/metrics` of a long-running command."""

import hmac
import ipaddress
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Annotated

import typer
from pydantic import SecretStr

from envwright.events.errors import BadInputError, EnvwrightError, InfrastructureError

PortOption = Annotated[
    int | None,
    typer.Option(
        "--port",
        min=0,
        max=65535,
        help="Serve /healthz, /readyz and /metrics (Prometheus) here; 0 is any free port.",
        show_default="none",
    ),
]
HostOption = Annotated[
    str,
    typer.Option(
        "--host",
        metavar="ADDRESS",
        help="Address of that port. Beyond loopback ENVWRIGHT_TOKEN must be set, and /metrics "
        "asks for it as a bearer token.",
    ),
]

_TEXT = "text/plain; charset=utf-8"


@dataclass(frozen=True)
class Pages:
    """What an endpoint shows; a probe returns what is wrong, or nothing."""

    health: Callable[[], str]
    ready: Callable[[], str]
    metrics: Callable[[], tuple[bytes, str]]
    """The body and its content type."""


@contextmanager
def serving(host: str, port: int | None, pages: Pages, token: SecretStr) -> Iterator[str]:
    """Serve the pages as long as the block lasts; gives their URL, empty without a port.

    Raises:
        BadInputError: the address is beyond loopback and there is no token.
        InfrastructureError: the port cannot be opened.
    """
    if port is None:
        yield ""
        return
    if not is_loopback(host) and not token.get_secret_value():
        raise BadInputError(
            f"--host {host} is reached from elsewhere: set ENVWRIGHT_TOKEN to a secret that "
            "readers of /metrics must send, or leave --host out"
        )
    try:
        server = _Server((host, port), _Handler)
    except OSError as error:
        raise InfrastructureError(
            f"cannot listen at {host}:{port} ({error}); name another --port, or 0 for any"
        ) from error
    server.pages, server.token = pages, token.get_secret_value()
    thread = threading.Thread(
        target=server.serve_forever, kwargs={"poll_interval": 0.1}, name="endpoint", daemon=True
    )
    thread.start()
    try:
        yield f"http://{host}:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def is_loopback(host: str) -> bool:
    """Say whether an address can be reached from this machine only."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    pages: Pages
    token: str


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    timeout = 10.0
    """Seconds that a silent client may keep a thread."""

    def do_GET(self) -> None:  # noqa: N802 - the name is the library's.
        """Answer a probe or a scrape."""
        pages = self.server.pages
        probe = {"/healthz": pages.health, "/readyz": pages.ready}.get(self.path)
        if probe is not None:
            self._probe(probe)
        elif self.path == "/metrics":
            self._metrics()
        else:
            self._send(HTTPStatus.NOT_FOUND, b"there are /healthz, /readyz and /metrics\n")

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing: probes come all the time."""

    def _probe(self, probe: Callable[[], str]) -> None:
        try:
            wrong = probe()
        except EnvwrightError as error:
            wrong = str(error)
        if wrong:
            # Whoever needs no token learns no details.
            text = "not ok\n" if self.server.token else f"{wrong}\n"
            self._send(HTTPStatus.SERVICE_UNAVAILABLE, text.encode())
        else:
            self._send(HTTPStatus.OK, b"ok\n")

    def _metrics(self) -> None:
        if not self._allowed():
            self._send(HTTPStatus.UNAUTHORIZED, b"send the token: Authorization: Bearer ...\n")
            return
        try:
            body, kind = self.server.pages.metrics()
        except EnvwrightError as error:
            self._send(HTTPStatus.SERVICE_UNAVAILABLE, f"{error}\n".encode())
            return
        self._send(HTTPStatus.OK, body, kind)

    def _allowed(self) -> bool:
        token = self.server.token
        sent = self.headers.get("Authorization", "")
        return not token or hmac.compare_digest(sent.encode(), f"Bearer {token}".encode())

    def _send(self, status: HTTPStatus, body: bytes, kind: str = _TEXT) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
