"""What is found out about a machine."""

import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from envwright.console import machine
from envwright.console.machine import Finding, findings
from envwright.console.settings import Settings


def named(settings: Settings, home: Path) -> dict[str, Finding]:
    """Return the findings by name."""
    return {finding.name: finding for finding in findings(settings, home)}


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no program be installed."""
    monkeypatch.setattr(machine.shutil, "which", lambda name: None)


def test_what_a_run_needs_is_there(tmp_path: Path) -> None:
    found = named(Settings(), tmp_path / "home")
    for name in ("python", "cpus", "sqlite", "home", "isolation: process"):
        assert found[name].ok is True, found[name]
        assert found[name].fix == ""
    assert not (tmp_path / "home").exists()


def test_what_is_missing_comes_with_a_command(bare: None, tmp_path: Path) -> None:
    settings = Settings(DOCKER_HOST=f"unix://{tmp_path}/none.sock")
    found = named(settings, tmp_path)
    for name in ("isolation: bubblewrap", "isolation: docker", "java", "chromium"):
        assert found[name].ok is False
        assert found[name].fix
    for name in ("broker", "database", "model"):
        assert found[name].ok is None


def test_a_program_that_does_not_start_is_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = tmp_path / "broken"
    broken.write_text("#!/bin/sh\necho no namespaces >&2; exit 1\n")
    broken.chmod(0o755)
    monkeypatch.setattr(machine.shutil, "which", lambda name: str(broken))
    monkeypatch.setenv("PATH", str(tmp_path))
    broken.rename(tmp_path / "bwrap")
    monkeypatch.setattr(machine.shutil, "which", lambda name: str(tmp_path / "bwrap"))
    found = named(Settings(), tmp_path)
    assert found["isolation: bubblewrap"].ok is False
    assert "no namespaces" in found["isolation: bubblewrap"].found
    assert found["java"].ok is False and "exit code 1" in found["java"].found


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Path]:
    """A socket that answers like a Docker engine."""
    place = tmp_path / "docker.sock"
    server = socket.socket(socket.AF_UNIX)
    server.bind(str(place))
    server.listen()

    def serve() -> None:
        try:
            channel, _ = server.accept()
        except OSError:
            return
        with channel:
            channel.recv(1024)
            channel.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nOK")

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    yield place
    server.close()
    thread.join(5)


@pytest.mark.slow
def test_an_engine_that_answers_is_found(bare: None, engine: Path, tmp_path: Path) -> None:
    found = named(Settings(DOCKER_HOST=f"unix://{engine}"), tmp_path)
    assert found["isolation: docker"].ok is True


def test_a_service_that_is_named_is_asked_for(bare: None, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        found = named(Settings(bus=f"kafka://127.0.0.1:{port}"), tmp_path)
        assert found["broker"].ok is True
    found = named(Settings(store=f"postgresql://127.0.0.1:{port}/log"), tmp_path)
    assert found["database"].ok is False
    assert str(port) in found["database"].found


def test_a_home_that_is_a_file_or_cannot_be_written_is_said(
    bare: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    assert named(Settings(), tmp_path / "file")["home"].ok is False
    monkeypatch.setattr(machine.os, "access", lambda path, mode: False)
    found = named(Settings(), tmp_path / "deep" / "home")["home"]
    assert found.ok is False and found.fix.startswith("chmod")


def test_the_way_to_a_broker_is_the_first_that_works(
    bare: None, engine: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nowhere = f"unix://{tmp_path}/none.sock"
    with socket.create_server(("127.0.0.1", 0)) as server:
        servers = f"127.0.0.1:{server.getsockname()[1]},127.0.0.1:1"
        settings = Settings(KAFKA_BOOTSTRAP_SERVERS=servers, DOCKER_HOST=nowhere)
        found = named(settings, tmp_path)["kafka"]
        assert found.ok is True and found.found.startswith("KAFKA_BOOTSTRAP_SERVERS: 127.0.0.1:")
    found = named(settings, tmp_path)["kafka"]
    assert found.ok is False and "unset KAFKA_BOOTSTRAP_SERVERS" in found.fix
    found = named(Settings(DOCKER_HOST=nowhere), tmp_path)["kafka"]
    assert found.ok is False and "maven" in found.fix
    for version, ok in (("17.0.1", True), ("11.0.2", False)):
        java = tmp_path / "java"
        java.write_text(f"#!/bin/sh\necho 'openjdk version \"{version}\"' >&2\n")
        java.chmod(0o755)
        monkeypatch.setattr(machine.shutil, "which", lambda name, java=java: str(java))
        found = named(Settings(DOCKER_HOST=nowhere), tmp_path)["kafka"]
        assert found.ok is ok and version in found.found
    monkeypatch.setattr(machine.shutil, "which", lambda name: None)
    found = machine._kafka(Settings(DOCKER_HOST=f"unix://{engine}"))
    assert found.ok is True and found.found.startswith("a broker in Docker")
