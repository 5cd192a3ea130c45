"""The fingerprint: keys that two packages share if they are alike, also after renaming ids."""

from envwright.events.canonical import Json, digest
from envwright.recipes.toolspace.values import entity_noun, words
from envwright.sandbox.packages import Bundle


def fingerprint(bundle: Bundle) -> tuple[str, ...]:
    """Return the novelty keys of a package: its calls as they are, and with ids renamed.

    An id is what a walk had to find, or what an argument is given that names an id: the same
    errand for another order is the same task. What else the user says is not renamed.
    """
    calls = [[call.name, call.arguments] for call in bundle.solution.calls]
    hidden = {
        fact.value
        for fact in bundle.blueprint.facts
        if fact.visibility == "hidden" and isinstance(fact.value, str | int)
    }
    names: dict[Json, str] = {}
    renamed = [[name, _renamed(arguments, hidden, names, False)] for name, arguments in calls]
    return f"calls:{digest(calls)}", f"shape:{digest(renamed)}"


def _renamed(value: Json, hidden: set[Json], names: dict[Json, str], is_id: bool) -> Json:
    if isinstance(value, dict):
        return {n: _renamed(value[n], hidden, names, _names_an_id(n)) for n in sorted(value)}
    if isinstance(value, list):
        return [_renamed(item, hidden, names, is_id) for item in value]
    if isinstance(value, str | int) and not isinstance(value, bool) and (is_id or value in hidden):
        return names.setdefault(value, f"id-{len(names) + 1}")
    return value


def _names_an_id(name: str) -> bool:
    return bool(entity_noun(name)) or words(name)[-1:] in (["id"], ["ids"])
