"""The crew of a driven run: one worker in a thread of this process, or worker processes."""

import threading
from typing import Protocol

from envwright.agents.processes import WorkerProcesses
from envwright.agents.runtime import Runtime
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

    def __init__(self, runtime: Runtime, run_id: str) -> None:
        self._drain_seconds = runtime.config.drain_seconds
        self._worker = Worker(runtime, run_id=run_id)
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

    def stop(self) -> None:
        """Let the handler that runs finish, for a while; then take its work away."""
        self._stop.set()
        self._thread.join(timeout=self._drain_seconds)
        if self._thread.is_alive():
            self._worker.abandon()

    def _serve(self) -> None:
        try:
            self._worker.serve(self._stop)
        except BaseException as error:  # Whoever drives the run asks how it ended.
            self._error = error


def start_crew(runtime: Runtime, run_id: str, workers: int) -> Crew:
    """Start so many workers on a run.

    Raises:
        InfrastructureError: a worker process cannot be started.
    """
    if workers > 1:
        return WorkerProcesses(runtime, run_id, workers)
    return WorkerThread(runtime, run_id)
