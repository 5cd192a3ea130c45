"""Six agents, their graphs, the worker that drives them, and runs as a user sees them."""

from envwright.events.extras import require

require("agents", "langgraph", "tenacity", "opentelemetry.sdk")

from envwright.agents.bootstrap import dead_messages, open_relay, open_runtime, try_store
from envwright.agents.config import ALL_ROLES, Faults, RoleName, RuntimeConfig, without_password
from envwright.agents.crew import WorkerThread
from envwright.agents.fork import ForkPoint, fork_point, fork_run, origin_state
from envwright.agents.past import as_of, is_past, position_of
from envwright.agents.relaying import RelayThread
from envwright.agents.replay import Divergence, RecordedDelivery, Replayed
from envwright.agents.replay.level import ReplayLevel
from envwright.agents.replay.run import replay_run
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
from envwright.agents.work_counts import WorkCounts
from envwright.agents.worker import Worker

__all__ = [
    "ALL_ROLES",
    "Divergence",
    "Ending",
    "Faults",
    "ForkPoint",
    "RecordedDelivery",
    "RelayThread",
    "ReplayLevel",
    "Replayed",
    "RoleName",
    "RunState",
    "RunTally",
    "Runtime",
    "RuntimeConfig",
    "Stop",
    "WorkCounts",
    "Worker",
    "WorkerThread",
    "as_of",
    "attempt_only",
    "dead_messages",
    "drive",
    "fold_run",
    "fork_point",
    "fork_run",
    "is_past",
    "open_relay",
    "open_runtime",
    "origin_state",
    "pause_run",
    "position_of",
    "read_sources",
    "replay_run",
    "request_run",
    "require_run",
    "resume_run",
    "run_report",
    "tally",
    "try_store",
    "without_password",
]
