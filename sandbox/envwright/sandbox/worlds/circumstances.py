"""What a table world has besides tables: clock and counters in its state, limits in its design."""

from pydantic import Field

from envwright.events.values import Value


class Circumstances(Value):
    """The state of a world besides its tables."""

    clock: str = Field(pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
    """The world's time, UTC."""
    counters: dict[str, int] = Field(default_factory=dict)
    """The last number that each counter gave, for ids."""


class Limits(Value):
    """How much one call may take and do; what goes beyond is an error result."""

    text: int = Field(default=2**18, ge=1, le=2**24)
    """Characters of a text in the arguments, or made by a program."""
    work: int = Field(default=10**6, ge=1, le=10**8)
    """Parts of a program that are evaluated in loops, and values that are looked at."""


class WorldFile(Circumstances):
    """The content of `world.json`."""

    limits: Limits = Limits()

    def circumstances(self) -> Circumstances:
        """Return the part that is state."""
        return Circumstances(clock=self.clock, counters=self.counters)
