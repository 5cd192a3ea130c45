"""What the Solver does at each step: open a world, let the policy act, say how it ended."""

from dataclasses import dataclass, field

from envwright.agents.context import Context
from envwright.agents.conventions import TOOL_ERROR
from envwright.agents.solver.policies import (
    Action,
    Policy,
    PolicyRun,
    get_policy,
    is_privileged,
)
from envwright.agents.solver.privilege import knowledge_of_run
from envwright.agents.tracing import mark_failed
from envwright.events import digest
from envwright.events.catalog import AttemptFinished, AttemptRequested, AttemptStarted, TurnTaken
from envwright.events.ports import Session
from envwright.events.values import Observation, ToolCall, Turn
from envwright.sandbox.attempts import Attempt, open_attempt
from envwright.sandbox.packages import Bundle

_CALLS_PER_TURN = 16


@dataclass
class SolverDesk:
    """One attempt on the Solver's desk."""

    ctx: Context
    attempt: Attempt | None = None
    policy: PolicyRun | None = None
    observations: tuple[Observation, ...] = ()
    turns: list[Turn] = field(default_factory=list)
    answer: str | None = None

    @property
    def order(self) -> AttemptRequested:
        """The attempt that was asked for."""
        fact = self.ctx.cause.fact
        assert isinstance(fact, AttemptRequested)
        return fact

    def open(self) -> None:
        """Open a fresh world and start the policy on the task view."""
        order = self.order
        bundle = Bundle.load(self.ctx.artifacts, order.bundle)
        with self.ctx.tracing.step("open world"):
            self.attempt = self.ctx.resources.enter_context(open_attempt(bundle, order.seed))
        self.policy = self._chosen().start(self.attempt.view, order.seed)
        self.ctx.say(
            AttemptStarted(
                attempt=order.attempt,
                package=order.package,
                revision=order.revision,
                policy=order.policy,
                seed=order.seed,
                task_digest=digest(self.attempt.view.model_dump(mode="json")),
                state_digest=self.attempt.world.digest(),
            )
        )
        self.ctx.flush()

    def _chosen(self) -> Policy:
        name, settings = self.order.policy.name, self.order.policy.settings
        if is_privileged(name):
            return get_policy(name, settings, knowledge=knowledge_of_run(self.ctx))
        return get_policy(name, settings)

    def act(self) -> bool:
        """Take one turn; True while the attempt goes on."""
        assert self.policy is not None and self.attempt is not None
        action = self.policy.act(self.observations)
        self.answer = action.answer
        if action.calls or action.answer is None:
            self._take(action)
        return self.answer is None and len(self.turns) < self.order.max_turns

    def _take(self, action: Action) -> None:
        assert self.attempt is not None
        calls = action.calls[:_CALLS_PER_TURN]
        self.observations = tuple(self._call(self.attempt.session, call) for call in calls)
        turn = Turn(
            index=len(self.turns) + 1,
            calls=calls,
            observations=self.observations,
            thought=action.thought,
            state_digest=self.attempt.world.digest(),
        )
        self.turns.append(turn)
        self.ctx.say(TurnTaken(attempt=self.order.attempt, turn=turn))

    def _call(self, session: Session, call: ToolCall) -> Observation:
        with self.ctx.tracing.execute_tool(call.name) as span:
            seen = session.call(call.name, call.arguments)
            if not seen.ok:
                mark_failed(span, TOOL_ERROR)
        return seen

    def finish(self) -> None:
        """Say how the attempt ended."""
        assert self.attempt is not None
        order = self.order
        self.ctx.say(
            AttemptFinished(
                attempt=order.attempt,
                package=order.package,
                revision=order.revision,
                bundle=order.bundle,
                trial=order.trial,
                index=order.index,
                seed=order.seed,
                gating=order.gating,
                outcome="max_turns" if self.answer is None else "answer",
                answer=self.answer or "",
                turns=len(self.turns),
                state_digest=self.attempt.world.digest(),
            )
        )
