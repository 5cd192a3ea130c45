"""Wishes: what a tool does, as an infinitive, with the user's own things where it says `an order`.

Only the first sentence of a description is used: the rest of it speaks to the agent.
"""

import re

from envwright.events.values import ToolSchema
from envwright.recipes.toolspace.values import words

_LONGEST = 160
_LONGEST_NAMING = 90
_PREAMBLE = re.compile(
    r"^(use this (tool|function) to|this (tool|function|endpoint)( is used to| will| can)?"
    r"|(a |the )?(tool|function) (to|that)|used to)\s+",
    re.IGNORECASE,
)
_LINKING = r"(?:of|to|in|for|on|with|and|or|from|by|at|about|as|the|an|a)\b"
_BEFORE_NOUN = rf"(?P<adjectives>(?:(?!{_LINKING})[\w-]+\s+){{0,2}}?)"


def wish(tool: ToolSchema) -> str:
    """Return what a tool does as an infinitive, in the words of its description."""
    first = re.split(r"(?<=[.!?])\s", tool.description.strip(), maxsplit=1)[0]
    text = _PREAMBLE.sub("", " ".join(first.split()).rstrip(".!? "))
    named = words(tool.name) or [tool.name]
    bare = text.casefold() == " ".join(named)
    if bare or not text or len(text) > _LONGEST or tool.name in text or '"' in text:
        text = " the ".join((named[0], " ".join(named[1:]))) if named[1:] else named[0]
    head, _, rest = text.partition(" ")
    verb = named[0]
    # "Cancels an order" describes the tool; a person says "cancel an order".
    if head.casefold() in (f"{verb}s", f"{verb}es"):
        head = verb
    elif head[1:2].islower() or len(head) == 1:
        head = head[:1].lower() + head[1:]
    return f"{head} {rest}".strip()


class Opening:
    """A place in a wish where it speaks of any thing of a kind, to be filled by a certain one."""

    def __init__(self, text: str, noun: str) -> None:
        """Find where the text says `a pending order`, `an order's` or `the order`."""
        spoken = rf"(?P<article>\b(?:an|a|the))\s+{_BEFORE_NOUN}{re.escape(noun)}\b"
        # What goes on as "a ticket that is open" has a clause of its own already.
        after = r"(?P<owns>['’]s\b)?(?!\s+(?:that|which|who|whose|where)\b)(?![\w-])"
        found = list(re.finditer(spoken + after, text, re.IGNORECASE))
        found.sort(key=lambda match: match["article"].casefold() == "the")
        self._text = text
        self._match = found[0] if found else None

    @property
    def found(self) -> bool:
        """Whether there is one."""
        return self._match is not None

    @property
    def adjectives(self) -> str:
        """What the text says of the thing: `pending `; empty or with a space at the end."""
        return self._match["adjectives"] if self._match else ""

    @property
    def owns(self) -> bool:
        """Whether it speaks of something that the thing has: `a customer's phone`."""
        return self._match is not None and self._match["owns"] is not None

    def filled(self, naming: str) -> str | None:
        """Return the text with the thing named there; None where that would read badly."""
        if self._match is None or len(naming) > _LONGEST_NAMING:
            return None
        # "how urgent the ticket whose subject is ... is": too late a verb.
        if '"' in naming and re.match(r"\s+(?:is|are|was|were)\b", self._text[self._match.end() :]):
            return None
        if self.owns:
            # "the member of my hold's card" speaks of a hold's card.
            if " of " in naming or '"' in naming:
                return None
            naming += "'s"
        return self._text[: self._match.start()] + naming + self._text[self._match.end() :]

    def mine(self) -> str | None:
        """Return the text with the one who speaks in that place; None where it has none."""
        if self._match is None:
            return None
        start, rest = self._match.start(), self._text[self._match.end() :]
        if self.owns:
            return f"{self._text[:start]}my{rest}"
        owned = re.search(r"\bthe ((?:[\w-]+ ){1,3})of $", self._text[:start])
        if owned is not None:
            return f"{self._text[: owned.start()]}my {owned[1].strip()}{rest}"
        return f"{self._text[:start]}me{rest}"
