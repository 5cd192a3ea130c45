"""The Critic: reads a tested revision and routes a failure to one artifact."""

from envwright.agents.critic.desk import CriticDesk
from envwright.agents.critic.graph import critic_graph

__all__ = ["CriticDesk", "critic_graph"]
