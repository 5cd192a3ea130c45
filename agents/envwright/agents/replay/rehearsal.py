"""Rehearsal: the handler of one recorded delivery, run alone on what it had then."""

from dataclasses import dataclass

from opentelemetry.trace import NoOpTracerProvider

from envwright.agents.context import Context, Ports
from envwright.agents.handlers import Handler
from envwright.agents.replay.findings import RecordedDelivery
from envwright.agents.replay.guard import Guard, Reading
from envwright.agents.replay.recorded_ports import PinnedJournal, SaidLog, ScratchArtifacts
from envwright.agents.runtime import Runtime
from envwright.agents.streams import StreamsAsOf
from envwright.agents.tracing import Tracing
from envwright.events import NewEvent
from envwright.events.catalog import WorkClaimed
from envwright.events.envelope import Envelope
from envwright.events.errors import InfrastructureError, IntegrityError
from envwright.events.ports import Claim, Delivery, InboxEntry, Work
from envwright.events.values import Actor

_STORE = "envwright.store"


@dataclass(frozen=True)
class Rehearsed:
    """What a handler did when it was run alone."""

    said: list[NewEvent]
    """What it committed, in order; nothing of it was recorded."""
    parts: list[int]
    """How many events it had said at each commit, the last one apart."""
    basis: dict[str, int]
    served: int
    """Effects that came from the journal."""
    unasked: tuple[str, ...]
    """Keys of recorded effects that it did not ask for."""
    readings: tuple[Reading, ...]
    """Where its code read what no replay can repeat."""
    problems: tuple[str, ...]
    """What went wrong: an effect that is not recorded so, and last what ended the handler."""


class Stage:
    """Runs handlers on recorded deliveries, one after the other, and writes nothing."""

    def __init__(self, runtime: Runtime) -> None:
        """Take the ports of a home that was opened without checkpoints."""
        self._runtime = runtime
        self._handler = Handler(runtime)
        self._tracing = Tracing(NoOpTracerProvider())

    def rehearse(self, delivery: RecordedDelivery, cause: Envelope, entry: InboxEntry) -> Rehearsed:
        """Run the handler of a delivery on its cause, basis and recorded effects.

        Raises:
            InfrastructureError: the home cannot be read.
            IntegrityError: nothing says who claimed the work.
        """
        runtime, guard = self._runtime, Guard()
        claim = self._claim(delivery, cause)
        journal = PinnedJournal(runtime.journal.recorded(claim), entry.basis)
        log = SaidLog(runtime.log, delivery.work, guard)
        ctx = Context(
            ports=Ports(
                log=log,
                artifacts=ScratchArtifacts(runtime.artifacts),
                streams=StreamsAsOf(runtime.streams, cause.position, entry.basis),
                tracing=self._tracing,
            ),
            delivery=Delivery(envelope=cause, work=claim.work, role=delivery.role),
            claim=claim,
            journal=journal,
            actor=Actor(role=delivery.role, instance="replay", code_version=runtime.code_version),
        )
        error = self._run(ctx, guard)
        problems = [str(problem) for problem in journal.problems]
        if error is not None and error not in journal.problems:
            problems.append(f"{type(error).__name__}: {error}")
        parts = log.parts if error is not None else log.parts[:-1]
        return Rehearsed(
            said=log.said,
            parts=parts,
            basis=ctx.basis,
            served=journal.served,
            unasked=journal.unasked(),
            readings=guard.readings,
            problems=tuple(problems),
        )

    def _run(self, ctx: Context, guard: Guard) -> Exception | None:
        """Run the handler as a worker does; what it fails with is a finding, if it is its own."""
        try:
            with guard:
                self._handler.handle(ctx)
            ctx.commit()
        except MemoryError:
            raise
        except Exception as error:
            # A home that cannot be read says nothing about the record.
            if isinstance(error, InfrastructureError) and _is_raised_in(error, _STORE):
                raise
            return error
        return None

    def _claim(self, delivery: RecordedDelivery, cause: Envelope) -> Claim:
        """Return the claim under which the delivery was handled: the last one there was."""
        events = self._runtime.log.read(f"work/{delivery.work}")
        claims = [event for event in events if isinstance(event.fact, WorkClaimed)]
        if not claims:
            raise IntegrityError(f"nobody claimed the work {delivery.work} that is done")
        fact = claims[-1].fact
        assert isinstance(fact, WorkClaimed)
        work = Work(
            work=delivery.work,
            group=delivery.group,
            cause=cause.id,
            stream=cause.stream,
            position=cause.position,
            run_id=cause.run_id,
            correlation_id=cause.correlation_id,
        )
        return Claim(work=work, holder="replay", token=fact.token, try_number=fact.try_number)


def _is_raised_in(error: Exception, package: str) -> bool:
    """Say whether an error comes from a package: its last frame of ours is in there."""
    module, traceback = "", error.__traceback__
    while traceback is not None:
        name = str(traceback.tb_frame.f_globals.get("__name__", ""))
        module = name if name.startswith("envwright.") else module
        traceback = traceback.tb_next
    return module.startswith(f"{package}.")
