"""Nothing of a run leaves the machine, whatever the user's environment asks of the libraries."""

import http.server
import threading
from pathlib import Path

import pytest

from support.runs import SMALL, run, variant


class _Listener(http.server.BaseHTTPRequestHandler):
    heard: list[str] = []

    def do_POST(self) -> None:
        self.heard.append(self.path)
        self.send_response(200)
        self.end_headers()

    do_GET = do_POST

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.mark.slow
def test_a_hosted_tracing_service_that_the_environment_names_hears_nothing(tmp_path: Path) -> None:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Listener)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    endpoint = f"http://127.0.0.1:{server.server_address[1]}"
    settings = {**SMALL["settings"], "count": 1, "slots": 1, "attempts": 1}
    run(
        tmp_path,
        variant(SMALL, settings=settings),
        LANGSMITH_TRACING="true",
        LANGCHAIN_TRACING_V2="true",
        LANGSMITH_API_KEY="none",
        LANGSMITH_ENDPOINT=endpoint,
        LANGCHAIN_ENDPOINT=endpoint,
    )
    server.shutdown()
    server.server_close()
    assert _Listener.heard == []
