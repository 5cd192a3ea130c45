"""The runtime: the ports of one process, as bootstrap chose them."""

import os
import socket
import threading
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from importlib import metadata

from envwright.agents.audit.seals import Seals
from envwright.agents.checkpointer import Checkpointer
from envwright.agents.config import RuntimeConfig
from envwright.agents.context import Ports
from envwright.agents.slots import RunState
from envwright.agents.streams import StreamCache
from envwright.agents.tracing import Tracing
from envwright.events import NewEvent, digest, uuid7
from envwright.events.canonical import Json
from envwright.events.catalog import Fact
from envwright.events.ports import (
    Append,
    ArtifactStore,
    Bus,
    Commit,
    Fence,
    Journal,
    Leases,
    Log,
    ReadModels,
)
from envwright.events.values import Actor

CODE_VERSION = metadata.version("envwright")

_ENDED = "ended"
"""What stands for the start of a process that has ended and was not waited for."""


def machine_name() -> str:
    """Return a name for this machine's set of process numbers: the host, and in which namespace."""
    try:
        namespace = os.stat("/proc/self/ns/pid").st_ino
    except OSError:
        namespace = 0
    return f"{socket.gethostname()}@{namespace}"


def process_name() -> str:
    """Return a name for this process that tells whether it is still alive: machine, pid, start."""
    return f"{machine_name()}:{os.getpid()}:{start_ticks(os.getpid())}"


def start_ticks(pid: int) -> str:
    """Return when a process of this machine started, in clock ticks; empty where none can tell."""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as stat:
            fields = stat.read().rpartition(")")[2].split()
    except OSError:
        return ""
    return _ENDED if fields[0] in ("Z", "X") else fields[19]


def is_dead(holder: str) -> bool:
    """Say whether a holder was a process of this machine that has ended."""
    machine, pid, ticks = (*holder.rsplit(":", 2), "", "")[:3]
    if machine != machine_name() or not pid.isdigit() or not ticks:
        return False
    now = start_ticks(int(pid))
    return now != ticks if now else not _exists(int(pid))


def _exists(pid: int) -> bool:
    """Say whether there is such a process, also where its details are hidden from this user."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        pass
    return True


@dataclass
class Runtime:
    """Ports and identity of one process."""

    config: RuntimeConfig
    log: Log
    leases: Leases
    journal: Journal
    artifacts: ArtifactStore
    bus: Bus
    read_models: ReadModels
    """For commands and a console; handlers never see it."""
    tracing: Tracing
    truth: Bus | None = None
    """The store's own bus, which says at once what is open, where `bus` is another."""
    checkpointer: Checkpointer | None = None
    """Where graphs leave checkpoints for inspection; None leaves none."""
    seals: Seals | None = None
    """What signs the log when a run ends; None signs nothing."""
    instance: str = field(default_factory=process_name)
    cleanup: tuple[Callable[[], None], ...] = ()
    """What else to release, the last first, such as the span exporter."""
    code_version: str = CODE_VERSION
    streams: StreamCache = field(init=False)
    _states: dict[str, tuple[int, RunState]] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        self.streams = StreamCache(self.log)

    @property
    def open_work(self) -> Bus:
        """The bus that says what is open, whoever was told of it."""
        return self.bus if self.truth is None else self.truth

    @property
    def ports(self) -> Ports:
        """What handlers share."""
        return Ports(self.log, self.artifacts, self.streams, self.tracing)

    def run_state(self, run_id: str) -> RunState:
        """Return a run's state as of now, folded from where the last call stopped.

        What is returned never changes afterwards: threads may look at it as long as they like.
        """
        with self._lock:
            seen, state = self._states.get(run_id, (0, RunState()))
            events = self.streams.read(f"run/{run_id}")
            if len(events) > seen:
                state = state.after(events[seen:])
                self._states[run_id] = (len(events), state)
            return state

    def record(
        self,
        *facts: Fact,
        key: Json | None = None,
        causation: str | None = None,
        role: str = "system",
        run_id: str | None = None,
        fence: Fence | None = None,
    ) -> None:
        """Append facts that no handler says: a request, a pause, a person's decision.

        Raises:
            FencedError: the claim that `fence` names has been lost.
        """
        base = key if key is not None else uuid7()
        events = [
            NewEvent(
                fact=fact,
                run_id=run_id or str(getattr(fact, "run", "")),
                correlation_id=str(getattr(fact, "package", None) or getattr(fact, "run", "")),
                actor=Actor(role=role, instance=self.instance, code_version=self.code_version),
                idempotency_key=digest([base, index]),
                causation_id=causation,
            )
            for index, fact in enumerate(facts)
        ]
        streams: dict[str, list[NewEvent]] = {}
        for event in events:
            streams.setdefault(event.fact.stream, []).append(event)
        appends = tuple(Append(stream=name, events=tuple(some)) for name, some in streams.items())
        self.log.commit(Commit(appends=appends, fence=fence))
        self.bus.notify()

    def reap(self) -> int:
        """Expire the leases of processes of this machine that have ended; returns how many."""
        return sum(self.leases.expire(name) for name in self.leases.holders() if is_dead(name))

    def close(self) -> None:
        """Release files and connections; what uses the log goes before it."""
        with ExitStack() as releases:
            releases.callback(self.log.close)
            if self.checkpointer is not None:
                releases.callback(self.checkpointer.close)
            for release in self.cleanup:
                releases.callback(release)
