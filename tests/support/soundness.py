"""Whether a log is sound after whatever happened: for system tests and campaigns."""

from collections import Counter
from dataclasses import dataclass, field

from envwright.agents import Runtime
from envwright.events import GENESIS, roles_for, verify_hashes
from envwright.events.errors import IntegrityError


@dataclass
class Soundness:
    """What was checked of a log, and what was wrong."""

    events: int = 0
    effects: int = 0
    problems: list[str] = field(default_factory=list)


def check_log(runtime: Runtime) -> Soundness:
    """Verify chains, positions and effects, and that every doorbell of a finished run is answered.

    Each effect has one outcome, each attempt one start and end, each verdict one attempt.
    """
    found = Soundness()
    previous: dict[str, str] = {}
    once: Counter[str] = Counter()
    group = runtime.config.group
    finished = {event.run_id for event in runtime.log.read_all(types=["run.completed"])}
    for position, event in enumerate(runtime.log.read_all(), start=1):
        found.events += 1
        if event.position != position:
            found.problems.append(f"position {position} holds {event.position}")
        try:
            verify_hashes(event, previous.get(event.stream, GENESIS))
        except IntegrityError as error:
            found.problems.append(str(error))
        previous[event.stream] = event.hash
        if event.type in _ONCE:
            # A forked run settles packages of its origin once more, on its own stream.
            once[f"{event.type} of {event.data[_ONCE[event.type]]} in {event.run_id}"] += 1
        found.effects += event.type == "effect.completed"
        if event.run_id in finished:
            found.problems += [
                f"{event.type} at {position} was never answered by the {role}"
                for role in roles_for(event.type)
                if runtime.log.inbox(f"{group}.{role}", event.id) is None
            ]
    found.problems += [f"{count} × {what}" for what, count in once.items() if count > 1]
    return found


_ONCE = {
    "effect.completed": "key",
    "effect.requested": "key",
    "package.drafted": "package",
    "package.candidate": "package",
    "package.admitted": "package",
    "package.rejected": "package",
    "attempt.started": "attempt",
    "attempt.finished": "attempt",
    "verdict.reached": "attempt",
    "trial.opened": "trial",
    "trial.closed": "trial",
    "run.completed": "run",
}
"""Events that a run has once, by the field that tells them apart."""
