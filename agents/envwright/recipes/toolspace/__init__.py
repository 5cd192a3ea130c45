"""ToolSpace: mines real tool logs, grounds their tools, and makes tasks from executed walks."""

from envwright.recipes.toolspace.method import ToolSpace

__all__ = ["ToolSpace"]
