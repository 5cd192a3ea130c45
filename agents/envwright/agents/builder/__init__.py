"""The Builder: makes a package from a brief, and repairs only the blamed artifact."""

from envwright.agents.builder.desk import BuilderDesk
from envwright.agents.builder.graph import builder_graph

__all__ = ["BuilderDesk", "builder_graph"]
