"""The walk over a program: every part with its place, what exists there, and what must not be."""

from collections.abc import Iterator
from typing import NamedTuple

from envwright.sandbox.worlds.programs.contracts import ELEMENT, Held, Need, Node, Primitive
from envwright.sandbox.worlds.programs.effects import Each, When
from envwright.sandbox.worlds.programs.sources import Element, Variable

MAX_NESTING = 32
"""How deep expressions may nest: far above any real tool, far below the interpreter's stack."""

_NEED_NAMES: dict[Need, str] = {
    "before": "row before the call",
    "after": "row after the call",
    "key": "key of the row",
    "current": "place of an effect",
    "outcome": "tables after all effects",
    "counters": "counters of a tool that writes",
}


class Visit(NamedTuple):
    """A part of a program, and what exists where it stands."""

    slot: str
    """The place in the program; what is inside an expression has the place of the outermost."""
    node: Node
    offered: frozenset[Need]
    names: frozenset[str]
    depth: int
    """How many expressions and nested effects it stands in, itself included."""


def visits(root: Node) -> Iterator[Visit]:
    """Yield every part inside a program, outer before inner, in the order of evaluation."""
    yield from _visits(Visit("", root, frozenset(), frozenset(), 0))


def check(root: Node) -> None:
    """Check that every part of a program has what it needs.

    Raises:
        ValueError: naming the part and its place.
    """
    for visit in visits(root):
        if visit.depth > MAX_NESTING:
            raise ValueError(f"`{visit.slot}` nests deeper than {MAX_NESTING} expressions")
        if isinstance(visit.node, Primitive):
            _check_needs(visit.node, visit)
        for name in _taken(visit):
            raise ValueError(
                f"the name {name!r} in `{visit.slot}` is taken already; choose another"
            )


def _check_needs(expr: Primitive, visit: Visit) -> None:
    if expr.needs is not None and expr.needs not in visit.offered:
        raise ValueError(
            f"`{expr.op}` in `{visit.slot}` needs the {_NEED_NAMES[expr.needs]}, which "
            f"does not exist there; use `arg` or `const`"
        )
    if isinstance(expr, Element) and ELEMENT not in visit.names:
        raise ValueError(f"`element` in `{visit.slot}` stands in no loop")
    if isinstance(expr, Variable) and expr.name not in visit.names:
        known = ", ".join(sorted(visit.names - {ELEMENT})) or "none"
        raise ValueError(
            f"there is no variable {expr.name!r} in `{visit.slot}`; the variables there: {known}"
        )


def _taken(visit: Visit) -> list[str]:
    """Return the names that a part gives although they exist around it."""
    node = visit.node
    given = {name for field in node.binds for name in node.bound(field)} - {ELEMENT}
    if node.declares:
        given.add(getattr(node, node.declares))
    return sorted(name for name in given if name in visit.names or name == ELEMENT)


def _visits(at: Visit) -> Iterator[Visit]:
    names = at.names
    for held in at.node.held():
        inner = names | at.node.bound(held.field)
        offered = at.offered.union(at.node.offers.get(held.field, ()))
        visit = Visit(_slot(at, held), held.node, offered, inner, at.depth + _deepens(held.node))
        yield visit
        yield from _visits(visit)
        if held.node.declares:
            names |= {getattr(held.node, held.node.declares)}


def _deepens(node: Node) -> bool:
    return isinstance(node, Primitive | Each | When)


def _slot(at: Visit, held: Held) -> str:
    if isinstance(at.node, Primitive):
        return at.slot
    if not at.slot:
        return held.place
    # A part around one expression only has the same place as the expression.
    alone = len(at.node.takes) == 1 and held.place == held.field
    return at.slot if alone else f"{at.slot}.{held.place}"
