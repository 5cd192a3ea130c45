"""Admissions: nothing is admitted on an agent's word; each rests on gates recorded before it."""

from collections import Counter
from dataclasses import dataclass, field

from envwright.agents.audit.findings import Check
from envwright.agents.audit.grounds import Grounds
from envwright.agents.audit.reading import fact_of, stream_events
from envwright.events import Envelope, Fact
from envwright.events.canonical import Json
from envwright.events.catalog import PackageAdmitted, PackageInherited
from envwright.events.ports import Log

LISTED = 2_000
"""Admissions that are told in full; all are checked."""


@dataclass
class Admissions:
    """Checks what each admission rests on."""

    log: Log
    check: Check = field(default_factory=Check)
    told: list[dict[str, Json]] = field(default_factory=list)
    _numbers: Counter[str] = field(default_factory=Counter)
    _inherited: dict[tuple[str, str], PackageInherited] = field(default_factory=dict)
    """By run and package, until the slot is settled."""

    def see(self, envelope: Envelope) -> None:
        """Take the next event."""
        if envelope.type not in ("package.inherited", "package.admitted", "package.rejected"):
            return
        fact = fact_of(envelope, self.check)
        if isinstance(fact, PackageInherited):
            self._inherited[fact.run, fact.package] = fact
        elif isinstance(fact, PackageAdmitted):
            self._admitted(envelope, fact)
        elif fact is not None:
            self._inherited.pop((envelope.run_id, str(envelope.data.get("package"))), None)

    def _admitted(self, envelope: Envelope, fact: PackageAdmitted) -> None:
        self.check.checked += 1
        self._numbers[fact.run] += 1
        if fact.number != self._numbers[fact.run]:
            self.check.fail(envelope, f"admission {self._numbers[fact.run]}", f"{fact.number}")
        inherited = self._inherited.pop((fact.run, fact.package), None)
        events = [
            (each, known)
            for each in stream_events(self.log, f"package/{fact.package}")
            if (known := self._fact(each)) is not None
        ]
        maker = inherited.origin_run if inherited else fact.run
        grounds = Grounds(fact.revision, envelope.position, events)
        rests_on = grounds.examine()
        runs = {each.run_id for each, _ in events}
        if runs - {maker}:
            grounds.problems.append((f"a package of run {maker}", f"events of {sorted(runs)}"))
        for expected, found in grounds.problems:
            self.check.fail(envelope, expected, found)
        if len(self.told) < LISTED:
            self.told.append(
                {
                    "number": fact.number,
                    "package": fact.package,
                    "revision": fact.revision,
                    "event": envelope.id,
                    "position": envelope.position,
                    "run": fact.run,
                    "inherited_from": inherited.origin_run if inherited else None,
                    "sound": not grounds.problems,
                    **rests_on,
                }
            )

    def _fact(self, envelope: Envelope) -> Fact | None:
        return fact_of(envelope, self.check)
