"""Admission: every slot that is ready, in ordinal order; alone in making set-level checks."""

from envwright.agents.context import Context
from envwright.agents.slots import RunState, fold_run
from envwright.events.catalog import (
    PackageAdmitted,
    PackageCandidate,
    PackageRejected,
    RoundSettled,
)
from envwright.events.values import Brief

SURPLUS = "surplus"
DUPLICATE = "duplicate"
NOT_NOVEL = "not_novel"


def admit(ctx: Context) -> None:
    """Settle the next slots of the current round as far as they are ready.

    Once N packages are admitted the rest of the round is surplus, whatever its candidates say, so
    nobody needs to wait for them.
    """
    state = fold_run(ctx.read(f"run/{ctx.run_id}"))
    assert state.requested is not None
    settled = RoundTally(state)
    keys, known = state.keys, _known_keys(ctx, state)
    for ordinal in range(1, state.slots + 1):
        place = (state.round, ordinal)
        if place in state.outcomes:
            continue
        brief = state.briefs[place]
        if settled.total >= state.requested.settings.count:
            outcome: PackageAdmitted | PackageRejected = _rejected(ctx, brief, SURPLUS)
        else:
            candidate = _candidate(ctx, brief.package)
            if candidate is None:
                return
            outcome = _decide(ctx, brief, candidate, settled.total + 1, keys, known)
        if isinstance(outcome, PackageAdmitted):
            keys |= set(outcome.fingerprint)
        settled.count(outcome)
        ctx.say(outcome)
    if settled.new:
        ctx.say(
            RoundSettled(
                run=ctx.run_id,
                round=state.round,
                admitted=settled.admitted,
                rejected=settled.rejected,
                total_admitted=settled.total,
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


def _decide(
    ctx: Context,
    brief: Brief,
    candidate: PackageCandidate,
    number: int,
    keys: set[str],
    known: set[str],
) -> PackageAdmitted | PackageRejected:
    if not candidate.ok:
        return _rejected(ctx, brief, candidate.reasons[0], candidate.revision)
    if keys & set(candidate.fingerprint):
        return _rejected(ctx, brief, DUPLICATE, candidate.revision)
    if known & set(candidate.fingerprint):
        return _rejected(ctx, brief, NOT_NOVEL, candidate.revision)
    assert candidate.revision is not None
    return PackageAdmitted(
        run=ctx.run_id,
        package=brief.package,
        revision=candidate.revision,
        round=brief.round,
        ordinal=brief.ordinal,
        number=number,
        fingerprint=candidate.fingerprint,
    )


def _rejected(
    ctx: Context, brief: Brief, reason: str, revision: str | None = None
) -> PackageRejected:
    return PackageRejected(
        run=ctx.run_id,
        package=brief.package,
        revision=revision,
        round=brief.round,
        ordinal=brief.ordinal,
        reason=reason,
    )


def _candidate(ctx: Context, package: str) -> PackageCandidate | None:
    for envelope in reversed(ctx.read(f"package/{package}")):
        if isinstance(envelope.fact, PackageCandidate):
            return envelope.fact
    return None


def _known_keys(ctx: Context, state: RunState) -> set[str]:
    """Return the novelty keys of the runs that this run must be new against."""
    assert state.requested is not None
    return {
        key
        for run in state.requested.novel_against
        for envelope in ctx.read(f"run/{run}")
        if envelope.position <= state.requested.novel_position
        and isinstance(envelope.fact, PackageAdmitted)
        for key in envelope.fact.fingerprint
    }
