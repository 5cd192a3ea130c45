"""The audit: whether the log is whole, and whether what it admitted was earned."""

from envwright.agents.audit.report import Gathered, Question, audit
from envwright.agents.audit.seals import ENOUGH, Seals, seal_quietly

__all__ = ["ENOUGH", "Gathered", "Question", "Seals", "audit", "seal_quietly"]
