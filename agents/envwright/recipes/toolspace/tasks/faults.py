"""Faults: one call of a task meets a failure that passes, at a tool that the log shows is retried.

The fault is part of the world's state and strikes by the count of calls, so that every run meets
it; the reference makes the same call again, which adds nothing to the length of the task.
"""

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from envwright.events.values import ToolCall
from envwright.recipes.toolspace.walks.knowledge import Knowledge
from envwright.sandbox.worlds import Fault


class Faulted(NamedTuple):
    """A reference with what its world makes it go through."""

    calls: tuple[ToolCall, ...]
    faults: dict[str, Fault]
    """By the name of the tool in the environment; empty where nothing fails."""


def with_fault(knowledge: Knowledge, calls: Sequence[ToolCall], rate: float, seed: str) -> Faulted:
    """Return the reference with a fault at one of its calls, in a share `rate` of all seeds."""
    rng = Random(f"{seed}/fault")
    errors = {knowledge.names[t]: e for t, e in knowledge.retried.items()}
    places = [place for place, call in enumerate(calls) if call.name in errors]
    if not places or rng.random() >= rate:
        return Faulted(tuple(calls), {})
    place = rng.choice(places)
    name = calls[place].name
    before = sum(call.name == name for call in calls[:place])
    fault = Fault(after=before, error=errors[name])
    return Faulted((*calls[:place], calls[place], *calls[place:]), {name: fault})
