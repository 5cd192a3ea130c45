"""The endpoint: what it answers, to whom, and where it refuses to listen."""

import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from pydantic import SecretStr

from envwright.console.service.endpoint import Pages, is_loopback, serving
from envwright.events.errors import BadInputError, InfrastructureError

NONE = SecretStr("")


def pages(health: str = "", ready: str = "") -> Pages:
    return Pages(lambda: health, lambda: ready, lambda: (b"x 1\n", "text/plain"))


def get(url: str, **headers: str) -> tuple[int, str]:
    """Return the status and the body of an answer."""
    try:
        with urllib.request.urlopen(urllib.request.Request(url, headers=headers)) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()


@contextmanager
def served(found: Pages, token: SecretStr = NONE, host: str = "127.0.0.1") -> Iterator[str]:
    with serving(host, 0, found, token) as url:
        yield url.replace("0.0.0.0", "127.0.0.1")


def test_probes_and_metrics_are_served() -> None:
    with served(pages()) as url:
        assert get(f"{url}/healthz") == get(f"{url}/readyz") == (200, "ok\n")
        assert get(f"{url}/metrics") == (200, "x 1\n")
        assert get(f"{url}/other")[0] == 404


def test_a_probe_says_what_is_wrong() -> None:
    with served(pages("it has ended", "it is starting")) as url:
        assert get(f"{url}/healthz") == (503, "it has ended\n")
        assert get(f"{url}/readyz") == (503, "it is starting\n")


def test_a_log_that_cannot_be_read_is_not_ready() -> None:
    def fail() -> str:
        raise InfrastructureError("no database")

    with served(Pages(lambda: "", fail, lambda: (fail().encode(), ""))) as url:
        assert get(f"{url}/readyz") == (503, "no database\n")
        assert get(f"{url}/metrics")[0] == 503
        assert get(f"{url}/healthz")[0] == 200


def test_beyond_loopback_it_wants_a_token_and_tells_no_details_without_it() -> None:
    with (
        pytest.raises(BadInputError, match="ENVWRIGHT_TOKEN"),
        served(pages(), host="0.0.0.0"),
    ):
        pass
    with served(pages(ready="secret detail"), SecretStr("word"), "0.0.0.0") as url:
        assert get(f"{url}/metrics")[0] == 401
        assert get(f"{url}/metrics", Authorization="Bearer wrong")[0] == 401
        assert get(f"{url}/metrics", Authorization="Bearer word") == (200, "x 1\n")
        assert get(f"{url}/readyz") == (503, "not ok\n")


def test_a_port_in_use_is_refused_and_none_is_no_endpoint() -> None:
    with (
        served(pages()) as url,
        pytest.raises(InfrastructureError, match="name another --port"),
        serving("127.0.0.1", int(url.rpartition(":")[2]), pages(), NONE),
    ):
        pass
    with serving("127.0.0.1", None, pages(), NONE) as url:
        assert url == ""


@pytest.mark.parametrize(
    ("host", "expected"),
    [("127.0.0.1", True), ("127.9.9.9", True), ("::1", True), ("localhost", True),
     ("0.0.0.0", False), ("10.0.0.1", False), ("example.org", False)],
)  # fmt: skip
def test_loopback_is_known(host: str, expected: bool) -> None:
    assert is_loopback(host) is expected
