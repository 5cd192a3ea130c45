"""Admission: every slot that is ready, in ordinal order; alone in making set-level checks."""

from envwright.agents.context import Context
from envwright.agents.register import SURPLUS, Register, known_keys
from envwright.agents.slots import RunState, fold_run
from envwright.events.catalog import (
    PackageAdmitted,
    PackageCandidate,
    PackageInherited,
    PackageRejected,
    RoundSettled,
)
from envwright.events.values import Brief


def admit(ctx: Context) -> None:
    """Settle the next slots of the current round as far as they are ready.

    Once N packages are admitted the rest of the round is surplus, whatever its candidates say, so
    nobody needs to wait for them. An inherited package is ready from the start.
    """
    state = fold_run(ctx.read(f"run/{ctx.run_id}"))
    assert state.requested is not None
    tally = RoundTally(state)
    register = Register.of(state, known_keys(ctx, state.requested))
    for ordinal in range(1, state.slots + 1):
        place = (state.round, ordinal)
        if place in state.outcomes:
            continue
        brief = state.briefs[place]
        candidate: PackageCandidate | PackageInherited | None = None
        if not register.full:
            candidate = state.inherited.get(place) or _candidate(ctx, brief.package)
            if candidate is None:
                return
        outcome = _settled(ctx, register, brief, candidate)
        tally.count(outcome)
        ctx.say(outcome)
    if tally.new:
        ctx.say(
            RoundSettled(
                run=ctx.run_id,
                round=state.round,
                admitted=tally.admitted,
                rejected=tally.rejected,
                total_admitted=tally.total,
            )
        )


class RoundTally:
    """Counts of the current round, and of the run so far."""

    def __init__(self, state: RunState) -> None:
        in_round = [fact for place, fact in state.outcomes.items() if place[0] == state.round]
        self.admitted = sum(isinstance(fact, PackageAdmitted) for fact in in_round)
        self.rejected = len(in_round) - self.admitted
        self.total = len(state.admitted)
        self.new = 0

    def count(self, outcome: PackageAdmitted | PackageRejected) -> None:
        """Count one more settled slot."""
        self.new += 1
        if isinstance(outcome, PackageAdmitted):
            self.admitted += 1
            self.total += 1
        else:
            self.rejected += 1


def _settled(
    ctx: Context,
    register: Register,
    brief: Brief,
    candidate: PackageCandidate | PackageInherited | None,
) -> PackageAdmitted | PackageRejected:
    """Settle one slot: admitted, or rejected with its reason; without a candidate as surplus."""
    reason = SURPLUS
    if candidate is not None:
        reason = register.settle(candidate.ok, candidate.reasons, candidate.fingerprint)
        if not reason:
            assert candidate.revision is not None
            return PackageAdmitted(
                run=ctx.run_id,
                package=brief.package,
                revision=candidate.revision,
                round=brief.round,
                ordinal=brief.ordinal,
                number=register.total,
                fingerprint=candidate.fingerprint,
            )
    return PackageRejected(
        run=ctx.run_id,
        package=brief.package,
        revision=candidate.revision if candidate else None,
        round=brief.round,
        ordinal=brief.ordinal,
        reason=reason,
    )


def _candidate(ctx: Context, package: str) -> PackageCandidate | None:
    for envelope in reversed(ctx.read(f"package/{package}")):
        if isinstance(envelope.fact, PackageCandidate):
            return envelope.fact
    return None
