"""An office for tests of the agents: a process's ports on a home of its own, and runs in it."""

import json
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from envwright.agents import Ending, Runtime, RuntimeConfig, Stop, Worker, drive, open_runtime
from envwright.agents import request_run as ask_for
from envwright.agents.config import ALL_ROLES, RoleName
from envwright.agents.context import Context
from envwright.agents.handlers import Handler
from envwright.agents.processes import WorkerProcesses
from envwright.events import Envelope, Fact, roles_for, work_id
from envwright.events.ports import Claim, Delivery
from envwright.events.values import Actor, PolicySpec, RunSettings
from support.waiting import PATIENCE

FactT = TypeVar("FactT", bound=Fact)

QUICK: dict[str, Any] = {
    "recipe": "desk",
    "count": 1,
    "slots": 1,
    "attempts": 1,
    "panel": (PolicySpec(name="random"),),
}
"""Settings of a run with as little in it as possible."""


class Office:
    """One process of the product, as far as a test can tell: its runtime, and a worker on demand.

    Handlers can also be served by hand: `context` claims a delivery, `handle` runs its graph.
    """

    def __init__(self, home: Path, **config: Any) -> None:
        fixed = {"checkpoints": False, "backoff_seconds": 0.0}
        self.home = home
        self.runtime: Runtime = open_runtime(RuntimeConfig(home=home, **{**fixed, **config}))
        self._others: list[Office] = []

    def close(self) -> None:
        """Close this process and those opened beside it."""
        for other in self._others:
            other.close()
        self.runtime.close()

    def beside(self, instance: str = "another", **config: Any) -> "Office":
        """Open the home once more, as another process would, under a name of its own."""
        other = Office(self.home, **config)
        other.runtime.instance = instance
        self._others.append(other)
        return other

    def request(self, *subjects: str, **settings: Any) -> str:
        """Ask for a run about subjects."""
        source = json.dumps(list(subjects or ("scanner jams",))).encode()
        return ask_for(
            self.runtime, RunSettings(**{**QUICK, **settings}), [("subjects.json", source)]
        )

    def finish(self, run: str, *, workers: int = 1) -> Ending:
        """Drive a run to wherever it ends by itself."""
        return drive(self.runtime, run, workers=workers, stop=Stop())

    def crew(self, run: str) -> WorkerProcesses:
        """Start two worker processes on a run."""
        return WorkerProcesses(self.runtime, run, 2)

    def work(
        self, run: str, until: Callable[[], object], roles: tuple[RoleName, ...] = ALL_ROLES
    ) -> None:
        """Let a worker in this thread serve some roles until a condition holds."""
        config = self.runtime.config
        self.runtime.config = config.model_copy(update={"roles": roles})
        stop = threading.Event()
        overdue = threading.Timer(PATIENCE, stop.set)
        overdue.start()
        try:
            Worker(self.runtime, run_id=run).serve(stop, alive=lambda: not until())
        finally:
            overdue.cancel()
            self.runtime.config = config
        assert not stop.is_set(), f"nothing came of it within {PATIENCE:g} s"

    def advance(self, run: str, event_type: str) -> Envelope:
        """Serve a run until it has an event of a type that nobody has answered; return it."""
        waiting = roles_for(event_type)
        roles = tuple(role for role in ALL_ROLES if role not in waiting)
        self.work(run, lambda: self.newest(event_type), roles)
        return self.events(event_type)[-1]

    def newest(self, event_type: str) -> Envelope | None:
        """Return the last event of a type."""
        found = self.events(event_type)
        return found[-1] if found else None

    def events(self, *types: str) -> list[Envelope]:
        """Return the events of some types, or all."""
        return list(self.runtime.log.read_all(types=types or None))

    def facts(self, kind: type[FactT]) -> list[FactT]:
        """Return the facts of a type."""
        name = kind.model_fields["type"].default
        return [fact for fact in (e.fact for e in self.events(name)) if isinstance(fact, kind)]

    def delivery(self, cause: Envelope) -> Delivery:
        """Return the doorbell that an event rings at its role."""
        [role] = roles_for(cause.type)
        group = self.runtime.config.group
        bell = self.runtime.bus.subscribe(group, [role], run_id=cause.run_id)
        due = bell.poll(limit=1_000_000, timeout=0)
        work = work_id(f"{group}.{role}", cause.id)
        return next(delivery for delivery in due if delivery.work.work == work)

    def claim(self, cause: Envelope, ttl: float = 600.0) -> tuple[Delivery, Claim]:
        """Take the delivery of an event."""
        delivery = self.delivery(cause)
        claim = self.runtime.leases.claim(delivery.work, holder=self.runtime.instance, ttl=ttl)
        assert claim is not None
        return delivery, claim

    def context(self, cause: Envelope) -> Context:
        """Take the delivery of an event and open its context."""
        delivery, claim = self.claim(cause)
        return Context(
            ports=self.runtime.ports,
            delivery=delivery,
            claim=claim,
            journal=self.runtime.journal.open(claim),
            actor=Actor(role=delivery.role, instance=self.runtime.instance, code_version="test"),
        )

    def handle(self, cause: Envelope) -> Context:
        """Run the handler of an event and return what it would commit."""
        ctx = self.context(cause)
        Handler(self.runtime).handle(ctx)
        return ctx

    def die(self) -> None:
        """Lose what this process holds, as if it had been killed and found dead."""
        self.runtime.leases.expire(self.runtime.instance)
