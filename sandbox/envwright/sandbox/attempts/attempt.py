"""The attempt: a fresh world for one try at a package, and what the solver sees of it."""

from types import TracebackType
from typing import Self

from envwright.events.ports import Session
from envwright.events.values import TaskView
from envwright.sandbox.attempts.session import Trace, sealed_session
from envwright.sandbox.packages import Bundle
from envwright.sandbox.worlds import World, open_world


class Attempt:
    """One try at a package: `view` and `session` are for the policy, the rest for the engine."""

    def __init__(self, view: TaskView, world: World) -> None:
        self.view = view
        self.world = world
        self.trace: Trace = []
        self.session: Session = sealed_session(world, self.trace)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Release the world."""
        self.world.close()


def task_view(bundle: Bundle) -> TaskView:
    """Return what a solver sees: instruction, tool schemas and boundary files, nothing else.

    Raises:
        BadInputError: the descriptor or a boundary file is missing or malformed.
    """
    package = bundle.package
    return TaskView(
        instruction=bundle.instruction,
        tools=tuple(sorted(package.tools, key=lambda tool: tool.name)),
        files={name: bundle.text(name) for name in sorted(package.boundary)},
    )


def open_package_world(bundle: Bundle) -> World:
    """Return a new instance of the package's world, not yet reset to a seed.

    Raises:
        BadInputError: the world's files are missing or malformed.
    """
    package = bundle.package
    return open_world(package.world, package.tools, bundle.environment())


def open_attempt(bundle: Bundle, seed: int) -> Attempt:
    """Open a fresh world at its first state for `seed`, with the solver's view of the package.

    Raises:
        BadInputError: the package is malformed.
    """
    view = task_view(bundle)
    world = open_package_world(bundle)
    world.reset(seed)
    return Attempt(view, world)
