"""The history: the calls of all traces by tool, each with its place, for every miner to read."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from envwright.recipes.toolspace.calls import Call, Declaration, Trace


class Moment(NamedTuple):
    """A call and where it stands."""

    trace: int
    place: int
    task: str
    call: Call


class History:
    """All traces in their one order, and their calls by tool key."""

    def __init__(self, traces: Sequence[Trace], declared: dict[str, Declaration]) -> None:
        self.traces = tuple(traces)
        self.declared = declared
        self._by_tool: dict[str, list[Moment]] = {}
        for number, trace in enumerate(self.traces):
            for index, call in enumerate(trace.calls):
                moment = Moment(number, index, trace.task, call)
                self._by_tool.setdefault(call.tool, []).append(moment)

    @property
    def tools(self) -> list[str]:
        """The keys of the tools that were called, sorted."""
        return sorted(self._by_tool)

    def moments(self, tool: str) -> list[Moment]:
        """Return every call of a tool."""
        return self._by_tool.get(tool, [])

    def successes(self, tool: str) -> list[Moment]:
        """Return the calls of a tool that succeeded."""
        return [moment for moment in self.moments(tool) if moment.call.ok]

    def argument_names(self, tool: str) -> list[str]:
        """Return the names of the arguments that a tool was given, sorted."""
        return sorted({name for moment in self.moments(tool) for name in moment.call.arguments})

    def calls(self) -> Iterator[Moment]:
        """Yield every call, trace by trace."""
        for number, trace in enumerate(self.traces):
            for index, call in enumerate(trace.calls):
                yield Moment(number, index, trace.task, call)


def tasks_of(moments: Sequence[Moment]) -> int:
    """Return of how many distinct tasks the calls are: repeated trials prove nothing new."""
    return len({moment.task for moment in moments})
