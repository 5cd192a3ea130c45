"""Claims: every piece of work that somebody took was finished, given back, taken over or parked."""

from dataclasses import dataclass, field

from envwright.agents.audit.findings import LISTED, Check
from envwright.agents.audit.reading import fact_of
from envwright.events import Envelope, work_id
from envwright.events.canonical import Json
from envwright.events.catalog import WorkClaimed
from envwright.events.ports import Log

_PENDING = 5_000
"""Claims that may be open before it is looked up which of them were finished."""

_OVER = ("run.completed", "run.failed")


@dataclass
class Claims:
    """Follows each claim to its end.

    That a handler finished is kept in the inbox, which the log only adds to but no chain covers:
    so an end that only the inbox tells of is as good as the database's own rights.
    """

    log: Log
    check: Check = field(default_factory=Check)
    _open: dict[str, tuple[Envelope, WorkClaimed]] = field(default_factory=dict)
    """The newest claim of each piece of work that may still be open."""
    _unfinished: int = 0
    _over: set[str] = field(default_factory=set)
    """Runs that have ended."""

    def see(self, envelope: Envelope) -> None:
        """Take the next event."""
        if envelope.type == "work.claimed":
            self._claimed(envelope)
        elif envelope.type in ("work.expired", "delivery.parked"):
            self._open.pop(str(envelope.data.get("work")), None)
        elif envelope.type in _OVER:
            self._over.add(envelope.run_id)
        if len(self._open) > max(_PENDING, 2 * self._unfinished):
            self._drop_finished()
            self._unfinished = len(self._open)  # They are looked up again only when twice as many.

    def end(self) -> None:
        """Judge what is still open: in a run that is over nobody may hold anything."""
        self._drop_finished()
        for claim, _ in self._open.values():
            if claim.run_id in self._over:
                self.check.fail(claim, "an end of the claim, since its run is over", "none")

    def open(self) -> list[dict[str, Json]]:
        """Return the claims of running runs that have no end yet, as far as listed."""
        running = [each for each in self._open.values() if each[0].run_id not in self._over]
        return [
            {"event": claim.id, "position": claim.position, "work": fact.work}
            for claim, fact in running[:LISTED]
        ]

    def _claimed(self, envelope: Envelope) -> None:
        self.check.checked += 1
        fact = fact_of(envelope, self.check)
        if not isinstance(fact, WorkClaimed):
            return
        work = work_id(fact.group, fact.cause)
        if fact.work != work:
            self.check.fail(envelope, f"work {work}, as its cause has it", fact.work)
        before = self._open.pop(fact.work, None)
        if before is not None and before[1].token >= fact.token:
            self.check.fail(envelope, f"a token above {before[1].token}", f"token {fact.token}")
        self._open[fact.work] = (envelope, fact)

    def _drop_finished(self) -> None:
        for work, (_, fact) in list(self._open.items()):
            done = self.log.inbox(fact.group, fact.cause)
            if done is not None and done.work == work:
                del self._open[work]
