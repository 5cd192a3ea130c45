"""The report: what of a log was understood, grounded or left out, and why."""

from envwright.events.canonical import Json
from envwright.recipes.toolspace.mining.namespaces import is_unnamed
from envwright.recipes.toolspace.profile import Profile, ToolProfile


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
        "conflicts": sum(table.conflicts for table in profile.tables.values()),
    }


def report(profile: Profile) -> dict[str, Json]:
    """Return the recipe's part of a run's report."""
    named = {t.namespace for t in profile.tables.values() if not is_unnamed(t.namespace)}
    entity_types = {n for n, t in profile.tables.items() if is_unnamed(t.namespace)}
    return {
        **summarise(profile),
        "services": sorted(named | entity_types),
        "services_are_entity_types": sorted(entity_types),
        "fidelity_is": "in-sample: every program is compared with the calls it was fitted on",
        "fidelity": {key: _fidelity(tool) for key, tool in sorted(profile.tools.items())},
        "decontamination": "not checked",
    }


def _fidelity(tool: ToolProfile) -> dict[str, Json]:
    program = tool.program if tool.grounded else None
    return {
        "kind": program.op if program is not None else tool.effect,
        "calls": tool.calls,
        "compared": tool.compared,
        "exact": tool.exact / tool.compared if tool.compared else 0.0,
        "grounded": tool.grounded,
        "status": tool.status,
        "reason": tool.reason,
        "program": program.model_dump(mode="json") if program is not None else None,
    }
