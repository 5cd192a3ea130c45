"""Withdrawal: which deliveries belong to admission, and which of them nobody needs any more."""

from envwright.agents.slots import RunState
from envwright.events.catalog import AttemptFinished, AttemptRequested
from envwright.events.envelope import Envelope


def is_gating(cause: Envelope) -> bool:
    """Say whether an event belongs to the run itself, not to a later trial of a package."""
    fact = cause.fact
    return fact.gating if isinstance(fact, AttemptRequested | AttemptFinished) else True


def is_withdrawn(cause: Envelope, state: RunState) -> bool:
    """Say whether nobody needs the answer any more: the slot is settled or the run is over."""
    about_the_run = cause.correlation_id == cause.run_id
    if about_the_run or not is_gating(cause):
        return False
    return state.settled(cause.correlation_id)
