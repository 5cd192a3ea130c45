"""The Solver: attempts a revision with one policy, through a session alone."""

from envwright.agents.solver.desk import SolverDesk
from envwright.agents.solver.graph import solver_graph

__all__ = ["SolverDesk", "solver_graph"]
