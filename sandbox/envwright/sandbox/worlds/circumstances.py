"""What a table world has besides tables: clock, counters, faults, and limits to each call."""

from typing import Any

from pydantic import Field, SerializerFunctionWrapHandler, model_serializer

from envwright.events.values import Value


class Fault(Value):
    """A failure of a tool that passes by itself: calls that would succeed give an error."""

    after: int = Field(default=0, ge=0)
    """Calls that still succeed first."""
    times: int = Field(default=1, ge=1)
    """Calls that fail then."""
    error: str = Field(min_length=1)
    """What they give."""

    def struck(self) -> "tuple[str | None, Fault | None]":
        """Return the error of the next call, if it has one, and what is left of the fault."""
        if self.after:
            return None, self.model_copy(update={"after": self.after - 1})
        left = self.model_copy(update={"times": self.times - 1}) if self.times > 1 else None
        return self.error, left


class Circumstances(Value):
    """The state of a world besides its tables."""

    clock: str = Field(pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
    """The world's time, UTC."""
    counters: dict[str, int] = Field(default_factory=dict)
    """The last number that each counter gave, for ids."""
    faults: dict[str, Fault] = Field(default_factory=dict)
    """The faults that are still to come, by tool."""

    @model_serializer(mode="wrap")
    def _without_idle_parts(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Leave faults out where there are none, as in most worlds."""
        whole: dict[str, Any] = handler(self)
        return {name: part for name, part in whole.items() if name != "faults" or part}


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
        return Circumstances(clock=self.clock, counters=self.counters, faults=self.faults)
