"""The page of the list of runs."""

from envwright.console.pages.runs import runs_page

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
}


def test_a_run_that_nobody_works_on_comes_with_the_way_to_go_on() -> None:
    assert len(list(runs_page({"runs": [RUN]}))) == 2
    assert len(list(runs_page({"runs": [{**RUN, "workers": 1}]}))) == 1
    assert len(list(runs_page({"runs": [{**RUN, "status": "completed"}]}))) == 1


def test_an_empty_list_says_how_a_run_begins() -> None:
    assert len(list(runs_page({"runs": []}))) == 1
