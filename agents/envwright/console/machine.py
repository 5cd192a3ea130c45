"""The machine: what is found out about it by doing, each finding with what would mend it."""

import os
import platform
import re
import shutil
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from envwright.agents import try_store
from envwright.agents.models import model_requests_allowed
from envwright.console.settings import Settings
from envwright.events.errors import EnvwrightError
from envwright.sandbox.isolation import ProcessIsolation

_SECONDS = 10.0
_CHROMIUM = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
_PORTS = {"kafka": 9092}
_BROKER_JAVA = 17


@dataclass(frozen=True)
class Finding:
    """One thing that this machine can or cannot do."""

    name: str
    ok: bool | None
    """None where it is merely not in use."""
    found: str
    needed_for: str
    fix: str = ""
    """A command that mends it; empty where nothing needs to be mended."""


def findings(settings: Settings, home: Path) -> Iterator[Finding]:
    """Look at everything, one after the other."""
    yield _python()
    yield _cpus()
    yield _log()
    yield _home(home)
    yield _process()
    yield _bubblewrap()
    yield _docker(settings)
    yield _broker(settings)
    yield _java()
    yield _kafka(settings)
    yield _database(settings)
    yield _postgres()
    yield _chromium()
    yield _model()


def _python() -> Finding:
    version = platform.python_version()
    ok = sys.version_info >= (3, 11)
    fix = "" if ok else "install Python 3.11 or newer, then: make PYTHON=python3.11"
    return Finding("python", ok, f"{version} on {platform.system()}", "everything", fix)


def _cpus() -> Finding:
    return Finding("cpus", True, str(os.cpu_count() or 1), "workers of a run")


def _log() -> Finding:
    """Try what the embedded log rests on: a durable write in write-ahead mode."""
    needed = "the embedded log"
    try:
        connection = sqlite3.connect(":memory:")
        connection.execute("CREATE TABLE t (x INTEGER) STRICT")
        connection.close()
    except sqlite3.Error as error:
        fix = "install a Python whose sqlite3 is 3.37 or newer"
        return Finding("sqlite", False, f"{sqlite3.sqlite_version}: {error}", needed, fix)
    return Finding("sqlite", True, sqlite3.sqlite_version, needed)


def _home(home: Path) -> Finding:
    """Find the nearest folder that exists and say whether a home could be written there."""
    needed = "every run"
    place = home.absolute()
    while not place.exists():
        place = place.parent
    if not place.is_dir():
        fix = "name another folder: export ENVWRIGHT_HOME=DIR"
        return Finding("home", False, f"{place} is a file", needed, fix)
    if not os.access(place, os.W_OK | os.X_OK):
        return Finding("home", False, f"{place} cannot be written", needed, f"chmod u+rwx {place}")
    free = shutil.disk_usage(place).free / 2**30
    state = "exists" if home.exists() else "would be made"
    return Finding("home", True, f"{home} {state}, {free:.1f} GiB free", needed)


def _process() -> Finding:
    found = ProcessIsolation().capabilities()
    can = [
        name
        for name, has in (
            ("kills what detaches", found.kills_detached),
            ("limits memory", found.limits_memory),
        )
        if has
    ]
    text = f"works ({', '.join(can) or 'time limits only'}); trusted code only"
    return Finding("isolation: process", True, text, "gates in processes of their own")


def _bubblewrap() -> Finding:
    command = ["bwrap", "--ro-bind", "/", "/", "--proc", "/proc", "--unshare-all", "true"]
    needed = "later: code that a model wrote"
    fix = "sudo apt-get install bubblewrap  (and allow unprivileged user namespaces)"
    if shutil.which("bwrap") is None:
        return Finding("isolation: bubblewrap", False, "bwrap is not installed", needed, fix)
    error = _failure(command)
    if error:
        return Finding("isolation: bubblewrap", False, f"installed, but: {error}", needed, fix)
    return Finding("isolation: bubblewrap", True, "ran a command apart", needed)


def _docker(settings: Settings) -> Finding:
    needed = "later: terminal worlds in images"
    url = settings.docker_host
    fix = "install Docker and start it: sudo systemctl start docker  (or set DOCKER_HOST)"
    try:
        answer = _ping(url)
    except OSError as error:
        found = f"no engine at {url} ({error.strerror or error})"
        return Finding("isolation: docker", False, found, needed, fix)
    if b" 200 " not in answer.split(b"\r\n", 1)[0]:
        return Finding("isolation: docker", False, f"{url} answers no ping", needed, fix)
    return Finding("isolation: docker", True, f"engine at {url}", needed)


def _ping(url: str) -> bytes:
    """Ask a Docker engine whether it lives, over its socket."""
    parts = urlsplit(url)
    if parts.scheme == "unix":
        channel = socket.socket(socket.AF_UNIX)
        address: str | tuple[str, int] = parts.path
    else:
        channel = socket.socket(socket.AF_INET)
        address = (parts.hostname or "localhost", parts.port or 2375)
    with channel:
        channel.settimeout(_SECONDS)
        channel.connect(address)
        channel.sendall(b"GET /_ping HTTP/1.1\r\nHost: docker\r\nConnection: close\r\n\r\n")
        return channel.recv(4096)


def _broker(settings: Settings) -> Finding:
    return _service("broker", settings.bus, "Kafka between machines")


def _database(settings: Settings) -> Finding:
    needed, url = "a log on a server", settings.store.get_secret_value()
    if not url:
        return Finding("database", None, "none named; the embedded log serves", needed)
    try:
        return Finding("database", True, try_store(url), needed)
    except EnvwrightError as error:
        fix = "follow that, or name another database: export ENVWRIGHT_STORE=URL"
        return Finding("database", False, str(error), needed, fix)


def _service(name: str, url: str, needed: str) -> Finding:
    """Say whether a service that the environment names can be reached."""
    if not url:
        return Finding(name, None, "none named; the embedded one serves", needed)
    parts = urlsplit(url)
    address = (parts.hostname or "localhost", parts.port or _PORTS.get(parts.scheme, 0))
    place = f"{address[0]}:{address[1]}"
    try:
        socket.create_connection(address, timeout=_SECONDS).close()
    except OSError as error:
        fix = "start it, or name another in ENVWRIGHT_BUS"
        return Finding(name, False, f"{place} cannot be reached ({error})", needed, fix)
    return Finding(name, True, f"{place} can be reached", needed)


def _java() -> Finding:
    return _program(
        "java", ("java",), "-version", "a Kafka broker of our own, for tests",
        "sudo apt-get install default-jre-headless",
    )  # fmt: skip


def _kafka(settings: Settings) -> Finding:
    """Say which of the three ways of `deploy/kafka/broker` works here, in its order."""
    needed = "tests with a broker, and deploy/kafka/broker start"
    if settings.kafka_servers:
        url = f"kafka://{settings.kafka_servers.split(',')[0]}"
        named = _service("kafka", url, needed)
        found = f"KAFKA_BOOTSTRAP_SERVERS: {named.found}"
        fix = "" if named.ok else "start it, or: unset KAFKA_BOOTSTRAP_SERVERS"
        return Finding("kafka", named.ok, found, needed, fix)
    engine, java = _docker(settings), _java()
    if engine.ok:
        return Finding("kafka", True, f"a broker in Docker: {engine.found}", needed)
    version = re.search(r'"(\d+)', java.found)
    new_enough = java.ok and version is not None and int(version[1]) >= _BROKER_JAVA
    if new_enough and shutil.which("mvn"):
        return Finding("kafka", True, f"a broker from its jars: {java.found}, Maven", needed)
    lacking = "no mvn" if new_enough else f"java: {java.found}"
    found = f"none in KAFKA_BOOTSTRAP_SERVERS; docker: {engine.found}; {lacking}"
    fix = "sudo apt-get install openjdk-17-jre-headless maven"
    return Finding("kafka", False, found, needed, fix)


def _postgres() -> Finding:
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return _program(
        "postgres", ("initdb", *(str(folder / "initdb") for folder in folders)), "--version",
        "a PostgreSQL server of our own, for tests", "sudo apt-get install postgresql",
    )  # fmt: skip


def _chromium() -> Finding:
    return _program(
        "chromium",
        _CHROMIUM,
        "--version",
        "later: page worlds",
        "sudo apt-get install chromium",
    )


def _program(name: str, candidates: tuple[str, ...], flag: str, needed: str, fix: str) -> Finding:
    """Run the first of some programs that there is, to see that it starts."""
    program = next((path for path in map(shutil.which, candidates) if path), None)
    if program is None:
        return Finding(name, False, f"none of {', '.join(candidates[:3])}", needed, fix)
    outcome = _run([program, flag])
    if isinstance(outcome, str) or outcome.returncode:
        text = outcome if isinstance(outcome, str) else f"exit code {outcome.returncode}"
        return Finding(name, False, f"{program}: {text}", needed, fix)
    lines = (outcome.stdout + outcome.stderr).strip().splitlines()
    return Finding(name, True, f"{lines[0] if lines else 'starts'} ({program})", needed)


def _model() -> Finding:
    needed = "later: policies that ask a model"
    if model_requests_allowed():
        return Finding("model", True, "requests to real models are on", needed)
    found = "requests to real models are off; symbolic policies need none"
    return Finding("model", None, found, needed)


def _failure(command: list[str]) -> str:
    outcome = _run(command)
    if isinstance(outcome, str):
        return outcome
    return outcome.stderr.strip().splitlines()[-1] if outcome.returncode else ""


def _run(command: list[str]) -> subprocess.CompletedProcess[str] | str:
    """Run a command to its end; return what came of it, or why it did not run."""
    run: Callable[..., subprocess.CompletedProcess[str]] = subprocess.run
    try:
        return run(command, capture_output=True, text=True, timeout=_SECONDS, errors="replace")
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
