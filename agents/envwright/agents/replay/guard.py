"""The guard: catches decision code in the act of reading what no replay can repeat.

While it is entered, what reads the clock, chance, the environment or the network is replaced by
something that notes who calls it and then reads as before. Only calls of the guarded thread count,
and only those of decision code: the nearest code below the standard library is a desk, a recipe,
a world or a policy, or a module of the user's own.

It cannot see what C code reads by itself (`time.strftime` without a time, an extension's own clock
or generator), a function that was put away as a default or an attribute before, files, and the
order of sets, which shows in its results where the hash seed is another.
"""

import ctypes
import datetime
import gc
import os
import random
import socket
import sys
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from types import BuiltinFunctionType, FrameType, FunctionType, ModuleType
from typing import Any, NamedTuple, Self

CLOCK, CHANCE, PLACE = "the clock", "unseeded chance", "the environment"
NETWORK, LOG = "the network", "the log behind its context"

_CLOCKS = """time time_ns monotonic monotonic_ns perf_counter perf_counter_ns process_time
process_time_ns thread_time thread_time_ns clock_gettime clock_gettime_ns localtime ctime"""
_PLACES = "getpid uname cpu_count getcwd getloadavg times"

_UNHEARD = frozenset({"importlib", "logging", "queue", "threading", "warnings", "zipimport"})
"""Parts of the standard library that read clocks and the environment and decide nothing by it."""

_DESKS = ("planner", "builder", "tester", "critic", "solver", "judge")
_DECIDES = (
    "envwright.learning",
    "envwright.recipes",
    "envwright.sandbox",
    *(f"envwright.agents.{desk}" for desk in _DESKS),
)
_INSTALLED = ("site-packages", "dist-packages")

Function = Callable[..., Any]


class Reading(NamedTuple):
    """One place in decision code that reads what no replay can repeat."""

    what: str
    """What it reads: the clock, chance, the environment, the network, the log."""
    call: str
    """What it calls."""
    place: str
    """File and line."""
    code: str
    """Module and function."""


class _Source(NamedTuple):
    """A function that reads what no replay can repeat, and where it is looked up."""

    owner: Any
    attribute: str
    what: str
    name: str
    unless: Callable[..., bool] = lambda *arguments, **named: False
    """Says of a call's arguments that they make it repeatable."""

    @property
    def function(self) -> Any:
        """The function itself."""
        return getattr(self.owner, self.attribute)


def _sources() -> Iterator[_Source]:
    for name in _CLOCKS.split():
        yield _Source(time, name, CLOCK, f"time.{name}")
    for name in _PLACES.split():
        yield _Source(os, name, PLACE, f"os.{name}")
    shared = random._inst
    for name in ("random", "getrandbits"):
        # The others of the module's functions call these two of their common generator.
        yield _Source(random, name, CHANCE, f"random.{name}")
        yield _Source(shared, name, CHANCE, f"random.{name}")
    yield _Source(random.Random, "seed", CHANCE, "random.Random", _is_seeded)
    yield _Source(os, "urandom", CHANCE, "os.urandom")
    yield _Source(random, "_urandom", CHANCE, "os.urandom")
    if getattr(uuid, "_generate_time_safe", None) is not None:
        yield _Source(uuid, "_generate_time_safe", CHANCE, "uuid.uuid1")
    for name in ("__getitem__", "__iter__", "__len__"):
        yield _Source(type(os.environ), name, PLACE, "os.environ")
    yield _Source(socket.socket, "__init__", NETWORK, "socket.socket")
    for name, what in (("gethostname", PLACE), ("getaddrinfo", NETWORK)):
        yield _Source(socket, name, what, f"socket.{name}")


def _is_seeded(_generator: random.Random, a: object = None, version: int = 2) -> bool:
    return a is not None


_SOURCES = tuple(_sources())
_ORIGINALS = {source.function: source for source in _SOURCES}
_DATES = (
    (datetime.datetime, "now"),
    (datetime.datetime, "utcnow"),
    (datetime.date, "today"),
)


class Guard:
    """Notes what decision code of this thread reads while it is entered."""

    def __init__(self) -> None:
        self._readings: dict[Reading, None] = {}
        self._thread = threading.get_ident()
        self._undo = ExitStack()

    @property
    def readings(self) -> tuple[Reading, ...]:
        """What was caught, each place once, in the order of time."""
        return tuple(self._readings)

    def __enter__(self) -> Self:
        doubles = {source.function: self._double(source, source.function) for source in _SOURCES}
        for source in _SOURCES:
            self._replace(source.owner, source.attribute, doubles[source.function])
        for module, name, function in _CAPTURES.places():
            self._replace(module, name, doubles[function])
        for owner, name in _DATES:
            self._replace_in_type(owner, name)
        return self

    def __exit__(self, *error: object) -> None:
        self._undo.close()

    def note(self, what: str, call: str, depth: int = 1) -> None:
        """Note a reading of whoever is so many calls above the caller, if that decides."""
        if threading.get_ident() != self._thread:
            return
        frame, entry = _decision(sys._getframe(depth + 1))
        if frame is None:
            return
        code = frame.f_code
        reading = Reading(
            what=what,
            call=call if entry is None else _called(entry, call),
            place=f"{code.co_filename}:{frame.f_lineno}",
            code=f"{frame.f_globals.get('__name__')}.{code.co_qualname}",
        )
        self._readings.setdefault(reading)

    def _double(self, source: _Source, original: Function) -> Function:
        def reading(*arguments: Any, **named: Any) -> Any:
            if not source.unless(*arguments, **named):
                self.note(source.what, source.name)
            return original(*arguments, **named)

        return reading

    def _replace(self, owner: Any, name: str, double: Function) -> None:
        own = vars(owner).get(name)
        setattr(owner, name, double)
        if own is None:  # It is looked up further on, as a generator's methods are.
            self._undo.callback(delattr, owner, name)
        else:
            self._undo.callback(setattr, owner, name, own)

    def _replace_in_type(self, owner: type, name: str) -> None:
        """Replace a class method of a type of C, which has a dictionary but takes no attribute.

        A stand-in for the type would not do: code holds the type itself, and subclasses it.
        """
        attributes = gc.get_referents(owner.__dict__)[0]
        original = attributes[name]
        call = f"datetime.{owner.__name__}.{name}"

        def reading(cls: type, *arguments: Any, **named: Any) -> Any:
            self.note(CLOCK, call)
            return original.__get__(None, cls)(*arguments, **named)

        def put(value: object) -> None:
            attributes[name] = value
            ctypes.pythonapi.PyType_Modified(ctypes.py_object(owner))

        put(classmethod(reading))
        self._undo.callback(put, original)


class _Captures:
    """Where decision code has a function under a name of its own: `from time import time`."""

    def __init__(self) -> None:
        self._known: set[str] = set()
        self._places: list[tuple[ModuleType, str, Function]] = []

    def places(self) -> Iterator[tuple[ModuleType, str, Function]]:
        """Yield each module and name with the function, also of modules that came in since."""
        for name in sys.modules.keys() - self._known:
            self._known.add(name)
            module = sys.modules.get(name)
            if isinstance(module, ModuleType) and _decides(name, _file(module)):
                self._places += (
                    (module, held, value)
                    for held, value in vars(module).items()
                    if type(value) in (BuiltinFunctionType, FunctionType) and value in _ORIGINALS
                )
        for module, held, function in self._places:
            if vars(module).get(held) is function:
                yield module, held, function


_CAPTURES = _Captures()


def _file(module: ModuleType) -> str:
    return getattr(module, "__file__", None) or ""


def _decision(frame: FrameType | None) -> tuple[FrameType | None, FrameType | None]:
    """Return the frame of decision code that reads, and the library's frame that it called.

    Both are None where it is not decision code that reads: a library for itself, the platform.
    """
    entry: FrameType | None = None
    of_ours = False
    while frame is not None:
        module = str(frame.f_globals.get("__name__", ""))
        root = module.partition(".")[0]
        of_ours = of_ours or _is_in(module, "envwright.events")
        if root in _UNHEARD:
            return None, None
        # pydantic stands between where it makes a value that reads, and reads for itself too.
        through = root in sys.stdlib_module_names or (of_ours and root == "pydantic")
        if root == "__main__" or not (through or _is_in(module, "envwright.events")):
            decides = _decides(module, frame.f_code.co_filename)
            return (frame, entry) if decides else (None, None)
        entry, frame = frame, frame.f_back
    return None, None


def _decides(module: str, file: str) -> bool:
    """Say whether a module holds decision code: the house's own, or the user's."""
    root = module.partition(".")[0]
    if root == "envwright":
        return any(_is_in(module, package) for package in _DECIDES)
    return root not in sys.stdlib_module_names and not any(part in file for part in _INSTALLED)


def _is_in(module: str, package: str) -> bool:
    return module == package or module.startswith(f"{package}.")


def _called(entry: FrameType, call: str) -> str:
    """Name what decision code called, where that is not what reads in the end."""
    module, name = str(entry.f_globals.get("__name__")), entry.f_code.co_qualname
    if call in ("os.environ", "random.Random"):
        return f"os.{name}" if (module, name) == ("os", "getenv") else call
    return f"{module}.{name.removeprefix('Random.')}"
