"""Outcomes: results that say in a field of their own whether the call did what was asked.

Many servers answer `{"ok": false, …}` where others fail. A field counts only where one service's
results show it both ways, so that a plain value which happens to be called `success` stays one.
"""

import json
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from envwright.recipes.toolspace.calls import Call, Trace

FLAGS: Final = {"ok": True, "success": True, "succeeded": True, "failed": False}
"""Fields that tell the outcome, and the value that they have when it is good."""

Flags = dict[str, frozenset[str]]
"""Namespace to the fields that tell outcomes there."""


def told_apart(traces: Iterable[Trace]) -> list[Trace]:
    """Return the traces with every call failed that its result says has failed.

    The whole result is the error text then, as JSON: nothing of what was recorded is lost.
    """
    kept = list(traces)
    flags = _flags(kept)
    return [
        replace(trace, calls=tuple(_judged(call, flags) for call in trace.calls)) for trace in kept
    ]


def _flags(traces: Iterable[Trace]) -> Flags:
    seen: dict[tuple[str, str], set[bool]] = defaultdict(set)
    for trace in traces:
        for call in trace.calls:
            for name in _told(call):
                seen[_service(call), name].add(call.value[name])
    found: dict[str, set[str]] = defaultdict(set)
    for (namespace, name), values in seen.items():
        if len(values) == 2:
            found[namespace].add(name)
    return {namespace: frozenset(names) for namespace, names in found.items()}


def _told(call: Call) -> list[str]:
    if not call.ok or not isinstance(call.value, dict):
        return []
    return [name for name in FLAGS if isinstance(call.value.get(name), bool)]


def _judged(call: Call, flags: Flags) -> Call:
    own = flags.get(_service(call), frozenset())
    if not any(name in own and call.value[name] is not FLAGS[name] for name in _told(call)):
        return call
    text = json.dumps(call.value, ensure_ascii=False, sort_keys=True)
    return replace(call, ok=False, value=text)


def _service(call: Call) -> str:
    return call.tool.partition(".")[0]
