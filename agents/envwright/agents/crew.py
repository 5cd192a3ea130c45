"""The crew of a run: one worker in a thread of this process, worker processes, or outsiders."""

import threading
from typing import Protocol

from envwright.agents.processes import WorkerProcesses
from envwright.agents.runtime import Runtime
from envwright.agents.work_counts import WorkCounts
from envwright.agents.worker import Worker


class Crew(Protocol):
    """Workers that serve one run until they are stopped."""

    def alive(self) -> bool:
        """Say whether any worker is still at work."""

    def ending(self) -> str:
        """Say how the workers that ended by themselves ended; empty where none did."""

    def stop(self) -> None:
        """Let the workers finish what they hold, for a while; then take it away from them."""


class WorkerThread:
    """One worker in a thread of this process."""

    def __init__(
        self, runtime: Runtime, run_id: str | None, *, counts: WorkCounts | None = None
    ) -> None:
        self._drain_seconds = runtime.config.drain_seconds
        self._worker = Worker(runtime, run_id=run_id, counts=counts)
        self._stop = threading.Event()
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._serve, name="worker", daemon=True)
        self._thread.start()

    def alive(self) -> bool:
        """Say whether the worker is still at work."""
        return self._thread.is_alive()

    def ending(self) -> str:
        """Say what the worker failed with; empty where it did not."""
        return "" if self._error is None else f"{type(self._error).__name__}: {self._error}"

    def ask_to_stop(self) -> None:
        """Let it claim no more."""
        self._stop.set()

    def stop(self, seconds: float | None = None) -> None:
        """Let the handler that runs finish, for a while; then take its work away.

        The while is the configured one, or so many seconds.
        """
        self.ask_to_stop()
        self._thread.join(timeout=self._drain_seconds if seconds is None else seconds)
        if self._thread.is_alive():
            self._worker.abandon()

    def _serve(self) -> None:
        try:
            self._worker.serve(self._stop)
        except BaseException as error:  # Whoever drives the run asks how it ended.
            self._error = error


class Outsiders:
    """Workers that other commands run, perhaps elsewhere: nothing here starts or ends them."""

    def alive(self) -> bool:
        """Say that they may be at work: nobody here can know better."""
        return True

    def ending(self) -> str:
        """Say nothing of workers that nobody here knows."""
        return ""

    def stop(self) -> None:
        """Leave them alone."""


def start_crew(runtime: Runtime, run_id: str, workers: int) -> Crew:
    """Start so many workers on a run; none leaves it to workers elsewhere.

    Raises:
        InfrastructureError: a worker process cannot be started.
    """
    if workers == 0:
        return Outsiders()
    if workers > 1:
        return WorkerProcesses(runtime, run_id, workers)
    return WorkerThread(runtime, run_id)
