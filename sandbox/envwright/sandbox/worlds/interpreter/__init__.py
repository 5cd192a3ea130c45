"""The interpreter of programs: a table with one rule per primitive, and no other code to run."""

from envwright.sandbox.worlds.interpreter import (  # noqa: F401  (they enter their rules)
    arithmetic,
    lists,
    predicates,
    shapes,
    sources,
)
from envwright.sandbox.worlds.interpreter.evaluation import evaluate
from envwright.sandbox.worlds.interpreter.execution import execute
from envwright.sandbox.worlds.interpreter.frames import Frame, TableView, Transaction

__all__ = ["Frame", "TableView", "Transaction", "evaluate", "execute"]
