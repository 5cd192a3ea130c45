"""Slots as a run's stream tells them: planned, settled, admitted; folded, never stored."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Self

from envwright.events.catalog import (
    BriefPlanned,
    Fact,
    PackageAdmitted,
    PackageInherited,
    PackageRejected,
    RoundOpened,
    RunCompleted,
    RunFailed,
    RunForked,
    RunPaused,
    RunRequested,
    RunResumed,
)
from envwright.events.envelope import Envelope
from envwright.events.values import Brief


@dataclass
class RunState:
    """What a run's own stream says about it."""

    requested: RunRequested | None = None
    """What was asked for; of a forked run, as its fork has it."""
    forked: RunForked | None = None
    """Where the run began in another run's past."""
    status: str = "unknown"
    """requested, running, paused, completed or failed."""
    round: int = 0
    slots: int = 0
    """Slots of the current round."""
    briefs: dict[tuple[int, int], Brief] = field(default_factory=dict)
    """Briefs by round and ordinal, those of inherited packages too."""
    inherited: dict[tuple[int, int], PackageInherited] = field(default_factory=dict)
    outcomes: dict[tuple[int, int], PackageAdmitted | PackageRejected] = field(default_factory=dict)
    admitted: list[PackageAdmitted] = field(default_factory=list)
    settled_packages: set[str] = field(default_factory=set)
    completed: RunCompleted | None = None
    paused: RunPaused | None = None
    failed: RunFailed | None = None

    @property
    def keys(self) -> set[str]:
        """Novelty keys of the packages admitted so far."""
        return {key for package in self.admitted for key in package.fingerprint}

    @property
    def max_retries(self) -> int:
        """Retries of an infrastructure error before the run pauses."""
        return self.requested.settings.max_retries if self.requested else 3

    def settled(self, package: str) -> bool:
        """Say whether the slot of a package is admitted or rejected, or its run is over."""
        return self.status in ("completed", "failed") or package in self.settled_packages

    def after(self, events: Iterable[Envelope]) -> Self:
        """Return the state after further events of the run's stream; this one stays as it is."""
        later = replace(
            self,
            briefs=dict(self.briefs),
            inherited=dict(self.inherited),
            outcomes=dict(self.outcomes),
            admitted=list(self.admitted),
            settled_packages=set(self.settled_packages),
        )
        for envelope in events:
            later.apply(envelope)
        return later

    def apply(self, envelope: Envelope) -> None:
        """Fold one event of the run's stream."""
        fact = envelope.fact
        match fact:
            case RunRequested() | RunForked():
                self._apply_request(fact)
            case RoundOpened():
                self.round, self.slots = fact.round, fact.slots
                if self.status == "requested":
                    self.status = "running"  # A round that opens during a pause does not end it.
            case BriefPlanned():
                self.briefs[fact.brief.round, fact.brief.ordinal] = fact.brief
            case PackageInherited():
                self.briefs[fact.round, fact.ordinal] = fact.brief
                self.inherited[fact.round, fact.ordinal] = fact
            case PackageAdmitted() | PackageRejected():
                self.outcomes[fact.round, fact.ordinal] = fact
                self.settled_packages.add(fact.package)
                if isinstance(fact, PackageAdmitted):
                    self.admitted.append(fact)
            case _:
                self._apply_lifecycle(fact)

    def _apply_request(self, fact: RunRequested | RunForked) -> None:
        self.requested, self.status = asked_for(fact), "requested"
        self.forked = fact if isinstance(fact, RunForked) else None

    def _apply_lifecycle(self, fact: object) -> None:
        over = self.status in ("completed", "failed")
        match fact:
            case RunPaused() | RunResumed() if over:
                pass  # Said while the run was ending: what is over stays so.
            case RunPaused():
                self.paused, self.status = fact, "paused"
            case RunResumed():
                self.status = "running" if self.round else "requested"
            case RunCompleted():
                self.completed, self.status = fact, "completed"
            case RunFailed():
                self.failed, self.status = fact, "failed"
            case _:
                pass


def asked_for(fact: Fact) -> RunRequested | None:
    """Return what the first event of a run asks for, in the form of a request; None of another."""
    if isinstance(fact, RunForked) and fact.settings is not None:
        return RunRequested(
            run=fact.run,
            settings=fact.settings,
            sources=fact.sources,
            novel_against=fact.novel_against,
            novel_position=fact.novel_position,
        )
    return fact if isinstance(fact, RunRequested) else None


def fold_run(events: Iterable[Envelope]) -> RunState:
    """Fold a run's stream into its state."""
    return RunState().after(events)
