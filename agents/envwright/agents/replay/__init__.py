"""Replay: recorded executions run again and are compared."""

from envwright.agents.replay.execution import Divergence, Replayed, replay_execution

__all__ = ["Divergence", "Replayed", "replay_execution"]
