"""Missing rows: with what words calls are refused that name no row."""

import re
from collections import Counter

from envwright.recipes.toolspace.induction import drafts
from envwright.recipes.toolspace.induction.phrasing import phrased
from envwright.recipes.toolspace.mining.history import History, Moment
from envwright.recipes.toolspace.mining.tables import Table
from envwright.recipes.toolspace.values import entity_noun, is_key_value, key_text, phrase
from envwright.sandbox.worlds import Expr

FEWEST_TASKS = 2
"""Fewest distinct tasks in which a text with a hole must have been seen (ours)."""

_HOLE = "\x00"
_NOUN = "\x01"


def missing_text(history: History, tool: str, table: Table, argument: str = "") -> str:
    """Return the error text of a call that names no row: the most usual one that names no value."""
    texts: Counter[str] = Counter()
    for moment in _failed(history, tool):
        call = moment.call
        key = call.arguments.get(argument)
        if is_key_value(key) and key_text(key) in table.rows:
            continue
        given = [key_text(v) for v in call.arguments.values() if is_key_value(v)]
        texts[str(call.value)] += not any(value in str(call.value) for value in given)
    usual = +texts
    if usual:
        return min(usual, key=lambda text: (-usual[text], text))
    return f"Error: {_noun(table)} not found"


def missing_words(
    history: History, tool: str, table: Table, argument: str, tables: dict[str, Table]
) -> str | Expr:
    """Return the text of a call of a write that names no row; other tools may have shown it."""
    own = _templates(history, {tool: argument}, table)
    shared = _templates(history, table.entity.tools, table)
    for templates in (own, shared, _of_the_service(history, table, tables)):
        best = min(templates, key=lambda text: (-len(templates[text]), text), default="")
        if best and (len(templates[best]) >= FEWEST_TASKS or _HOLE not in best):
            return _words(best.replace(_NOUN, _noun(table)), argument)
    return missing_text(history, tool, table, argument)


def _of_the_service(
    history: History, table: Table, tables: dict[str, Table]
) -> dict[str, set[str]]:
    """Return what the service says of missing rows of any kind, with a hole for the kind."""
    found: dict[str, set[str]] = {}
    for other in tables.values():
        if other.entity.namespace == table.entity.namespace:
            for text, tasks in _templates(history, other.entity.tools, other).items():
                general = re.sub(rf"\b{re.escape(_noun(other))}\b", _NOUN, text)
                if _NOUN in general:
                    found.setdefault(general, set()).update(tasks)
    return found


def _noun(table: Table) -> str:
    return phrase(entity_noun(table.entity.argument) or table.entity.argument)


def _templates(history: History, keys: dict[str, str], table: Table) -> dict[str, set[str]]:
    """Return the texts of calls on unknown keys, with a hole for the key, and their tasks."""
    found: dict[str, set[str]] = {}
    for tool, argument in sorted(keys.items()):
        for moment in _failed(history, tool):
            key = moment.call.arguments.get(argument)
            if is_key_value(key) and key_text(key) not in table.rows:
                text = str(moment.call.value).replace(key_text(key), _HOLE)
                found.setdefault(text, set()).add(moment.task)
    return found


def _failed(history: History, tool: str) -> list[Moment]:
    moments = history.moments(tool)
    return [m for m in moments if not m.call.ok and not m.call.transient]


def _words(template: str, argument: str) -> str | Expr:
    if _HOLE not in template:
        return template
    pieces: list[str | drafts.Draft] = []
    for number, piece in enumerate(template.split(_HOLE)):
        pieces += [drafts.argument((argument,))] if number else []
        pieces += [piece] if piece else []
    return phrased(drafts.template(pieces))
