"""An audit in words: what each check asks, and what the findings come to."""

from envwright.events.canonical import Json

CHECKS: dict[str, str] = {
    "positions": "Does the log have every position, from the first to its head?",
    "checkpoints": "Is every signed checkpoint genuine, and is the log still what it signed?",
    "anchors": "Is the log what the copies of its checkpoints outside of it say?",
    "chains": "Is every payload, header and column of every event what its hash says?",
    "artifacts": "Is every file that an event names there, with the content it had?",
    "reading": "Can every event be read?",
    "roles": "Was every event written by the one role that may write it?",
    "causality": "Does every event answer an earlier one of its run that is its role's to answer?",
    "effects": "Does every outcome belong to a request, and to only one?",
    "claims": "Did every piece of work that was taken come to an end?",
    "admissions": "Did each admitted revision pass its whole gate set, review and trials before?",
    "anchored": "Is every event under an anchor?",
}
"""What each check asks, for people."""


def verdict(found: dict[str, Json]) -> str:
    """Return the outcome of an audit in a sentence or two."""
    what = f"run {found['run']}" if found["run"] else "this home"
    failed = [name for name, check in found["checks"].items() if not check["ok"]]
    if failed:
        many = sum(found["checks"][name]["failed"] for name in failed)
        return (
            f"The record of {what} does not hold: {many} failure{'s' if many > 1 else ''} in "
            f"{', '.join(failed)}. What follows from it should not be relied on."
        )
    count = found["checks"]["admissions"]["checked"]
    few = {0: "It admitted nothing", 1: "Its one admission was earned"}
    said = few.get(count, f"Each of its {count} admissions was earned")
    return f"The record of {what} holds. {said}. {_covered(found)}"


def _covered(found: dict[str, Json]) -> str:
    if not found["anchored_to"]:
        return (
            "No anchor vouches for it: that nobody rewrote all of it is not proved, only that it "
            "is consistent in itself."
        )
    if found["unanchored"]:
        return (
            f"Up to position {found['anchored_to']} anchors outside of it vouch for it; "
            f"{found['unanchored']} later events are not proved."
        )
    return "Anchors outside of it vouch for all of it."
