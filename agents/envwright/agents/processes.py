"""Worker processes: children of a run that serve the same home and end with their parent."""

import logging
import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress

from envwright.agents.bootstrap import open_runtime
from envwright.agents.config import RuntimeConfig
from envwright.agents.runtime import Runtime
from envwright.agents.worker import Worker
from envwright.events.errors import EnvwrightError, InfrastructureError

logger = logging.getLogger(__name__)

_STOP_SECONDS = 5.0
"""What a child gets beyond the draining of its handler before it is killed."""

_FAILED = 3
"""Exit code of a child that could not go on."""

ENTRY = "from envwright.agents.processes import main; main()"
"""What a child runs; its argument is the run and its standard input opens with the config."""


class WorkerProcesses:
    """A fixed number of worker processes for one run."""

    def __init__(self, runtime: Runtime, run_id: str, count: int) -> None:
        """Start the children.

        Raises:
            InfrastructureError: one cannot be started; those that were are stopped.
        """
        self._runtime = runtime
        self._children: list[subprocess.Popen[bytes]] = []
        self._endings: dict[int, str] = {}
        try:
            for _ in range(count):
                self._children.append(self._start(run_id))
        except OSError as error:
            self.stop()
            raise InfrastructureError(
                f"worker process {len(self._children) + 1} of {count} cannot be started: {error}; "
                "free some memory or ask for fewer workers"
            ) from error

    @property
    def pids(self) -> tuple[int, ...]:
        """Process ids of the living children."""
        return tuple(child.pid for child in self._children if child.poll() is None)

    def alive(self) -> bool:
        """Say whether any child lives; one that ended by itself is reported once."""
        for child in self._children:
            if child.poll() is not None and child.pid not in self._endings:
                how = f"worker process {child.pid} {_how(child.returncode)}"
                self._endings[child.pid] = how
                if len(self._endings) < len(self._children):
                    logger.warning("%s; its work is taken over", how)
        return len(self._endings) < len(self._children)

    def ending(self) -> str:
        """Say how the children that ended by themselves ended."""
        return ", ".join(self._endings.values())

    def stop(self) -> None:
        """Ask the children to finish what they hold, and kill those that take too long."""
        for child in self._children:
            if child.stdin is not None:
                with suppress(BrokenPipeError):
                    child.stdin.close()
        deadline = time.monotonic() + self._runtime.config.drain_seconds + _STOP_SECONDS
        for child in self._children:
            try:
                child.wait(timeout=max(0.0, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()
        self._runtime.reap()

    def _start(self, run_id: str) -> subprocess.Popen[bytes]:
        child = subprocess.Popen(
            # -P: what lies in the user's current folder is not for import.
            [sys.executable, "-P", "-c", ENTRY, run_id],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            env={**os.environ, **self._runtime.config.environment},
            start_new_session=True,
        )
        assert child.stdin is not None
        with suppress(BrokenPipeError):  # It has ended already: `alive` says so.
            child.stdin.write(self._runtime.config.model_dump_json().encode() + b"\n")
            child.stdin.flush()  # Left open: it ends with this process, which ends the child.
        return child


def main() -> None:
    """Serve one run until standard input closes: the parent has ended or asks to stop."""
    logging.getLogger("kafka").setLevel(logging.CRITICAL)  # What matters of it we say.
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # The parent decides when to stop.
    parent = os.getppid()
    opening = sys.stdin.buffer.readline()
    if not opening:
        return  # The parent ended before it said anything.
    config = RuntimeConfig.model_validate_json(opening)
    stop = threading.Event()
    threading.Thread(target=_watch, args=(stop, config), name="parent", daemon=True).start()
    try:
        runtime = open_runtime(config)
        try:
            worker = Worker(runtime, run_id=sys.argv[1])
            worker.serve(stop, alive=lambda: os.getppid() == parent)
        finally:
            runtime.close()
    except EnvwrightError as error:
        logger.error("a worker process cannot go on: %s", error, exc_info=config.debug)
        sys.exit(_FAILED)


def _watch(stop: threading.Event, config: RuntimeConfig) -> None:
    """Wait for the end of standard input; a handler that takes too long ends with the process."""
    # Not through `sys.stdin`, whose lock this thread would hold while the interpreter ends.
    while os.read(0, 1024):
        pass
    stop.set()
    time.sleep(config.drain_seconds)
    os._exit(_FAILED)


def _how(code: int) -> str:
    """Say what an exit code means."""
    return f"was killed by signal {-code}" if code < 0 else f"ended with code {code}"
