"""Choreography: which role answers which event, and the topics that carry both."""

from envwright.events.catalog import FACTS

ROLES: dict[str, tuple[str, ...]] = {
    "planner": ("run.requested", "run.forked", "round.settled"),
    "builder": ("brief.planned", "repair.requested"),
    "tester": ("package.drafted", "package.revised"),
    "critic": ("testing.completed",),
    "solver": ("attempt.requested",),
    "judge": (
        *("review.completed", "package.abandoned", "attempt.finished"),
        *("package.candidate", "package.inherited"),
    ),
}
"""Event types that ring a role's doorbell."""

WRITERS: dict[str, str] = {
    **dict.fromkeys(["source.ingested", "source.profiled", "run.started"], "planner"),
    **dict.fromkeys(["round.opened", "brief.planned", "package.inherited"], "planner"),
    **dict.fromkeys(["run.completed", "run.failed"], "planner"),
    **dict.fromkeys(["package.drafted", "package.revised", "package.abandoned"], "builder"),
    **dict.fromkeys(["gate.evaluated", "testing.completed"], "tester"),
    **dict.fromkeys(["repair.requested", "review.completed"], "critic"),
    **dict.fromkeys(["trial.opened", "attempt.requested", "verdict.reached"], "judge"),
    **dict.fromkeys(["trial.closed", "package.candidate", "package.admitted"], "judge"),
    **dict.fromkeys(["package.rejected", "round.settled"], "judge"),
    **dict.fromkeys(["attempt.started", "turn.taken", "attempt.finished"], "solver"),
}
"""The one role that may write an event type; types that are not named belong to the machinery."""

_ADMITTING = ("package.candidate", "package.inherited")

EVENTS_TOPIC = "envwright.events.v1"
"""Topic of all facts, keyed by correlation id."""


def work_topic(role: str) -> str:
    """Return the topic of a role's doorbells."""
    return f"envwright.work.{role}.v1"


def roles_for(event_type: str) -> tuple[str, ...]:
    """Return the roles that answer an event type."""
    return tuple(role for role, types in ROLES.items() if event_type in types)


def scope_of(event_type: str, run_id: str) -> str | None:
    """Return the scope that allows one claim at a time: admission is one per run."""
    return f"admission/{run_id}" if event_type in _ADMITTING else None


assert all(name in FACTS for types in ROLES.values() for name in types)
