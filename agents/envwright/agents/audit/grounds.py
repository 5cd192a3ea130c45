"""Grounds: what one admission rests on, read from the stream of the package alone."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from envwright.events import Envelope, Fact
from envwright.events.canonical import Json
from envwright.events.catalog import (
    GateEvaluated,
    PackageCandidate,
    PackageDrafted,
    PackageRevised,
    ReviewCompleted,
    TestingCompleted,
    TrialClosed,
    TrialOpened,
    VerdictReached,
)
from envwright.events.values import GateSpec
from envwright.sandbox.gates import gate_set_digest

FactT = TypeVar("FactT", bound=Fact)

Problem = tuple[str, str]
"""What was expected, and what was found."""


@dataclass
class Grounds:
    """The events of a package that speak of one revision, and when each must have been there.

    The order of the log counts, never a clock.
    """

    revision: str
    before: int
    """Position of the admission: what comes after it was no ground for it."""
    events: Sequence[tuple[Envelope, Fact]]
    """The package's stream, with its facts."""
    problems: list[Problem] = field(default_factory=list)

    def examine(self) -> dict[str, Json]:
        """Look for every ground; return them, with their events. What is missing is a problem."""
        made = self._made()
        if made is None:
            return {}
        envelope, fact = made
        gates = [self._gate(spec, envelope.position) for spec in fact.gate_set]
        self._digest(fact)
        last = max([gate["position"] for gate in gates if gate], default=envelope.position)
        testing = self._outcome(TestingCompleted, "tester", last)
        review = self._outcome(ReviewCompleted, "critic", testing or last)
        trials = self._trials(review or last)
        closed = max([trial["position"] for trial in trials if trial["position"]], default=last)
        candidate = self._candidate(max(closed, review or last))
        return {
            "made": {"event": envelope.id, "position": envelope.position},
            "repairs": fact.repair_round,
            "gate_set_digest": fact.gate_set_digest,
            "gates": [gate for gate in gates if gate],
            "testing": self._name(testing),
            "review": self._name(review),
            "trials": trials,
            "candidate": self._name(candidate),
        }

    def _problem(self, expected: str, found: str) -> None:
        self.problems.append((expected, found))

    def _of(
        self, kind: type[FactT], wanted: Callable[[FactT], bool] = lambda fact: True
    ) -> Iterator[tuple[Envelope, FactT]]:
        for envelope, fact in self.events:
            if (
                isinstance(fact, kind)
                and getattr(fact, "revision", None) == self.revision
                and wanted(fact)
            ):
                yield envelope, fact

    def _made(self) -> tuple[Envelope, PackageDrafted | PackageRevised] | None:
        made: list[tuple[Envelope, PackageDrafted | PackageRevised]] = [
            *self._of(PackageDrafted),
            *self._of(PackageRevised),
        ]
        before = [each for each in made if each[0].position < self.before]
        if not before:
            self._problem(
                f"revision {self.revision} made before position {self.before}",
                f"made at {[each[0].position for each in made] or 'no time'}",
            )
            return None
        self._by(before[0][0], "builder")
        return before[0]

    def _by(self, envelope: Envelope, role: str) -> None:
        if envelope.actor.role != role:
            self._problem(
                f"{envelope.type} at position {envelope.position} by the {role}",
                f"by {envelope.actor.role}",
            )

    def _digest(self, made: PackageDrafted | PackageRevised) -> None:
        digest = gate_set_digest(made.gate_set)
        if digest != made.gate_set_digest:
            self._problem(f"gate set digest {made.gate_set_digest}", f"gates with digest {digest}")
        if not made.gate_set:
            self._problem("a gate set with gates in it", "an empty one")

    def _gate(self, spec: GateSpec, after: int) -> dict[str, Json] | None:
        name = f"gate {spec.gate} (version {spec.version})"
        runs = list(
            self._of(
                GateEvaluated,
                lambda fact: (fact.result.gate, fact.result.version) == (spec.gate, spec.version),
            )
        )
        for envelope, fact in runs:
            self._by(envelope, "tester")
            if fact.result.verdict != "pass":
                self._problem(
                    f"{name} to pass on revision {self.revision}",
                    f"{fact.result.verdict} in event {envelope.id} at position {envelope.position}",
                )
        passed = [
            envelope
            for envelope, fact in runs
            if fact.result.verdict == "pass" and after < envelope.position < self.before
        ]
        if not passed:
            places = [envelope.position for envelope, _ in runs]
            self._problem(
                f"{name} recorded on revision {self.revision} between positions {after} and "
                f"{self.before}, before the admission",
                f"recorded at position {places[0]}" if places else "not recorded",
            )
            return None
        return {
            "gate": spec.gate,
            "version": spec.version,
            "verdict": "pass",
            **self._place(passed[-1]),
        }

    def _outcome(
        self, kind: type[TestingCompleted] | type[ReviewCompleted], role: str, after: int
    ) -> int | None:
        """Return where testing or review passed; what a role concludes comes after its grounds."""
        name = str(kind.model_fields["type"].default)
        found = list(self._of(kind))
        for envelope, fact in found:
            self._by(envelope, role)
            if fact.outcome != "pass":
                self._problem(f"{name} to pass", f"{fact.outcome} at position {envelope.position}")
        places = [envelope.position for envelope, fact in found if fact.outcome == "pass"]
        good = [place for place in places if after < place < self.before]
        if not good:
            self._problem(
                f"{name} with a pass between positions {after} and {self.before}",
                f"at position {places[0]}" if places else "none",
            )
            return None
        return good[-1]

    def _trials(self, after: int) -> list[dict[str, Json]]:
        opened = list(self._of(TrialOpened, lambda fact: fact.gating))
        announced = {fact.of for _, fact in opened}
        if opened and announced != {len(opened)}:
            self._problem(f"{sorted(announced)} trials, as announced", f"{len(opened)} opened")
        return [self._trial(envelope, fact, after) for envelope, fact in opened]

    def _trial(self, envelope: Envelope, opened: TrialOpened, after: int) -> dict[str, Json]:
        name = f"trial {opened.trial} of {opened.policy.name}"
        if not after < envelope.position < self.before:
            self._problem(
                f"{name} opened between positions {after} and {self.before}",
                f"at position {envelope.position}",
            )
        closed = list(self._of(TrialClosed, lambda fact: fact.trial == opened.trial))
        verdicts = [
            fact.verdict.outcome
            for reached, fact in self._of(VerdictReached, lambda fact: fact.trial == opened.trial)
            if reached.position < self.before
        ]
        if len(verdicts) != opened.k:
            self._problem(f"{name}: {opened.k} verdicts before the admission", str(len(verdicts)))
        counted = (len(verdicts) - verdicts.count("error"), verdicts.count("pass"))
        place: dict[str, Json] = {"event": None, "position": 0}
        for end, fact in closed[:1]:
            place = self._place(end)
            if (fact.n, fact.c) != counted:
                self._problem(
                    f"{name}: {counted[0]} scored and {counted[1]} passed, by its verdicts",
                    f"closed with {fact.n} and {fact.c}",
                )
        if not closed or closed[0][0].position >= self.before:
            where = f"at position {closed[0][0].position}" if closed else "never"
            self._problem(f"{name} closed before position {self.before}", f"closed {where}")
        scored = {"k": opened.k, "n": counted[0], "c": counted[1]}
        return {"policy": opened.policy.name, "trial": opened.trial, **scored, **place}

    def _candidate(self, after: int) -> int | None:
        found = [
            envelope.position for envelope, fact in self._of(PackageCandidate, lambda fact: fact.ok)
        ]
        good = [place for place in found if after < place < self.before]
        if not good:
            self._problem(
                f"package.candidate between positions {after} and {self.before}",
                f"at position {found[0]}" if found else "none",
            )
        return good[-1] if good else None

    def _name(self, position: int | None) -> dict[str, Json] | None:
        for envelope, _ in self.events:
            if envelope.position == position:
                return self._place(envelope)
        return None

    @staticmethod
    def _place(envelope: Envelope) -> dict[str, Json]:
        return {"event": envelope.id, "position": envelope.position}
