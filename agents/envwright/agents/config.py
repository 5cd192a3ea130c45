"""Configuration of a process that runs agents: typed, frozen, small enough for a child."""

from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

RoleName = Literal["planner", "builder", "tester", "critic", "solver", "judge"]

ALL_ROLES: tuple[RoleName, ...] = ("judge", "critic", "solver", "tester", "builder", "planner")
"""Latest stage first: a worker finishes packages before it begins others."""


class Faults(BaseModel):
    """Faults that a campaign injects; none by default."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    max_delay: float = Field(default=0.0, ge=0)
    """Seconds; a handler sleeps a random time up to this before it acts and before it commits."""
    seed: int = 0


class RuntimeConfig(BaseModel):
    """Where the log is, and how a worker behaves; the defaults are ours."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    home: Path
    """Folder of the embedded log and artifacts."""
    group: str = "envwright"
    """Name of the consumer group; each role is a group of its own below it."""
    roles: tuple[RoleName, ...] = ALL_ROLES
    lease_seconds: float = Field(default=15.0, gt=0)
    batch: int = Field(default=8, ge=1)
    """Deliveries that a poll of one role asks for."""
    backoff_seconds: float = Field(default=0.2, ge=0)
    """First delay after a failure; doubles with each further one."""
    drain_seconds: float = Field(default=10.0, ge=0)
    """How long a running handler gets after a stop was asked for."""
    debug: bool = False
    """Whether a handler that fails by a bug is logged with its traceback."""
    checkpoints: bool = True
    """Whether graphs write checkpoints beside the log, for inspection."""
    faults: Faults = Faults()
