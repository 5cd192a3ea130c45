"""Opening: a level of replay on the adapters of a home."""

from collections.abc import Iterator
from contextlib import contextmanager

from envwright.agents.bootstrap import open_runtime, open_state_replay
from envwright.agents.config import RuntimeConfig
from envwright.agents.replay.decision import DecisionLevel
from envwright.agents.replay.execution import ExecutionLevel
from envwright.agents.replay.level import Level, ReplayLevel
from envwright.agents.replay.state import StateLevel


@contextmanager
def open_level(config: RuntimeConfig, level: ReplayLevel) -> Iterator[Level]:
    """Open a home to replay what is in it, and to write nothing.

    Raises:
        InfrastructureError: the home cannot be read.
    """
    if level == "state":
        with open_state_replay(config) as (parts, head):
            yield StateLevel(parts, head)
        return
    runtime = open_runtime(config.model_copy(update={"checkpoints": False}))
    try:
        yield ExecutionLevel(runtime) if level == "execution" else DecisionLevel(runtime)
    finally:
        runtime.close()
