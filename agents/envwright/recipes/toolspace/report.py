"""The report: what of a log was understood, grounded or left out, and why."""

from collections import Counter
from collections.abc import Iterator

from envwright.events.canonical import Json
from envwright.recipes.toolspace.mining.namespaces import is_unnamed, split_key
from envwright.recipes.toolspace.profile import Profile, TableProfile, ToolProfile
from envwright.recipes.toolspace.values import singular, words
from envwright.sandbox.worlds import Lookup, describe, tables_written

_DIGITS = 4


def summarise(profile: Profile) -> dict[str, Json]:
    """Return the few figures of a profile that go into an event."""
    grounded = [tool for tool in profile.tools.values() if tool.grounded]
    return {
        "traces": profile.traces,
        "tasks": profile.tasks,
        "calls": profile.calls,
        "tools": len(profile.tools),
        "grounded": len(grounded),
        "tables": {name: len(table.rows) for name, table in sorted(profile.tables.items())},
        "epochs": profile.epochs,
        "edges": dict(sorted(Counter(edge.kind for edge in profile.graph.edges).items())),
        "conflicts": sum(table.conflicts for table in profile.tables.values()),
    }


def report(profile: Profile) -> dict[str, Json]:
    """Return the recipe's part of a run's report."""
    return {
        "mined": {
            "traces": profile.traces,
            "tasks": profile.tasks,
            "calls": profile.calls,
            "tools": len(profile.tools),
            "grounded": sum(tool.grounded for tool in profile.tools.values()),
        },
        "epochs": profile.epochs,
        **_services(profile),
        "tables": {name: _table(table) for name, table in sorted(profile.tables.items())},
        "graph": _graph(profile),
        "fidelity": {key: _fidelity(tool) for key, tool in sorted(profile.tools.items())},
        "fidelity_is": _MEANING,
        "fidelity_threshold": profile.fidelity_threshold,
        "cannot": list(_limits(profile)),
        "retried": sorted(profile.retried),
        "files": _files(profile),
        "decontamination": _decontamination(profile),
    }


_MEANING = (
    "shares of later write calls of held-out tasks that were predicted exactly, errors included; "
    "reads and finders are compared with every call that was recorded before a write. The "
    "programs shown were learnt on all traces"
)


def _limits(profile: Profile) -> Iterator[str]:
    """Say in sentences what the sources do not give, so that nobody takes it for what they do."""
    left = {key: tool for key, tool in profile.tools.items() if not tool.grounded}
    if left:
        names = ", ".join(split_key(key)[1] for key in sorted(left))
        yield f"no task uses {names}: what they do is not proven"
    unread = sorted(n for n, t in profile.tables.items() if not _reads_rows(profile, t))
    if unread:
        yield f"no task comes by rows of {', '.join(unread)}: nothing reads them whole"
    if not profile.entries:
        yield "no task can begin: nothing shows what users know"
    writes = [tool for tool in profile.tools.values() if tool.grounded and _writes(tool)]
    if not writes:
        yield "no task changes anything: no write is grounded"
    recorded = [key for key, tool in profile.tools.items() if tool.recordings]
    if recorded:
        names = ", ".join(split_key(key)[1] for key in sorted(recorded))
        yield f"{names} answer only what was recorded"


def _reads_rows(profile: Profile, table: TableProfile) -> bool:
    reader = profile.tools.get(table.reader)
    return reader is not None and reader.grounded and isinstance(reader.program, Lookup)


def _writes(tool: ToolProfile) -> bool:
    return tool.program is not None and bool(tables_written(tool.program))


def _services(profile: Profile) -> dict[str, Json]:
    """Name the services; where a log names none, its entity types stand in, and it says so."""
    named = {split_key(tool)[0] for tool in profile.tools}
    named = {namespace for namespace in named if not is_unnamed(namespace)}
    types = sorted(name for name, table in profile.tables.items() if is_unnamed(table.namespace))
    note = f"no source names a service for {', '.join(types)}: these are entity types"
    return {"services": sorted(named | set(types)), "services_note": note if types else ""}


def _table(table: TableProfile) -> dict[str, Json]:
    return {
        "namespace": table.namespace,
        "key": table.key,
        "read_by": split_key(table.reader)[1],
        "rows": len(table.rows),
        "recorded": table.recorded,
        "conflicts": table.conflicts,
    }


def _graph(profile: Profile) -> dict[str, Json]:
    """Return the graph's figures, and its tools and edges for a picture."""
    edges = profile.graph.edges
    kinds = {kind: sum(edge.kind == kind for edge in edges) for kind in ("data", "state", "retry")}
    return {
        "tools": len(profile.tools),
        "edges": kinds,
        "nodes": [
            {
                "tool": key,
                "name": split_key(key)[1],
                "group": _group(profile, key, tool),
                "effect": tool.effect,
                "grounded": tool.grounded,
                "calls": tool.calls,
            }
            for key, tool in sorted(profile.tools.items())
        ],
        "links": [
            {
                "kind": edge.kind,
                "source": edge.source,
                "target": edge.target,
                "weight": round(edge.weight, _DIGITS),
                "support": edge.support,
            }
            for edge in edges
        ],
    }


def _group(profile: Profile, key: str, tool: ToolProfile) -> str:
    """Return the entity type that a tool works on, as far as it shows, or else its service."""
    namespace, name = split_key(key)
    tables = {n: t for n, t in profile.tables.items() if t.namespace == namespace}
    own = getattr(tool.program, "table", "")
    if own in tables:
        return str(own)
    said = {singular(word) for word in words(name)}
    # `exchange_order_items` is about the order, which it names first.
    for table in sorted(tables, key=lambda table: (name.find(singular(table)), table)):
        if set(words(singular(table))) <= said:
            return table
    return "" if is_unnamed(namespace) else namespace


def _fidelity(tool: ToolProfile) -> dict[str, Json]:
    program = tool.program if tool.grounded else None
    return {
        "kind": tool.effect if program is None else program.op,
        **_shares(tool),
        "grounded": tool.grounded,
        "status": tool.status,
        "reason": tool.reason,
        "program": None if program is None else describe(program),
    }


def _shares(tool: ToolProfile) -> dict[str, Json]:
    errors = tool.compared - tool.successes_compared
    return {
        "calls": tool.calls,
        "compared": tool.compared,
        "exact": _share(tool.exact, tool.compared),
        "exact_success": _share(tool.exact_successes, tool.successes_compared),
        "exact_error": _share(tool.exact - tool.exact_successes, errors),
        "unpredictable": _share(tool.unpredictable, tool.compared),
    }


def _share(part: int, whole: int) -> float | None:
    """Return a share; None where nothing was compared, for that is not a share of 0."""
    return round(part / whole, _DIGITS) if whole else None


def _decontamination(profile: Profile) -> Json:
    held_out = profile.holdout
    if not held_out.sources:
        return "not checked"
    return {"sources": held_out.sources, "tasks": len(held_out.sequences)}


def _files(profile: Profile) -> dict[str, Json]:
    """Return how many backing files environments need, one a tool, and how many were synthesised.

    A tool whose answers are taken from the log needs none; one that is in no environment is not
    counted at all.
    """
    programs = [tool.program for tool in profile.tools.values() if tool.grounded and tool.program]
    needed = len(programs)
    created = sum(program.op not in _FROM_THE_LOG for program in programs)
    return {
        "needed": needed,
        "created": created,
        "reduction": _share(needed - created, needed),
    }


_FROM_THE_LOG = frozenset({"constant", "recorded"})
