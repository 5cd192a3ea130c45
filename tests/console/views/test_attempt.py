"""An attempt as JSON."""

import pytest

from envwright.console.views.attempt import attempt_view
from envwright.events.errors import BadInputError
from support.command_line import Finished


def test_an_attempt_has_its_turns_and_its_verdict(finished: Finished) -> None:
    with finished.runtime() as runtime:
        ended = next(runtime.log.read_all(types=("attempt.finished",))).data
        view = attempt_view(runtime, ended["attempt"])
    assert (view["status"], view["outcome"]) == ("finished", ended["outcome"])
    assert len(view["turns"]) == ended["turns"]
    assert view["verdict"]["outcome"] in ("pass", "fail")
    assert (view["package"], view["trial"]) == (ended["package"], ended["trial"])
    assert view["gating"] is True


def test_an_attempt_that_nobody_asked_for_is_bad_input(finished: Finished) -> None:
    with finished.runtime() as runtime, pytest.raises(BadInputError, match="never asked for"):
        attempt_view(runtime, "att-none")
