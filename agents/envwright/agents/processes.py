"""Worker processes: children of a run that serve the same home and end with their parent."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence

from envwright.agents.bootstrap import open_runtime
from envwright.agents.config import RuntimeConfig
from envwright.agents.worker import Worker

_STOP_SECONDS = 5.0
_ENTRY = "from envwright.agents.processes import main; main()"


class WorkerProcesses:
    """A fixed number of worker processes for one run."""

    def __init__(self, config: RuntimeConfig, run_id: str, count: int) -> None:
        self._config = config
        command = [sys.executable, "-c", _ENTRY, run_id]
        self._children = [self._start(command) for _ in range(count)]

    def _start(self, command: Sequence[str]) -> subprocess.Popen[bytes]:
        child = subprocess.Popen(command, stdin=subprocess.PIPE, start_new_session=True)
        assert child.stdin is not None
        child.stdin.write(self._config.model_dump_json().encode() + b"\n")
        child.stdin.flush()  # left open: it ends with this process, which ends the child
        return child

    @property
    def pids(self) -> tuple[int, ...]:
        """Process ids of the living children."""
        return tuple(child.pid for child in self._children if child.poll() is None)

    def stop(self) -> None:
        """Ask the children to finish what they hold, and kill those that take too long."""
        for child in self._children:
            if child.stdin is not None and not child.stdin.closed:
                child.stdin.close()
        limit = self._config.drain_seconds + _STOP_SECONDS
        for child in self._children:
            try:
                child.wait(timeout=limit)
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()


def main() -> None:
    """Serve one run until standard input closes: the parent has ended or asks to stop."""
    config = RuntimeConfig.model_validate_json(sys.stdin.buffer.readline())
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides when to stop
    stop = threading.Event()

    def watch() -> None:
        sys.stdin.buffer.read()
        stop.set()

    threading.Thread(target=watch, name="parent", daemon=True).start()
    runtime = open_runtime(config)
    parent = os.getppid()
    try:
        Worker(runtime, run_id=sys.argv[1]).serve(stop, alive=lambda: os.getppid() == parent)
    finally:
        runtime.close()
