"""The guard catches decision code in the act of reading, and nobody else."""

import datetime
import logging
import os
import random
import secrets
import socket
import sys
import threading
import time
import uuid
from collections.abc import Callable
from datetime import datetime as moment
from pathlib import Path
from random import choice, getrandbits
from time import time as now
from types import ModuleType
from typing import Any

import pytest

from envwright.agents.replay.guard import LOG, Guard
from envwright.events import utc_now, uuid7
from envwright.events.values import ArtifactRef

READINGS: dict[str, tuple[str, str, Callable[[], object]]] = {
    "the wall clock": ("the clock", "time.time", lambda: time.time()),
    "its nanoseconds": ("the clock", "time.time_ns", lambda: time.time_ns()),
    "it under another name": ("the clock", "time.time", lambda: now()),
    "a running clock": ("the clock", "time.perf_counter", lambda: time.perf_counter()),
    "a date": ("the clock", "datetime.datetime.now", lambda: datetime.datetime.now()),
    "a date of a time zone": (
        "the clock",
        "datetime.datetime.now",
        lambda: moment.now(datetime.UTC),
    ),
    "today": ("the clock", "datetime.date.today", lambda: datetime.date.today()),
    "today of a subclass": ("the clock", "datetime.date.today", lambda: moment.today()),
    "the house's own clock": ("the clock", "envwright.events.envelope.utc_now", utc_now),
    "a minted id": ("the clock", "envwright.events.identifiers.uuid7", uuid7),
    "common chance": ("unseeded chance", "random.random", lambda: random.random()),
    "a choice": ("unseeded chance", "random.choice", lambda: random.choice([1, 2])),
    "a choice under another name": ("unseeded chance", "random.choice", lambda: choice([1, 2])),
    "bits under another name": ("unseeded chance", "random.getrandbits", lambda: getrandbits(8)),
    "a shuffle": ("unseeded chance", "random.shuffle", lambda: random.shuffle([1, 2, 3])),
    "a generator without a seed": ("unseeded chance", "random.Random", lambda: random.Random()),
    "a new seed": ("unseeded chance", "random.Random", lambda: random.Random(1).seed()),
    "the system's chance": ("unseeded chance", "os.urandom", lambda: os.urandom(4)),
    "a secret": ("unseeded chance", "secrets.token_bytes", lambda: secrets.token_bytes(4)),
    "a random uuid": ("unseeded chance", "uuid.uuid4", vars(uuid)["uuid4"]),
    "a uuid of this host": ("unseeded chance", "uuid.uuid1", lambda: uuid.uuid1()),
    "a variable": ("the environment", "os.environ", lambda: os.environ.get("HOME")),
    "a variable by index": ("the environment", "os.environ", lambda: os.environ["PATH"]),
    "a variable by function": ("the environment", "os.getenv", lambda: os.getenv("HOME")),
    "all variables": ("the environment", "os.environ", lambda: dict(os.environ)),
    "a process number": ("the environment", "os.getpid", lambda: os.getpid()),
    "the host's name": ("the environment", "socket.gethostname", lambda: socket.gethostname()),
    "a socket": ("the network", "socket.socket", lambda: socket.socket().close()),
    "an address": (
        "the network",
        "socket.getaddrinfo",
        lambda: socket.getaddrinfo("127.0.0.1", 80),
    ),
}


@pytest.mark.parametrize("kind", READINGS)
def test_it_is_caught_by_name_and_gives_what_it_always_gives(kind: str) -> None:
    what, call, read = READINGS[kind]
    with Guard() as guard:
        given = read()
    assert given is None or type(given) is type(read())
    assert what in {reading.what for reading in guard.readings}
    reading, *_ = [each for each in guard.readings if each.call == call]
    file, line = reading.place.rsplit(":", 1)
    assert Path(file).name in (Path(__file__).name,) and int(line) > 0
    assert reading.code.startswith(__name__)


HARMLESS: dict[str, Callable[[], object]] = {
    "a seeded generator": lambda: random.Random(7).random(),
    "a given date": lambda: datetime.datetime.fromtimestamp(0, datetime.UTC),
    "a line of a log": lambda: logging.getLogger("x").warning("said"),
    "an event to wait for": lambda: threading.Event().wait(0.001),
    "a module": lambda: __import__("this_is_imported_late"),
    "a value": lambda: ArtifactRef(digest="0" * 64, size=1),
}


@pytest.mark.parametrize("kind", HARMLESS)
def test_what_decides_nothing_is_not_caught(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "this_is_imported_late.py").write_text("import colorsys\n")
    monkeypatch.syspath_prepend(tmp_path)
    with Guard() as guard:
        HARMLESS[kind]()
    assert guard.readings == ()


def test_the_platform_and_installed_libraries_may_read() -> None:
    with Guard() as guard:
        for name in ("envwright.agents.worker", "envwright.store.writer", "langgraph.pregel"):
            as_of_module(name, sys.modules[pytest.__name__].__file__ or "", time.time)
        as_of_module("somewhere", f"{os.sep}x{os.sep}site-packages{os.sep}y.py", time.time)
    assert [reading for reading in guard.readings if "somewhere" in reading.code] == []
    assert [reading for reading in guard.readings if "envwright" in reading.code] == []


@pytest.mark.parametrize(
    "name",
    ["envwright.recipes.mine", "envwright.sandbox.worlds.mine", "envwright.agents.judge.mine"],
)
def test_a_desk_a_recipe_and_a_world_may_not(name: str) -> None:
    with Guard() as guard:
        as_of_module(name, "mine.py", time.time)
    [reading] = guard.readings
    assert reading == ("the clock", "time.time", "mine.py:2", f"{name}.read")


def as_of_module(name: str, file: str, function: Callable[[], object]) -> None:
    """Call a function as code of a module would."""
    scope: dict[str, Any] = {"__name__": name, "function": lambda: None}
    module = ModuleType("time")
    exec(compile("def read(module):\n    module.time()\n", file, "exec"), scope)
    module.time = time.time  # type: ignore[attr-defined]
    scope["read"](module)


def test_another_thread_is_not_listened_to() -> None:
    with Guard() as guard:
        thread = threading.Thread(target=lambda: time.time())
        thread.start()
        thread.join()
    assert guard.readings == ()


def test_everything_is_as_before_when_it_is_over() -> None:
    def originals() -> list[object]:
        return [
            time.time,
            now,
            os.urandom,
            random.random,
            vars(random._inst).copy(),  # type: ignore[attr-defined]
            random.Random.seed,
            type(os.environ).__getitem__,
            socket.socket.__init__,
            vars(datetime.datetime)["now"],
            vars(datetime.date)["today"],
        ]

    before = originals()
    with pytest.raises(ZeroDivisionError), Guard() as guard:
        assert originals() != before
        time.time()
        raise ZeroDivisionError
    assert originals() == before
    time.time(), datetime.datetime.now(), random.random()
    assert len(guard.readings) == 1


def test_one_place_is_told_once_and_a_place_of_its_own_is_told_of_a_port() -> None:
    guard = Guard()

    def port() -> None:
        guard.note(LOG, "log.projection")

    with guard:
        for _ in range(3):
            time.time()
        port()
    assert [reading.call for reading in guard.readings] == ["time.time", "log.projection"]
