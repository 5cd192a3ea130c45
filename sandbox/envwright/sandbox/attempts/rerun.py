"""Reruns: recorded calls executed again in a fresh world, with what they gave back."""

from collections.abc import Iterable
from dataclasses import dataclass

from envwright.events import Json, digest
from envwright.events.values import Observation, ToolCall
from envwright.sandbox.attempts.attempt import open_package_world
from envwright.sandbox.packages import Bundle
from envwright.sandbox.worlds import CallResult, World


@dataclass(frozen=True)
class Step:
    """One executed call."""

    call: ToolCall
    result: CallResult
    digest: str
    """Digest of the world's state after the call."""

    @property
    def observation(self) -> Observation:
        """What the caller sees of the result."""
        return Observation(ok=self.result.ok, value=self.result.value)


@dataclass(frozen=True)
class Rerun:
    """Calls executed in a fresh world."""

    seed: int
    start: str
    """Digest of the first state."""
    steps: tuple[Step, ...]
    initial: Json
    """The whole first state."""
    final: Json
    """The whole last state."""

    @property
    def observations(self) -> tuple[Observation, ...]:
        """What the caller saw, in order."""
        return tuple(step.observation for step in self.steps)

    @property
    def digests(self) -> tuple[str, ...]:
        """Digests of the states after each call, in order."""
        return tuple(step.digest for step in self.steps)

    @property
    def end(self) -> str:
        """Digest of the last state."""
        return self.steps[-1].digest if self.steps else self.start

    @property
    def writes(self) -> tuple[int, ...]:
        """Indexes of the calls that wrote."""
        return tuple(index for index, step in enumerate(self.steps) if step.result.writes)

    @property
    def faults(self) -> tuple[int, ...]:
        """Indexes of the calls that a fault of the world made fail."""
        return tuple(index for index, step in enumerate(self.steps) if step.result.transient)

    @property
    def refused(self) -> Step | None:
        """The first call that failed, other than one that met a fault and was made again."""
        for step, again in zip(self.steps, (*self.steps[1:], None), strict=True):
            repeated = again is not None and again.call == step.call
            if not step.result.ok and not (step.result.transient and repeated):
                return step
        return None

    def evidence(self) -> dict[str, Json]:
        """Return calls, observations and digests as JSON: all of it repeatable."""
        return {
            "seed": self.seed,
            "start": self.start,
            "calls": [step.call.model_dump(mode="json") for step in self.steps],
            "observations": [item.model_dump(mode="json") for item in self.observations],
            "digests": list(self.digests),
        }

    def summary(self) -> dict[str, Json]:
        """Return the digests alone, small enough to compare between processes."""
        seen = [item.model_dump(mode="json") for item in self.observations]
        return {
            "start": self.start,
            "digests": list(self.digests),
            "observations": [digest(item) for item in seen],
        }


def perform(world: World, calls: Iterable[ToolCall]) -> tuple[Step, ...]:
    """Execute calls in an open world; a call that the world refuses is a step like any other."""
    steps = []
    for call in calls:
        result = world.call(call.name, call.arguments)
        steps.append(Step(call=call, result=result, digest=world.digest()))
    return tuple(steps)


def replay_calls(
    bundle: Bundle, seed: int, calls: Iterable[ToolCall], initial: Json = None
) -> Rerun:
    """Execute calls in a fresh world at its first state for `seed`.

    A caller that runs many may pass the first state that it has: reading a large one takes longer
    than the calls.

    Raises:
        BadInputError: the package is malformed.
        InfrastructureError: the world itself failed.
    """
    world = open_package_world(bundle)
    try:
        world.reset(seed)
        start = world.digest()
        first = world.state() if initial is None else initial
        steps = perform(world, calls)
        final = world.state() if steps else first
        return Rerun(seed=seed, start=start, steps=steps, initial=first, final=final)
    finally:
        world.close()
