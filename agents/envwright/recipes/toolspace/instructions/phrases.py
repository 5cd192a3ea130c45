"""Phrases: values, fields, arguments and traits in words that a person would use."""

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

_LONGEST_NOUN = 5
_ARTICLE = re.compile(r"^(?:the|an|a|its|their)\s+", re.IGNORECASE)
_OF_SOMETHING = re.compile(r"\s+of\s+(?:the|an|a)\s+\w+$", re.IGNORECASE)
_NOUN_PHRASE = re.compile(r"[A-Za-z][a-z]*(?:[ -][A-Za-z][a-z]*)*")
_NO_NOUN = frozenset(("how", "what", "when", "where", "which", "who", "whose", "that", "this"))
_NO_NOUN |= {"is", "are", "to", "if", "should", "must", "can", "id", "ids", "containing"}
_NO_NOUN |= {"array", "list", "object", "objects", "string"}
_NAMES = frozenset({"name", "title"})
_MOMENTS = frozenset({"at", "on"})


def said(value: Json) -> str:
    """Return a value as it is said: texts in quotes, lists joined, objects field by field."""
    if isinstance(value, str):
        return f"“{value}”" if '"' in value else f'"{value}"'
    if isinstance(value, list):
        return joined([said(item) for item in value])
    if isinstance(value, dict):
        return joined([f"{phrase(name)} {said(value[name])}" for name in sorted(value)])
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


def argument_phrase(tool: ToolSchema, argument: str) -> str:
    """Return an argument in the words of its description, where those are a plain noun phrase.

    "The first line of the address, such as ..." says more than `address1`; "how urgent it is"
    is no noun, so that the name has to do.
    """
    declared = tool.parameters.get("properties", {}).get(argument, {})
    text = declared.get("description", "") if isinstance(declared, dict) else ""
    noun = _ARTICLE.sub("", re.split(r"[,.;:(\n]", str(text), maxsplit=1)[0].strip())
    named = {singular(word) for word in words(argument) if word.isalpha()}
    shorter = _OF_SOMETHING.sub("", noun)
    for candidate in (shorter, noun):
        found = {singular(word) for word in words(candidate)}
        if named & found and _is_noun(candidate):
            return candidate if candidate[1:2].isupper() else candidate[:1].lower() + candidate[1:]
    return phrase(argument)


def _is_noun(text: str) -> bool:
    parts = text.casefold().split()
    fits = _NOUN_PHRASE.fullmatch(text) is not None and len(parts) <= _LONGEST_NOUN
    return fits and not _NO_NOUN & set(parts)


def argument_order(tool: ToolSchema, argument: str) -> tuple[int, str]:
    """Return where an argument stands in the order in which a tool asks for its own."""
    required = tool.parameters.get("required", [])
    place = required.index(argument) if argument in required else len(required)
    return place, argument


def field_phrase(pattern: Pattern) -> str:
    """Return the field at a pattern without lists: `address.city` is city in the address."""
    names = [step for step in pattern if step != ANY]
    if not names:
        return ""
    field = _field(names[-1])
    # A plural that holds fields ("options.color") says nothing of its own, nor does a word that
    # the field repeats ("name.last_name").
    holders = [
        phrase(name)
        for name in names[:-1]
        if not set(words(name)) <= set(words(names[-1])) and singular(phrase(name)) == phrase(name)
    ]
    return f"{field} in the {holders[-1]}" if holders else field


def _field(name: str) -> str:
    """Return a field as a noun: `created_at` is the created-at time."""
    parts = words(name)
    if len(parts) > 1 and parts[-1] in _MOMENTS:
        return f"{'-'.join(parts)} time"
    return phrase(name)


def trait_phrase(trait: Trait, inside: int = 0) -> str:
    """Return a trait as a clause; the first `inside` steps of its pattern are understood."""
    pattern = trait.pattern[inside:]
    value = said(trait.value)
    if ANY in pattern:
        return _among(pattern, value)
    counted = not isinstance(trait.value, str) and len(pattern) > 1
    if counted and _is_plural(phrase(pattern[-2])):
        # "Whose economy is 12" leaves open of what: of its prices, or of its seats.
        return f"with the {_field(pattern[-1])} {value} in its {phrase(pattern[-2])}"
    return _clause(pattern, value)


def _clause(pattern: Pattern, value: str) -> str:
    field, _, holder = field_phrase(pattern).partition(" in the ")
    if holder:
        return f"with the {field} {value} in its {holder}"
    if field in _NAMES:
        return f"{'named' if field == 'name' else 'titled'} {value}"
    event, _, moment = field.removesuffix(" time").partition("-")
    if moment in _MOMENTS and event.endswith("ed"):
        return f"{event} {moment} {value}"
    return f"whose {field} {'are' if _is_plural(field) else 'is'} {value}"


def _among(pattern: Pattern, value: str) -> str:
    last = len(pattern) - 1 - pattern[::-1].index(ANY)
    container, rest = field_phrase(pattern[:last]), field_phrase(pattern[last + 1 :])
    if not rest:
        return f"with {value} among its {container}"
    entry = entry_noun(pattern[:last][-1])
    if rest == "name":
        return f"with the {entry} {value}"
    article = "an" if entry[0] in "aeiou" else "a"
    return f"with {article} {entry} {_clause(pattern[last + 1 :], value)}"


def entry_noun(name: str) -> str:
    """Return what one thing in a list is called: of `items` an item, of `history` an entry."""
    whole, noun = phrase(name), argument_noun(name)
    return noun if noun != whole else f"{noun} entry"


def _is_plural(noun: str) -> bool:
    last = noun.split()[-1]
    return singular(last) != last and not last.endswith("us")
