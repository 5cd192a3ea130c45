"""A log like that of real runs, written by hand: cheap enough for a million events."""

from collections.abc import Iterator
from typing import Any

from envwright.events import Fact, NewEvent, derive_id, digest, uuid7, work_id
from envwright.events.catalog import (
    AttemptFinished,
    AttemptRequested,
    AttemptStarted,
    BriefPlanned,
    EffectCompleted,
    EffectRequested,
    GateEvaluated,
    PackageAdmitted,
    PackageCandidate,
    PackageDrafted,
    ReviewCompleted,
    RoundOpened,
    RunCompleted,
    RunRequested,
    TestingCompleted,
    TrialClosed,
    TrialOpened,
    TurnTaken,
    VerdictReached,
    WorkClaimed,
)
from envwright.events.ports import Append, ArtifactStore, Commit, InboxEntry, Log
from envwright.events.values import (
    Actor,
    ArtifactRef,
    Brief,
    GateResult,
    GateSpec,
    Observation,
    PolicySpec,
    RunSettings,
    ToolCall,
    Turn,
    Verdict,
)
from envwright.sandbox.gates import gate_set_digest

GATES = tuple(GateSpec(gate=name) for name in ("executable", "reference_passes", "no_leak"))
POLICY = PolicySpec(name="searcher")
TURNS = 10
PACKAGE_EVENTS = 22 + TURNS
"""Events of one package, from its brief to its admission."""


class Writer:
    """Writes events of one run in the order in which they are said, with their causes."""

    def __init__(self, log: Log, artifacts: ArtifactStore, run: str = "run-1") -> None:
        self.log, self.artifacts, self.run = log, artifacts, run
        self._pending: list[NewEvent] = []
        self._handled: list[InboxEntry] = []

    def say(self, role: str, fact: Fact, cause: NewEvent | None = None, **more: Any) -> NewEvent:
        """Add an event; `more` are header fields."""
        package = str(getattr(fact, "package", self.run))
        fields: dict[str, Any] = {
            "fact": fact,
            "run_id": self.run,
            "correlation_id": package,
            "actor": Actor(role=role, instance="host@1:7:99", code_version="0"),
            "idempotency_key": uuid7(),
            "causation_id": None if cause is None else cause.id,
            "metrics": {"seconds": 0.01},
        }
        event = NewEvent(**{**fields, **more})
        self._pending.append(event)
        return event

    def handled(self, group: str, cause: NewEvent) -> None:
        """Say that a group has finished its work on an event."""
        work = work_id(group, cause.id)
        self._handled.append(InboxEntry(group=group, event_id=cause.id, work=work, basis={}))

    def commit(self) -> None:
        """Record what was said, each stream's events in their order, and what was handled."""
        appends: list[Append] = []
        for event in self._pending:
            if appends and appends[-1].stream == event.fact.stream:
                last = appends.pop()
                event_list = (*last.events, event)
                appends.append(Append(stream=last.stream, events=event_list))
            else:
                appends.append(Append(stream=event.fact.stream, events=(event,)))
        self.log.commit(Commit(appends=tuple(appends)))
        for entry in self._handled:
            self.log.commit(Commit(inbox=entry))
        self._pending, self._handled = [], []


def write_run(writer: Writer, packages: int, *, batch: int = 1, settle: bool = True) -> None:
    """Write a run that admits some packages, committing so many at a time."""
    run = writer.run
    settings = RunSettings(recipe="toolspace", count=max(packages, 1), panel=(POLICY,), attempts=1)
    asked = writer.say("operator", RunRequested(run=run, settings=settings, sources=()))
    opened = RoundOpened(run=run, round=1, slots=max(packages, 1))
    writer.say("planner", opened, asked)
    for number in range(1, packages + 1):
        write_package(writer, asked, number)
        if number % batch == 0:
            writer.commit()
    if settle:
        done = RunCompleted(run=run, admitted=packages, requested=packages, shortfall=0,
                            reason="enough")  # fmt: skip
        writer.say("planner", done, asked)
    writer.commit()


def write_package(writer: Writer, asked: NewEvent, number: int) -> str:
    """Write a package from its brief to its admission; returns its id."""
    run, package = writer.run, derive_id("package", writer.run, "toolspace", 1, number)
    revision = digest([package, "revision"])
    evidence = writer.artifacts.put(b"evidence %d" % (number % 50), "application/json")
    bundle = writer.artifacts.put(b"bundle", "application/json")
    brief = Brief(package=package, recipe="toolspace", recipe_version="1", round=1, ordinal=number,
                  content_seed=digest(number))  # fmt: skip
    planned = writer.say(
        "planner", BriefPlanned(run=run, brief=brief), asked, correlation_id=package
    )
    made = PackageDrafted(
        package=package, round=1, ordinal=number, revision=revision, bundle=bundle,
        gate_set=GATES, gate_set_digest=gate_set_digest(GATES),
    )  # fmt: skip
    drafted = writer.say("builder", made, planned)
    _test(writer, drafted, made, evidence)
    tested = TestingCompleted(package=package, revision=revision, outcome="pass")
    testing = writer.say("tester", tested, drafted)
    reviewed = ReviewCompleted(package=package, revision=revision, outcome="pass")
    review = writer.say("critic", reviewed, testing)
    finished = _attempt(writer, review, made)
    candidate = PackageCandidate(
        package=package, run=run, round=1, ordinal=number, revision=revision, ok=True
    )
    ready = writer.say("judge", candidate, finished)
    admitted = PackageAdmitted(
        run=run, package=package, revision=revision, round=1, ordinal=number, number=number
    )
    writer.say("judge", admitted, ready)
    return package


def _test(writer: Writer, drafted: NewEvent, made: PackageDrafted, evidence: ArtifactRef) -> None:
    work, group = work_id("envwright.tester", drafted.id), "envwright.tester"
    claim = WorkClaimed(work=work, group=group, cause=drafted.id, token=1, try_number=1)
    writer.say("system", claim, drafted)
    for index, spec in enumerate(GATES):
        key = digest([work, index])
        result = GateResult(gate=spec.gate, version="1", verdict="pass", evidence=evidence)
        asked = EffectRequested(
            work=work, key=key, kind="gate", effect_class="pure", node="evaluate", task=index,
            ordinal=0, try_number=1, request=digest(spec.gate), token=1,
        )  # fmt: skip
        writer.say("system", asked, drafted)
        done = EffectCompleted(work=work, key=key, ok=True, result=result.model_dump(mode="json"))
        writer.say("system", done, drafted)
    for spec in GATES:
        result = GateResult(gate=spec.gate, version="1", verdict="pass", evidence=evidence)
        fact = GateEvaluated(package=made.package, revision=made.revision, result=result)
        writer.say("tester", fact, drafted)
    writer.handled(group, drafted)


def _attempt(writer: Writer, review: NewEvent, made: PackageDrafted) -> NewEvent:
    package, revision = made.package, made.revision
    trial, attempt = derive_id("trial", package), derive_id("attempt", package)
    opened = TrialOpened(package=package, revision=revision, trial=trial, index=1, of=1,
                         policy=POLICY, k=1, seeds=(1,))  # fmt: skip
    writer.say("judge", opened, review)
    asked = AttemptRequested(
        package=package, revision=revision, bundle=made.bundle, trial=trial, attempt=attempt,
        index=0, policy=POLICY, seed=1, max_turns=TURNS,
    )  # fmt: skip
    request = writer.say("judge", asked, review)
    about = {"correlation_id": package}
    started = AttemptStarted(attempt=attempt, package=package, revision=revision, policy=POLICY,
                             seed=1, task_digest="a" * 64, state_digest="b" * 64)  # fmt: skip
    writer.say("solver", started, request, **about)
    for turn in _turns():
        writer.say("solver", TurnTaken(attempt=attempt, turn=turn), request, **about)
    ended = AttemptFinished(
        attempt=attempt, package=package, revision=revision, bundle=made.bundle, trial=trial,
        index=0, seed=1, outcome="answer", answer="done", turns=TURNS,
    )  # fmt: skip
    finished = writer.say("solver", ended, request)
    verdict = Verdict(outcome="pass", reward=1.0)
    writer.say("judge", VerdictReached(package=package, revision=revision, trial=trial,
                                       attempt=attempt, index=0, verdict=verdict),
               finished)  # fmt: skip
    closed = TrialClosed(package=package, revision=revision, trial=trial, policy=POLICY.name, n=1,
                         c=1, pass_hat={"1": 1.0})  # fmt: skip
    writer.say("judge", closed, finished)
    return finished


def _turns() -> Iterator[Turn]:
    for index in range(1, TURNS + 1):
        call = ToolCall(name="get_order", arguments={"order_id": f"#W{index:07d}"})
        seen = Observation(ok=True, value={"status": "delivered", "items": ["lamp", "desk"]})
        yield Turn(index=index, calls=(call,), observations=(seen,), state_digest="c" * 64)
