"""The held-out set: tasks that were set aside for evaluation, as marks that a gate looks for.

A source whose name begins with `holdout/` is one: a tool log, of which each trace is a task, or
the `solution/calls.json` of a package.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field

from envwright.events.errors import BadInputError
from envwright.events.values import ToolCall, Value
from envwright.recipes.recipe import Ingested
from envwright.recipes.toolspace.calls import CallLog
from envwright.recipes.toolspace.readers import read_source
from envwright.sandbox.gates import mark_calls


@dataclass(frozen=True, slots=True)
class HeldOut:
    """A held-out source: the calls of each task."""

    tasks: tuple[tuple[ToolCall, ...], ...] = field(repr=False)


class HoldoutMarks(Value):
    """What is looked for, sorted; both empty where nothing was held out."""

    sources: int = 0
    sequences: tuple[str, ...] = ()
    grams: tuple[str, ...] = ()


def read_holdout(name: str, data: bytes) -> Ingested:
    """Read a held-out source.

    Raises:
        BadInputError: it holds no calls in a form that is known.
    """
    calls = _solution(data)
    if calls is not None:
        return Ingested(name, "solution", 1, len(calls), 0, (), HeldOut((calls,)))
    read = read_source(name, data)
    if not isinstance(read.material, CallLog):
        raise BadInputError(
            f"{name} holds no tool calls; hold out a tool log or solution/calls.json"
        )
    tasks = tuple(
        tuple(ToolCall(name=call.tool, arguments=call.arguments) for call in trace.calls)
        for trace in read.material.traces
    )
    return Ingested(
        read.name, read.format, read.records, read.calls, read.skipped, read.skips, HeldOut(tasks)
    )


def holdout_marks(sources: Sequence[Ingested]) -> HoldoutMarks:
    """Return the marks of all held-out sources together."""
    held_out = [source.material for source in sources if isinstance(source.material, HeldOut)]
    marks = [mark_calls(task) for one in held_out for task in one.tasks if task]
    return HoldoutMarks(
        sources=len(held_out),
        sequences=tuple(sorted({mark.sequence for mark in marks})),
        grams=tuple(sorted({gram for mark in marks for gram in mark.grams})),
    )


def _solution(data: bytes) -> tuple[ToolCall, ...] | None:
    try:
        found = json.loads(data)
        calls = found["calls"]
        return tuple(ToolCall(name=c["name"], arguments=c["arguments"]) for c in calls)
    except (ValueError, KeyError, TypeError):
        return None
