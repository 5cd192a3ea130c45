"""Isolation: one port for running commands apart, and its backends."""

from envwright.sandbox.isolation.isolation import Capabilities, Completed, Isolation, Job, Limits
from envwright.sandbox.isolation.process import ProcessIsolation

__all__ = [
    "Capabilities",
    "Completed",
    "Isolation",
    "Job",
    "Limits",
    "ProcessIsolation",
]
