"""Attempts: what a solver sees of a package, and calls executed again from a record."""

from envwright.sandbox.attempts.attempt import (
    Attempt,
    open_attempt,
    open_package_world,
    task_view,
)
from envwright.sandbox.attempts.rerun import Rerun, Step, perform, replay_calls
from envwright.sandbox.attempts.session import Trace, sealed_session

__all__ = [
    "Attempt",
    "Rerun",
    "Step",
    "Trace",
    "open_attempt",
    "open_package_world",
    "perform",
    "replay_calls",
    "sealed_session",
    "task_view",
]
