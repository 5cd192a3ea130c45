"""Six agents, their graphs, the worker that drives them, and runs as a user sees them."""

from envwright.events.extras import require

require("agents", "langgraph", "tenacity", "opentelemetry.sdk")

from envwright.agents.bootstrap import open_runtime, replay_state
from envwright.agents.config import ALL_ROLES, Faults, RoleName, RuntimeConfig
from envwright.agents.replay import Replayed, replay_execution
from envwright.agents.reports import RunTally, run_report, tally
from envwright.agents.runs import (
    Ending,
    Stop,
    attempt_only,
    drive,
    pause_run,
    read_sources,
    request_run,
    require_run,
    resume_run,
)
from envwright.agents.runtime import Runtime
from envwright.agents.slots import RunState, fold_run
from envwright.agents.worker import Worker

__all__ = [
    "ALL_ROLES",
    "Ending",
    "Faults",
    "Replayed",
    "RoleName",
    "RunState",
    "RunTally",
    "Runtime",
    "RuntimeConfig",
    "Stop",
    "Worker",
    "attempt_only",
    "drive",
    "fold_run",
    "open_runtime",
    "pause_run",
    "read_sources",
    "replay_execution",
    "replay_state",
    "request_run",
    "require_run",
    "resume_run",
    "run_report",
    "tally",
]
