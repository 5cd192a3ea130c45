"""The Solver's policies: ways to attempt a task from its view and observations alone."""

from envwright.agents.solver.policies.policy import Action, Policy, PolicyRun
from envwright.agents.solver.policies.registry import (
    Models,
    get_policy,
    is_privileged,
    policy_label,
    policy_names,
)

__all__ = [
    "Action",
    "Models",
    "Policy",
    "PolicyRun",
    "get_policy",
    "is_privileged",
    "policy_label",
    "policy_names",
]
