"""One home per test for the checks of the audit: events written by hand, and a check over them."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

from envwright.agents.audit.findings import Failure
from envwright.events import Envelope, Fact, NewEvent
from envwright.store import Store, open_store
from support.audited_log import Writer, write_run


class Looker(Protocol):
    """A check of the audit."""

    def see(self, envelope: Envelope) -> None: ...


Change = Callable[[Fact, str], tuple[Fact, str] | None]
"""Given a fact and who says it, returns what is said instead, or None for nothing."""


class Changed(Writer):
    """Writes a run with some facts changed, left out, or said by somebody else."""

    change: Change = staticmethod(lambda fact, role: (fact, role))

    def say(self, role: str, fact: Fact, cause: NewEvent | None = None, **more: Any) -> NewEvent:
        instead = type(self).change(fact, role)
        if instead is not None:
            return super().say(instead[1], instead[0], cause, **more)
        event = super().say(role, fact, cause, **more)
        self._pending.pop()
        return event


class Scroll:
    """A home with one run of one package."""

    def __init__(self, folder: Path) -> None:
        self.home = folder / "home"
        self.store: Store = open_store(self.home)
        self.log = self.store.log

    def write(self, change: Change | None = None, *, packages: int = 1) -> None:
        """Write the run, with changes."""
        kind = type("Changing", (Changed,), {"change": staticmethod(change)}) if change else Changed
        write_run(kind(self.log, self.store.artifacts), packages)

    def writer(self, run: str = "run-1") -> Writer:
        """Return what writes single events."""
        return Writer(self.log, self.store.artifacts, run)

    def events(self, *types: str) -> list[Envelope]:
        """Return the events of some types, or all."""
        return [event for event in self.log.read_all() if not types or event.type in types]

    def show(self, looker: Looker) -> None:
        """Let a check see everything."""
        for event in self.log.read_all():
            looker.see(event)

    def close(self) -> None:
        """Release the home."""
        self.store.close()


def places(failures: list[Failure]) -> list[int]:
    """Return where failures are."""
    return [failure.position for failure in failures]
