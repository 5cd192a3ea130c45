"""Replay: what a run recorded is done again and compared."""

from envwright.agents.replay.findings import Comparison, Divergence, RecordedDelivery, Replayed

__all__ = ["Comparison", "Divergence", "RecordedDelivery", "Replayed"]
