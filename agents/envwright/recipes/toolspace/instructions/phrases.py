"""Phrases: values, fields, traits and wishes in words that a person would use."""

import re
from collections.abc import Sequence

from envwright.events.canonical import Json, encode
from envwright.events.values import ToolSchema
from envwright.recipes.toolspace.values import (
    ANY,
    Pattern,
    entity_noun,
    phrase,
    singular,
    words,
)
from envwright.recipes.toolspace.walks.knowledge import Knowledge
from envwright.recipes.toolspace.walks.traits import Trait

_LONGEST_WISH = 160
_PREAMBLE = re.compile(
    r"^(use this (tool|function) to|this (tool|function|endpoint)( is used to| will| can)?"
    r"|(a |the )?(tool|function) (to|that)|used to)\s+",
    re.IGNORECASE,
)


def said(value: Json) -> str:
    """Return a value as it is said: texts in quotes, lists joined."""
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, list):
        return joined([said(item) for item in value])
    return encode(value).decode("ascii")


def joined(parts: Sequence[str]) -> str:
    """Return parts as a list in a sentence."""
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} and {parts[-1]}"


def noun_of(knowledge: Knowledge, table: str) -> str:
    """Return what a row of a table is called."""
    argument = knowledge.reader_argument(table)
    return phrase(entity_noun(argument)) if entity_noun(argument) else singular(words(table)[0])


def argument_noun(argument: str) -> str:
    """Return what an argument that holds an id speaks of: `payment_method_id` is payment method."""
    return singular(phrase(entity_noun(argument) or argument))


def field_phrase(pattern: Pattern) -> str:
    """Return the field at a pattern without lists: `address.city` is address city."""
    said_words: list[str] = []
    names = [step for step in pattern if step != ANY]
    for number, step in enumerate(names):
        parts = words(step) or [step]
        last = number == len(names) - 1
        # A plural that holds fields ("options.color") says nothing of its own, nor does a word
        # that the field repeats ("name.last_name").
        repeated = not last and set(parts) <= set(words(names[-1]))
        if last or not (repeated or singular(parts[-1]) != parts[-1]):
            said_words += parts
    return " ".join(said_words)


def trait_phrase(trait: Trait, inside: int = 0) -> str:
    """Return a trait as a clause; the first `inside` steps of its pattern are understood."""
    pattern = trait.pattern[inside:]
    value = said(trait.value)
    if ANY not in pattern:
        return f"whose {field_phrase(pattern)} is {value}"
    last = len(pattern) - 1 - pattern[::-1].index(ANY)
    container, rest = field_phrase(pattern[:last]), field_phrase(pattern[last + 1 :])
    if not rest:
        return f"with {value} among its {container}"
    if rest == "name":
        return f"with the {singular(container)} {value}"
    return f"with {value} as the {rest} of one of its {container}"


def wish(tool: ToolSchema) -> str:
    """Return what a tool does as an infinitive, in the words of its description."""
    first = re.split(r"(?<=[.!?])\s", tool.description.strip(), maxsplit=1)[0]
    text = _PREAMBLE.sub("", first.strip().rstrip(".!? "))
    named = words(tool.name) or [tool.name]
    bare = text.casefold() == " ".join(named)
    if bare or not text or len(text) > _LONGEST_WISH or tool.name in text or '"' in text:
        text = " the ".join((named[0], " ".join(named[1:]))) if named[1:] else named[0]
    head, _, rest = text.partition(" ")
    verb = named[0]
    # "Cancels an order" describes the tool; a person says "cancel an order".
    if head.casefold() in (f"{verb}s", f"{verb}es"):
        head = verb
    elif head[1:2].islower() or len(head) == 1:
        head = head[:1].lower() + head[1:]
    return f"{head} {rest}".strip()
