"""Forks of runs in an office: made, driven, and what they took over and did anew."""

from dataclasses import dataclass

from envwright.agents import RunState, fork_point, fork_run
from envwright.events.catalog import PackageAdmitted, PackageRejected
from support.office import Office


@dataclass(frozen=True)
class Forked:
    """A run that was forked and driven to its end."""

    run: str
    ending: str
    office: Office

    @property
    def state(self) -> RunState:
        """What its stream says."""
        return self.office.runtime.run_state(self.run)

    @property
    def inherited(self) -> list[tuple[int, int]]:
        """Slots that were taken over."""
        return sorted(self.state.inherited)

    @property
    def anew(self) -> list[tuple[int, int]]:
        """Slots that were ordered."""
        return sorted(self.state.briefs.keys() - self.state.inherited.keys())

    def count(self, *types: str) -> int:
        """Return how many events of some types the run has."""
        return len(list(self.office.runtime.log.read_all(run_id=self.run, types=types)))


def fork(office: Office, origin: str, at: str | int, *pairs: str) -> Forked:
    """Fork a run and drive the fork to its end."""
    point = fork_point(office.runtime, origin, str(at))
    run = fork_run(office.runtime, origin, point, pairs)
    return Forked(run, office.finish(run), office)


def outcomes(office: Office, run: str) -> list[tuple[int, int, str, str]]:
    """Return what each slot of a run came to: round, ordinal, revision and reason, in order."""
    found = office.runtime.run_state(run).outcomes
    return [(*place, *_outcome(fact)) for place, fact in sorted(found.items())]


def _outcome(fact: PackageAdmitted | PackageRejected) -> tuple[str, str]:
    reason = fact.reason if isinstance(fact, PackageRejected) else ""
    return fact.revision or "", reason
