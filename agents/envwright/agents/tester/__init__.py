"""The Tester: runs the gate set on a revision, cheapest first, in fresh worlds."""

from envwright.agents.tester.desk import TesterDesk
from envwright.agents.tester.graph import tester_graph

__all__ = ["TesterDesk", "tester_graph"]
