"""Ancestry: what a forked run has from the runs before it, for reports; nothing decides from it."""

from collections.abc import Iterator

from envwright.agents.fork import origin_state
from envwright.agents.runtime import Runtime
from envwright.agents.slots import RunState
from envwright.events.canonical import Json
from envwright.events.catalog import PackageAdmitted, SourceIngested
from envwright.events.envelope import Envelope


def ancestors(runtime: Runtime, run_id: str) -> tuple[str, ...]:
    """Return a run and the runs that it was forked from, the oldest last."""
    found = [run_id]
    while (fork := runtime.run_state(found[-1]).forked) is not None:
        found.append(fork.origin)
    return tuple(found)


def source_events(runtime: Runtime, run_id: str) -> Iterator[Envelope]:
    """Yield how each source of a run was read: by itself, or by the run that it was forked from."""
    asked = runtime.run_state(run_id).requested
    family = ancestors(runtime, run_id)
    for source in asked.sources if asked else ():
        read = {
            envelope.run_id: envelope
            for envelope in runtime.log.read(f"source/{source.artifact.digest}")
            if envelope.run_id in family
            and isinstance(envelope.fact, SourceIngested)
            and envelope.fact.name == source.name
        }
        nearest = next((run for run in family if run in read), None)
        if nearest is not None:
            yield read[nearest]


def inherited_events(runtime: Runtime, state: RunState) -> Iterator[Envelope]:
    """Yield the events of each inherited package, as they were at the point of the fork."""
    if state.forked is None:
        return
    for inherited in state.inherited.values():
        for envelope in runtime.log.read(f"package/{inherited.package}"):
            if envelope.position > state.forked.at:
                break
            yield envelope


def fork_part(runtime: Runtime, state: RunState) -> dict[str, Json] | None:
    """Return where a run was forked from and what it took over; None of one that was not forked.

    `rerun` counts slots that the origin had settled and this run does anew, `fresh` all others.
    """
    fork = state.forked
    if fork is None:
        return None
    settled = origin_state(runtime, fork).outcomes.keys()
    anew = state.briefs.keys() - state.inherited.keys()
    taken = [place for place, out in state.outcomes.items() if isinstance(out, PackageAdmitted)]
    return {
        "origin": fork.origin,
        "at": fork.at,
        "event": fork.event,
        "set": fork.set,
        "inherited": len(state.inherited),
        "inherited_admitted": sum(place in state.inherited for place in taken),
        "rerun": len(anew & settled),
        "fresh": len(anew - settled),
        "ancestors": list(ancestors(runtime, fork.run)[1:]),
    }
