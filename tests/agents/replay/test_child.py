"""A worker process of a replay answers each task with one line, whatever a handler prints."""

import json
import subprocess
import sys

from envwright.agents.replay.child import Answer, Opening
from envwright.agents.replay.pool import ENTRY
from support.office import Office


def serve(said: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-c", ENTRY], input=said, capture_output=True, text=True, timeout=100
    )


def test_tasks_are_answered_in_turn_and_errors_are_answers(office: Office) -> None:
    opening = Opening(config=office.runtime.config, level="execution", keep_going=False)
    found = {"found": {"event": "e", "expected": 1, "actual": 2}}
    done = serve(f"{opening.model_dump_json()}\n{json.dumps(found)}\n[]\n")
    assert done.returncode == 0, done.stderr
    first, second = (Answer.model_validate_json(line) for line in done.stdout.splitlines())
    assert first.done is not None and first.done.divergences[0].event == "e"
    assert second.done is None and second.failed == "AttributeError"


def test_a_process_whose_parent_says_nothing_ends() -> None:
    done = serve("")
    assert (done.returncode, done.stdout) == (0, "")
