"""A worker process of a replay: does one task after the other, as its parent hands them out.

Its standard input opens with what is replayed and then brings tasks; its standard output answers
each with a result, one JSON document a line.
"""

import json
import os
import signal
import sys
import threading
import time
from contextlib import suppress

from envwright.agents.config import RuntimeConfig
from envwright.agents.replay.findings import Comparison
from envwright.agents.replay.level import Level, ReplayLevel
from envwright.agents.replay.opening import open_level
from envwright.events.values import Value

_LOOK_SECONDS = 1.0
_FAILED = 3


class Opening(Value):
    """What a worker process is told first."""

    config: RuntimeConfig
    level: ReplayLevel
    keep_going: bool


class Answer(Value):
    """What a worker process says about a task: a result, or why there is none."""

    done: Comparison | None = None
    failed: str = ""
    """Name of the class of the error."""
    message: str = ""


def main() -> None:
    """Serve tasks until standard input closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # The parent decides when to stop.
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    answers = os.fdopen(os.dup(1), "w", encoding="ascii")
    os.dup2(2, 1)  # What a handler prints must not be taken for an answer.
    first = sys.stdin.readline()
    if not first:
        return  # The parent ended before it said anything.
    opening = Opening.model_validate_json(first)
    # Nobody reads the answers any more: the parent has ended.
    with suppress(BrokenPipeError), open_level(opening.config, opening.level) as level:
        for line in sys.stdin:
            answers.write(_answer(level, line, opening.keep_going).model_dump_json() + "\n")
            answers.flush()


def _answer(level: Level, line: str, keep_going: bool) -> Answer:
    try:
        return Answer(done=level.check(json.loads(line), keep_going=keep_going))
    except Exception as error:
        return Answer(failed=type(error).__name__, message=str(error))


def _end_with(parent: int) -> None:
    """End this process with its parent, whatever it is doing."""
    while os.getppid() == parent:
        time.sleep(_LOOK_SECONDS)
    os._exit(_FAILED)
