"""Moments: which position a person means, and whether a thing was there."""

import pytest

from envwright.console.identity import Identity, identify
from envwright.console.moment import at_moment, find_moment
from envwright.events.errors import BadInputError
from support.command_line import Finished


def test_a_moment_is_a_position_or_an_event_or_its_beginning(finished: Finished) -> None:
    with finished.runtime() as runtime:
        event = next(runtime.log.read_all(types=("gate.evaluated",)))
        named = [str(event.position), event.id, event.id[:-1]]
        found = [find_moment(runtime, text) for text in named]
        assert {moment.position for moment in found} == {event.position}
        assert found[0].view() == {
            "position": event.position,
            "head": runtime.log.head(),
            "event": event.id,
            "recorded_at": event.recorded_at,
        }
        with pytest.raises(BadInputError, match="of the kind 'run'; expected a position"):
            find_moment(runtime, finished.run)
        with pytest.raises(BadInputError, match="beyond the head"):
            find_moment(runtime, str(runtime.log.head() + 1))


@pytest.mark.parametrize("kind", ["run", "package", "attempt", "trial", "work", "stream", "event"])
def test_before_a_thing_was_there_it_is_said_when_it_came(kind: str, finished: Finished) -> None:
    with finished.runtime() as runtime:
        attempt = next(runtime.log.read_all(types=("attempt.started",)))
        asked = next(runtime.log.read_all(types=("attempt.requested",)))
        trial = next(runtime.log.read_all(types=("trial.opened",)))
        claim = next(runtime.log.read_all(types=("work.claimed",)))
        brief = next(
            e
            for e in runtime.log.read_all(types=("brief.planned",))
            if e.correlation_id == finished.package
        )
        firsts = {
            "run": (finished.run, 1),
            "package": (finished.package, brief.position),
            "attempt": (asked.data["attempt"], asked.position),
            "trial": (trial.data["trial"], trial.position),
            "work": (claim.data["work"], claim.position),
            "stream": (attempt.stream, attempt.position),
            "event": (claim.id, claim.position),
        }
        name, came = firsts[kind]
        identity = identify(runtime, name)
        assert identity.kind == kind
        assert at_moment(runtime, identity, find_moment(runtime, str(came))).log.head() == came
        if came > 1:
            moment = find_moment(runtime, str(came - 1))
            with pytest.raises(BadInputError, match=f"it came at position {came}"):
                at_moment(runtime, identity, moment)


def test_what_was_only_asked_for_was_there_too(finished: Finished) -> None:
    """A brief for which nothing was built has no stream of its own."""
    with finished.runtime() as runtime:
        brief = next(runtime.log.read_all(types=("brief.planned",)))
        moment = find_moment(runtime, str(brief.position))
        past = at_moment(runtime, Identity("package", brief.correlation_id), moment)
        assert past.log.version(f"package/{brief.correlation_id}") == 0


def test_artifacts_have_no_beginning(finished: Finished) -> None:
    with finished.runtime() as runtime:
        moment = find_moment(runtime, "1")
        assert at_moment(runtime, Identity("artifact", "0" * 64), moment).log.head() == 1
