"""The Planner: mines sources, opens rounds, orders packages, ends the run."""

from envwright.agents.planner.desk import PlannerDesk
from envwright.agents.planner.graph import planner_graph

__all__ = ["PlannerDesk", "planner_graph"]
