"""The pool: worker processes of a replay, each with a hash seed of its own."""

import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress

from envwright.agents.replay.child import Answer, Opening
from envwright.agents.replay.findings import Comparison
from envwright.agents.replay.level import ReplayPlan, in_order
from envwright.events import errors
from envwright.events.errors import EnvwrightError, InfrastructureError

ENTRY = "from envwright.agents.replay.child import main; main()"
"""What a worker process runs."""

_Result = tuple[int, Comparison | EnvwrightError]


class ReplayPool:
    """Does the tasks of a plan in worker processes and gives their results in order.

    Hash seeds 1, 2, … let the order of sets differ between the processes, and from most recordings:
    a handler that depends on it says something else.
    """

    def __init__(self, opening: Opening, plan: ReplayPlan, workers: int) -> None:
        """Start the processes.

        Raises:
            InfrastructureError: one cannot be started; those that were are stopped.
        """
        self._plan = plan
        self._opening = opening
        self._results: queue.Queue[_Result] = queue.Queue()
        self._waiting = iter(in_order(plan))
        self._lock = threading.Lock()
        self._children: list[subprocess.Popen[str]] = []
        try:
            for number in range(min(workers, len(plan.tasks))):
                self._children.append(self._start(number + 1))
        except BaseException as error:
            self.close()
            if not isinstance(error, OSError):
                raise  # Somebody interrupts while they are being started.
            raise InfrastructureError(
                f"worker process {len(self._children) + 1} of {workers} cannot be started: "
                f"{error}; free some memory or ask for fewer workers"
            ) from error

    @property
    def pids(self) -> tuple[int, ...]:
        """Process ids of the children."""
        return tuple(child.pid for child in self._children)

    def results(self) -> Iterator[Comparison]:
        """Yield the result of every task in the order of the plan.

        Raises:
            InfrastructureError: the machine failed in a task, or a worker process has ended: what
                was not compared has not passed.
        """
        early: dict[int, Comparison] = {}
        for index in range(len(self._plan.tasks)):
            while index not in early:
                place, result = self._results.get()
                if isinstance(result, EnvwrightError):
                    raise result
                early[place] = result
            yield early.pop(index)

    def close(self) -> None:
        """End the processes, whatever they are doing: they write nothing."""
        for child in self._children:
            child.kill()
        for child in self._children:
            child.wait()

    def _start(self, seed: int) -> "subprocess.Popen[str]":
        child = subprocess.Popen(
            # -P: what lies in the user's current folder is not for import.
            [sys.executable, "-P", "-c", ENTRY],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, **self._opening.config.environment, "PYTHONHASHSEED": str(seed)},
            start_new_session=True,
        )
        threading.Thread(target=self._serve, args=(child,), daemon=True).start()
        return child

    def _serve(self, child: "subprocess.Popen[str]") -> None:
        """Hand tasks to a child, one after the other, and pass its answers on."""
        assert child.stdin is not None and child.stdout is not None
        with child.stdin, child.stdout, suppress(BrokenPipeError, ValueError):
            child.stdin.write(self._opening.model_dump_json() + "\n")
            while (index := self._next()) is not None:
                answer = ""
                with suppress(BrokenPipeError):
                    child.stdin.write(json.dumps(self._plan.tasks[index]) + "\n")
                    child.stdin.flush()
                    answer = child.stdout.readline()
                if not answer.endswith("\n"):
                    self._results.put((index, _lost(child)))
                    return
                self._results.put((index, _result(Answer.model_validate_json(answer))))

    def _next(self) -> int | None:
        with self._lock:
            return next(self._waiting, None)


def _result(answer: Answer) -> Comparison | EnvwrightError:
    if answer.done is not None:
        return answer.done
    kind = getattr(errors, answer.failed, None)
    if isinstance(kind, type) and issubclass(kind, EnvwrightError):
        return kind(answer.message)
    return InfrastructureError(f"a replay failed: {answer.failed}: {answer.message}")


def _lost(child: "subprocess.Popen[str]") -> InfrastructureError:
    code = child.wait()
    how = f"was killed by signal {-code}" if code < 0 else f"ended with code {code}"
    return InfrastructureError(
        f"worker process {child.pid} of the replay {how}; what it was to compare has not been: "
        "replay again, with fewer workers if memory is short"
    )
