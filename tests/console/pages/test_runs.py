"""The page of the list of runs."""

import pytest

from envwright.console.pages.runs import runs_page
from envwright.console.terminal import print_page

RUN = {
    "run": "run-1",
    "recipe": "desk",
    "seed": 1,
    "status": "running",
    "admitted": 0,
    "requested": 2,
    "round": 1,
    "workers": 0,
    "requested_at": "2024-01-01T10:00:00Z",
    "sources": ["a", "b"],
    "origin": None,
}


def test_a_run_that_nobody_works_on_comes_with_the_way_to_go_on() -> None:
    assert len(list(runs_page({"runs": [RUN]}))) == 2
    assert len(list(runs_page({"runs": [{**RUN, "workers": 1}]}))) == 1
    assert len(list(runs_page({"runs": [{**RUN, "status": "completed"}]}))) == 1


def test_nobody_is_said_to_work_on_a_run_of_the_past_or_not() -> None:
    assert len(list(runs_page({"runs": [{**RUN, "workers": None}]}))) == 1


def test_a_forked_run_names_its_origin(capsys: pytest.CaptureFixture[str]) -> None:
    print_page(*runs_page({"runs": [{**RUN, "origin": "run-0"}]}))
    assert "run-0" in capsys.readouterr().out


def test_an_empty_list_says_how_a_run_begins() -> None:
    assert len(list(runs_page({"runs": []}))) == 1
