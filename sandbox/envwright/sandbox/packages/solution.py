"""The solution `solution/calls.json`: the reference calls and answer, hidden from solvers."""

from typing import ClassVar, Literal

from envwright.events.values import ToolCall
from envwright.sandbox.packages.document import Document


class Solution(Document):
    """The calls that solve the task, in order, and the answer that they lead to."""

    PATH: ClassVar[str] = "solution/calls.json"

    schema_version: Literal[1] = 1
    canary: str = ""
    """The package's canary."""
    calls: tuple[ToolCall, ...] = ()
    answer: str = ""
