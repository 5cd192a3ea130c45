"""Refusal: how checks and programs say that a call cannot be done."""

from envwright.events.errors import EnvwrightError


class Refusal(EnvwrightError):
    """A call that cannot be done; its text becomes the error result and the state stays."""


class Absence(Refusal):
    """A row, entry, element or field that is not there; `exists` and `coalesce` ask about it."""
