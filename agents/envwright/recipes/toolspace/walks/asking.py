"""Asking: values of a row that a user may want to know, and only looking it up can tell."""

from envwright.events.canonical import Json
from envwright.recipes.toolspace.values import ANY, Leaf, identity, key_text, leaves
from envwright.recipes.toolspace.walks.story import Question
from envwright.recipes.toolspace.walks.traits import Trait, tell_apart, tellable
from envwright.recipes.toolspace.walks.walk import DeadEndError, Walk

_TRIES = 6


def question(walk: Walk, table: str) -> Question:
    """Lead the walk to a row of the table that it has not read, and choose what is asked of it.

    Raises:
        DeadEndError: there is none, or nothing in it is worth a question.
    """
    number = walk.reach(table, lambda key, _row: not walk.has_read(table, key))
    seen = {identity(leaf.value) for made in walk.made for leaf in leaves(made.value)}
    row = walk.read(number)
    told = [trait.value for place in walk.places for trait in place.traits]
    seen |= {identity(value) for value in (*walk.given.values(), *told)}
    every = list(walk.knowledge.leaves(table, row))
    askable = [leaf for leaf in every if _is_askable(walk, table, leaf, seen)]
    for _ in range(min(_TRIES, len(askable))):
        leaf = askable.pop(walk.rng.randrange(len(askable)))
        traits = _traits(walk, table, row, leaf, every)
        if traits is not None:
            return Question(place=number, path=leaf.path, value=leaf.value, traits=traits)
    raise DeadEndError(f"nothing to ask about {table}")


def _is_askable(walk: Walk, table: str, leaf: Leaf, seen: set[object]) -> bool:
    hidden = walk.hidden()
    if not tellable(leaf, hidden) or key_text(leaf.value) in hidden:
        return False
    nested = ANY in leaf.pattern
    # Inside a list only a field of the entry itself can be asked for: "the price of the one …".
    if nested and (leaf.pattern[-2:-1] != (ANY,) or leaf.pattern.count(ANY) > 1):
        return False
    return identity(leaf.value) not in seen and leaf.pattern in walk.knowledge.variety.varying(
        table
    )


def _traits(
    walk: Walk, table: str, row: Json, leaf: Leaf, every: list[Leaf]
) -> tuple[Trait, ...] | None:
    """Return what tells the entry that holds a leaf from its like; nothing for the row's own."""
    if ANY not in leaf.pattern:
        return ()
    others = [x for x in every if x.pattern == leaf.pattern and x.path != leaf.path]
    own = [x for x in walk.element(table, row, leaf.path[:-1]) if x.path != leaf.path]
    hidden = walk.hidden() | {key_text(leaf.value)}
    rest = [walk.element(table, row, other.path[:-1]) for other in others]
    return tell_apart(own, rest, hidden, walk.rng)
