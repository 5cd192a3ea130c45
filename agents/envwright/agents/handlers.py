"""Handlers: the one graph of each role, and which desk a delivery lands on."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from envwright.agents.builder import BuilderDesk, builder_graph
from envwright.agents.context import Context
from envwright.agents.critic import CriticDesk, critic_graph
from envwright.agents.graph import Graph, run_graph
from envwright.agents.judge import JudgeDesk, judge_graph
from envwright.agents.planner import PlannerDesk, planner_graph
from envwright.agents.solver import SolverDesk, solver_graph
from envwright.agents.tester import TesterDesk, tester_graph

if TYPE_CHECKING:
    from envwright.agents.runtime import Runtime

_DESKS: dict[str, Callable[[Context], object]] = {
    "planner": PlannerDesk,
    "builder": BuilderDesk,
    "tester": TesterDesk,
    "critic": CriticDesk,
    "solver": SolverDesk,
    "judge": JudgeDesk,
}


class Handler:
    """Runs the graph of a delivery's role; all graphs of a process share one checkpointer."""

    def __init__(self, runtime: "Runtime") -> None:
        saver = runtime.checkpointer
        self._graphs: dict[str, Graph] = {
            "planner": planner_graph(saver),
            "builder": builder_graph(saver),
            "tester": tester_graph(saver),
            "critic": critic_graph(saver),
            "solver": solver_graph(saver),
            "judge": judge_graph(saver),
        }

    def handle(self, ctx: Context) -> None:
        """Run the role's graph from the top; what it says stays in the context until committed."""
        role = ctx.delivery.role
        with ctx.resources:
            run_graph(self._graphs[role], _DESKS[role](ctx), ctx)
