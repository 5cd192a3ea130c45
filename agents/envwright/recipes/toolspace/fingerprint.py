"""The fingerprint: keys that two packages share if they are alike, also after renaming ids."""

from envwright.events.canonical import Json, digest
from envwright.sandbox.packages import Bundle


def fingerprint(bundle: Bundle) -> tuple[str, ...]:
    """Return the novelty keys of a package: its calls as they are, and with found ids renamed.

    What the user gave is not renamed: another person with another wish is another task.
    """
    calls = [[call.name, call.arguments] for call in bundle.solution.calls]
    hidden = {
        fact.value
        for fact in bundle.blueprint.facts
        if fact.visibility == "hidden" and isinstance(fact.value, str | int)
    }
    names: dict[Json, str] = {}
    renamed = [[name, _renamed(arguments, hidden, names)] for name, arguments in calls]
    return f"calls:{digest(calls)}", f"shape:{digest(renamed)}"


def _renamed(value: Json, hidden: set[Json], names: dict[Json, str]) -> Json:
    if isinstance(value, dict):
        return {name: _renamed(value[name], hidden, names) for name in sorted(value)}
    if isinstance(value, list):
        return [_renamed(item, hidden, names) for item in value]
    if isinstance(value, str | int) and value in hidden:
        return names.setdefault(value, f"id-{len(names) + 1}")
    return value
