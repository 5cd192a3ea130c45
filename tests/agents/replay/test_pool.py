"""The pool gives results in order, and a lost process is an error and never a pass."""

import os
import signal
from contextlib import closing
from typing import Any

import pytest

from envwright.agents.replay import pool
from envwright.agents.replay.child import Opening
from envwright.agents.replay.level import ReplayPlan
from envwright.agents.replay.pool import ReplayPool
from envwright.events.errors import InfrastructureError, UnknownSchemaError
from support.office import Office
from support.waiting import alive, waited

ECHO = """
import json, os, sys, time
sys.stdin.readline()
for line in sys.stdin:
    task = json.loads(line)
    time.sleep(task.get("sleep", 0))
    if "end" in task:
        os._exit(task["end"])
    counts = {"n": task.get("n", 0), "seed": int(os.environ["PYTHONHASHSEED"])}
    answer = {"done": {"counts": counts}} if "fail" not in task else {
        "failed": task["fail"], "message": "said"}
    print(json.dumps(answer), flush=True)
"""


@pytest.fixture
def opening(office: Office) -> Opening:
    return Opening(config=office.runtime.config, level="state", keep_going=False)


@pytest.fixture(autouse=True)
def echoing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "ENTRY", ECHO)


def plan(*tasks: dict[str, Any], first: tuple[int, ...] = ()) -> ReplayPlan:
    return ReplayPlan(tasks=tasks, first=first)


def test_results_come_in_the_order_of_the_tasks_whatever_is_done_first(opening: Opening) -> None:
    tasks = [{"n": 0, "sleep": 0.5}, *({"n": n} for n in range(1, 9))]
    with closing(ReplayPool(opening, plan(*tasks, first=(8,)), 2)) as workers:
        found = [result.counts for result in workers.results()]
    assert [counts["n"] for counts in found] == list(range(9))
    assert {counts["seed"] for counts in found} == {1, 2}


@pytest.mark.parametrize(
    ("task", "said"),
    [
        ({"end": 0}, "ended with code 0"),
        ({"end": 7}, "ended with code 7"),
        ({"fail": "InfrastructureError"}, "said"),
        ({"fail": "TypeError"}, "a replay failed: TypeError: said"),
        ({"fail": "FACTS"}, "a replay failed: FACTS: said"),
    ],
)
def test_a_task_that_is_not_done_is_an_error(
    opening: Opening, task: dict[str, Any], said: str
) -> None:
    with (
        closing(ReplayPool(opening, plan({"n": 0}, task, {"n": 2}), 1)) as workers,
        pytest.raises(InfrastructureError, match=said),
    ):
        list(workers.results())


def test_an_error_of_ours_stays_what_it_is(opening: Opening) -> None:
    with (
        closing(ReplayPool(opening, plan({"fail": "UnknownSchemaError"}), 1)) as workers,
        pytest.raises(UnknownSchemaError),
    ):
        list(workers.results())


def test_a_process_that_is_killed_is_an_error(opening: Opening) -> None:
    tasks = plan(*({"n": n, "sleep": 60} for n in range(4)))
    with closing(ReplayPool(opening, tasks, 2)) as workers:
        os.kill(workers.pids[1], signal.SIGKILL)
        with pytest.raises(InfrastructureError, match="was killed by signal 9"):
            list(workers.results())


def test_no_process_outlives_the_pool_and_none_is_started_for_nothing(opening: Opening) -> None:
    workers = ReplayPool(opening, plan({"n": 0, "sleep": 60}), 8)
    [pid] = workers.pids
    workers.close()
    waited(lambda: alive(pid), lambda runs: not runs)
    assert list(ReplayPool(opening, plan(), 2).results()) == []


def test_a_process_that_cannot_be_started_is_an_infrastructure_error(
    opening: Opening, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool.sys, "executable", "/no/such/python")
    with pytest.raises(InfrastructureError, match="worker process 1 of 2 cannot be started"):
        ReplayPool(opening, plan({"n": 0}), 2)
