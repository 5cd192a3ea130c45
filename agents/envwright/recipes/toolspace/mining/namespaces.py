"""Namespaces: which sources speak of the same tools, so that equal names never merge by accident.

A namespace is the service that a log names, else a digest of the tools of the sources that
share at least half of their signatures.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from envwright.events.canonical import digest
from envwright.recipes.toolspace.calls import Call, CallLog, Declaration, Manifest, Trace
from envwright.recipes.toolspace.mining.outcomes import told_apart

SHARED = 0.5
"""Share of the smaller source's tools that must match in a namespace of two sources (ours)."""

Signatures = dict[str, frozenset[str]]
"""Tool name to the names of its arguments."""


class Namespaced(NamedTuple):
    """The traces under tool keys, in their one order, and the declarations by tool key."""

    traces: tuple[Trace, ...]
    declared: dict[str, Declaration]


_UNNAMED = "tools-"


def is_unnamed(namespace: str) -> bool:
    """Say whether a namespace is a digest because no source names the service."""
    return namespace.startswith(_UNNAMED)


def tool_key(namespace: str, name: str) -> str:
    """Return the key of a tool."""
    return f"{namespace}.{name}"


def split_key(key: str) -> tuple[str, str]:
    """Return namespace and name of a tool key; names may hold dots, namespaces do not."""
    namespace, _, name = key.partition(".")
    return namespace, name


def settle(logs: Sequence[CallLog], manifests: Sequence[Manifest]) -> Namespaced:
    """Give every tool its key; the result does not depend on the order of the sources."""
    groups = _groups([_signatures(log.traces) for log in logs])
    names = _names(groups, [_signatures(log.traces) for log in logs])
    keyed = [_keyed(log.traces, names[index]) for index, log in enumerate(logs)]
    traces = told_apart(trace for log in keyed for trace in log)
    traces.sort(key=Trace.identity)
    known: dict[str, Signatures] = {}
    for trace in traces:
        for call in trace.calls:
            namespace, name = split_key(call.tool)
            tools = known.setdefault(namespace, {})
            tools[name] = tools.get(name, frozenset()) | call.arguments.keys()
    return Namespaced(tuple(traces), _declared(manifests, known))


def _signatures(traces: Iterable[Trace]) -> Signatures:
    signatures: dict[str, set[str]] = {}
    for trace in traces:
        for call in trace.calls:
            if not call.service:
                signatures.setdefault(call.tool, set()).update(call.arguments)
    return {tool: frozenset(names) for tool, names in signatures.items()}


def _match(left: Signatures, right: Signatures) -> bool:
    smaller = min(len(left), len(right))
    shared = [t for t in left if t in right and _alike(left[t], right[t])]
    return smaller > 0 and len(shared) >= SHARED * smaller


def _alike(left: frozenset[str], right: frozenset[str]) -> bool:
    # Optional arguments may be missing on one side, so one set need only mostly cover the other.
    return left == right or 2 * len(left & right) >= len(left | right)


def _groups(signatures: list[Signatures]) -> list[int]:
    groups = list(range(len(signatures)))
    for i, left in enumerate(signatures):
        for j in range(i):
            if groups[i] != groups[j] and _match(left, signatures[j]):
                groups = [groups[j] if group == groups[i] else group for group in groups]
    return groups


def _names(groups: list[int], signatures: list[Signatures]) -> list[str]:
    merged: dict[int, dict[str, frozenset[str]]] = {}
    for group, tools in zip(groups, signatures, strict=True):
        held = merged.setdefault(group, {})
        for tool, names in tools.items():
            held[tool] = held.get(tool, frozenset()) | names
    texts = {
        group: digest([[tool, sorted(tools[tool])] for tool in sorted(tools)])[:8]
        for group, tools in merged.items()
    }
    return [f"{_UNNAMED}{texts[group]}" for group in groups]


def _keyed(traces: Sequence[Trace], namespace: str) -> list[Trace]:
    keyed = [tuple(_keyed_call(call, namespace) for call in trace.calls) for trace in traces]
    # Logs of different services number their tasks alike.
    own = "+".join(sorted({split_key(call.tool)[0] for calls in keyed for call in calls}))
    return [
        replace(trace, task=tool_key(own, trace.task), calls=calls)
        for trace, calls in zip(traces, keyed, strict=True)
    ]


def _keyed_call(call: Call, namespace: str) -> Call:
    # Dots separate namespace and name, so a service's own dots give way.
    own = call.service.casefold().replace(".", "-") if call.service else namespace
    return replace(call, tool=tool_key(own, call.tool), service="")


def _declared(
    manifests: Sequence[Manifest], known: dict[str, Signatures]
) -> dict[str, Declaration]:
    declared: dict[str, Declaration] = {}
    ordered = sorted(manifests, key=lambda m: digest([[t.name, t.parameters] for t in m.tools]))
    for manifest in ordered:
        for namespace in _namespaces_of(manifest, known):
            for tool in manifest.tools:
                declared.setdefault(tool_key(namespace, tool.name), tool)
    return declared


def _namespaces_of(manifest: Manifest, known: dict[str, Signatures]) -> list[str]:
    service = manifest.service.casefold().replace(".", "-")
    if service in known:
        return [service]
    tools = {tool.name: frozenset(tool.parameters["properties"]) for tool in manifest.tools}
    shares = {
        namespace: len([t for t in seen if t in tools and seen[t] <= tools[t]])
        / min(len(seen), len(tools))
        for namespace, seen in known.items()
    }
    best = max(shares.values(), default=0.0)
    return [name for name, share in sorted(shares.items()) if share == best and share >= SHARED]
