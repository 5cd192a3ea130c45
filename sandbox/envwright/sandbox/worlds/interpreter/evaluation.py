"""Evaluation of expressions: the table of rules, and how a rule takes the parts of its expression.

Rows and arguments are never changed in place: a rule that changes something makes a copy.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

from envwright.events.canonical import Json
from envwright.sandbox.worlds.interpreter.frames import Frame
from envwright.sandbox.worlds.json_values import ABSENT, at, identity, measure, path_text
from envwright.sandbox.worlds.programs import Expr, Kinds, Node, Primitive
from envwright.sandbox.worlds.programs.contracts import ANY, ELEMENT, kind_of
from envwright.sandbox.worlds.refusal import Absence, Refusal

Part = TypeVar("Part", bound=Primitive)

_RULES: dict[type, Callable[[Any, Frame], Json]] = {}


def rule(primitive: type[Part]) -> Callable[[Callable[[Part, Frame], Json]], Any]:
    """Enter a function into the table as the meaning of a primitive."""

    def enter(meaning: Callable[[Part, Frame], Json]) -> Callable[[Part, Frame], Json]:
        _RULES[primitive] = meaning
        return meaning

    return enter


def evaluate(expr: Expr, frame: Frame) -> Json:
    """Return the value of an expression; it may share parts with rows and arguments.

    Whatever the frame and the expression hold is canonical: see `envwright.events.normalise`.

    Raises:
        Absence: something that it asks for is not there.
        Refusal: something does not keep to the contract of its primitive.
    """
    return _RULES[type(expr)](expr, frame)


def taken(node: Node, field: str, frame: Frame) -> Any:
    """Return the value of an expression that a part holds, held to the part's contract."""
    return _admitted(node, node.takes[field], evaluate(getattr(node, field), frame))


def all_taken(node: Node, field: str, frame: Frame) -> Iterator[Any]:
    """Yield the values of the expressions that a field holds, held to the part's contract."""
    for part in getattr(node, field):
        yield _admitted(node, node.takes[field], evaluate(part, frame))


def _admitted(node: Node, kinds: Kinds, value: Json) -> Json:
    if kinds != ANY and kind_of(value) not in kinds:
        name = getattr(node, "op", "a step")
        raise Refusal(f"Error: `{name}` takes a {' or '.join(kinds)}, not {value!r:.80}")
    return value


def turns(node: Node, items: Iterable[Json], frame: Frame) -> Iterator[tuple[Json, Frame]]:
    """Yield the elements of a loop, each with the frame that sees it until the next one."""
    names = dict(frame.names)
    inner = frame._replace(names=names)
    named = getattr(node, "named", None) or ELEMENT
    for item in items:
        frame.transaction.spend(node.size)
        names[ELEMENT] = names[named] = item
        yield item, inner


def inside(value: Json, path: tuple[str | int, ...], what: str) -> Json:
    """Return what is at a path inside a value.

    Raises:
        Absence: the path leads nowhere; `what` names the value.
    """
    found = at(value, path)
    if found is ABSENT:
        raise Absence(f"Error: {what:.80} has no {path_text(path):.80}")
    return found


def key_text(key: Json) -> str:
    """Return a key as text.

    Raises:
        Refusal: it is neither a text nor a whole number.
    """
    if isinstance(key, str):
        return key
    if isinstance(key, int) and not isinstance(key, bool):
        return str(key)
    raise Refusal(f"Error: a key is a text or a whole number, not {key!r:.80}")


def same(left: Json, right: Json, frame: Frame) -> bool:
    """Say whether two values are equal: numbers by value, true is not 1."""
    kind = type(left)
    if kind is not type(right):
        return False
    if kind is str:
        frame.transaction.spend_on_text(left)
        return bool(left == right)
    if kind is dict or kind is list:
        left_of = frame.transaction.left
        frame.transaction.spend(measure(left, left_of) + measure(right, left_of))
        return identity(left) == identity(right)
    return bool(left == right)
