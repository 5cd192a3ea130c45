"""Events and pieces of work as JSON."""

import pytest

from envwright.console.views.stream import event_view, work_view
from envwright.events.errors import BadInputError
from support.command_line import Finished


def test_an_event_comes_with_those_that_answer_it(finished: Finished) -> None:
    with finished.runtime() as runtime:
        planned = next(runtime.log.read_all(types=("brief.planned",)))
        view = event_view(runtime, planned.id)
    assert view["event"]["id"] == planned.id
    assert "package.drafted" in [answer["type"] for answer in view["answers"]]


def test_work_tells_how_it_was_claimed_and_ended(finished: Finished) -> None:
    with finished.runtime() as runtime:
        claim = next(runtime.log.read_all(types=("work.claimed",)))
        view = work_view(runtime, claim.data["work"])
        assert work_view(runtime, "wrk-none") == {"work": "wrk-none", "state": None, "events": []}
        with pytest.raises(BadInputError, match="no event"):
            event_view(runtime, "none")
    assert view["state"] == "done"
    assert view["events"][0]["type"] == "work.claimed"
