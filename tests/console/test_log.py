"""The command `events`."""

import json
from typing import Any

import pytest

from envwright.console import log
from envwright.events.catalog import RunResumed
from support.command_line import Finished, answer, envwright


def lines(finished: Finished, *arguments: object) -> list[dict[str, Any]]:
    """Return what `events` prints."""
    result = envwright("events", "--home", finished.home, *arguments)
    assert result.exit_code == 0, result.stderr
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_the_whole_log_is_one_line_for_each_position(finished: Finished) -> None:
    positions = [event["position"] for event in lines(finished)]
    assert positions == list(range(1, len(positions) + 1))
    assert len(positions) >= finished.report["events"]


def test_events_are_chosen_by_run_stream_type_and_position(finished: Finished) -> None:
    of_run = lines(finished, "--run", finished.run[:12], "--type", "package.admitted")
    assert [event["data"]["number"] for event in of_run] == [1, 2]
    stream = f"package/{finished.package}"
    of_stream = lines(finished, "--stream", stream, "--type", "trial.*")
    assert {event["type"] for event in of_stream} == {"trial.opened", "trial.closed"}
    assert {event["subject"] for event in of_stream} == {stream}
    middle = of_stream[0]["position"]
    later = lines(finished, "--stream", stream, "--after", middle)
    assert min(event["position"] for event in later) > middle
    assert [event["position"] for event in lines(finished, "--after", 3, "--limit", 2)] == [4, 5]


def test_json_is_one_object(finished: Finished) -> None:
    found = answer("events", "--home", finished.home, "--limit", 2)
    assert [event["position"] for event in found["events"]] == [1, 2]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--type", "package.admited"], "package.admitted"),
        (["--type", "nothing*"], "no event type"),
        (["--stream", "package/none"], "no stream"),
        (["--run", "run-none"], "no run"),
        (["--after", "-1"], "--after"),
        (["--follow", "--json"], "--follow"),
    ],
)
def test_wrong_choices_are_exit_2(arguments: list[str], message: str, finished: Finished) -> None:
    result = envwright("events", "--home", finished.home, *arguments)
    assert result.exit_code == 2
    assert message in result.stderr


def test_following_prints_what_comes_later(
    finished: Finished, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits = []

    def one_more(seconds: float) -> None:
        waits.append(seconds)
        if len(waits) > 1:
            raise KeyboardInterrupt
        with finished.runtime() as runtime:
            # A run of its own, which the other tests do not look at.
            runtime.record(RunResumed(run="run-followed"), role="operator")

    monkeypatch.setattr(log.time, "sleep", one_more)
    with finished.runtime() as runtime:
        head = runtime.log.head()
    result = envwright("events", "--home", finished.home, "--follow", "--after", head)
    assert result.exit_code == 130
    assert [json.loads(line)["type"] for line in result.stdout.splitlines()] == ["run.resumed"]
