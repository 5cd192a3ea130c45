"""A trial as JSON."""

import pytest

from envwright.agents import as_of
from envwright.console.views.trial import trial_view
from envwright.events.errors import BadInputError
from support.command_line import Finished


def test_a_trial_is_told_with_its_attempts(finished: Finished) -> None:
    with finished.runtime() as runtime:
        opened = next(runtime.log.read_all(types=("trial.opened",)))
        view = trial_view(runtime, opened.data["trial"])
        assert view["package"] == opened.data["package"]
        assert view["digest"] == opened.data["revision"]
        assert (view["k"], view["n"], len(view["attempts"])) == (2, 2, 2)
        then = trial_view(as_of(runtime, opened.position), opened.data["trial"])
        assert (then["n"], then["attempts"], then["pass_hat"]) == (None, [], {})


def test_a_trial_that_nobody_opened_is_unknown(finished: Finished) -> None:
    with finished.runtime() as runtime, pytest.raises(BadInputError, match="no trial 'trl-0'"):
        trial_view(runtime, "trl-0")
