"""Phrasing: how drafts are written in the language of table worlds."""

from collections.abc import Callable, Sequence

from envwright.recipes.toolspace.induction.drafts import WALKED, Draft
from envwright.recipes.toolspace.values import Path
from envwright.sandbox.worlds import (
    AbsOf,
    And,
    Argument,
    Assignment,
    Compare,
    ConcatOf,
    Const,
    Contains,
    Element,
    EntryOf,
    Exists,
    Expr,
    FieldOf,
    FirstOf,
    If,
    In,
    KeyOf,
    Length,
    ListOf,
    MapOf,
    Minus,
    Negate,
    Not,
    ObjectOf,
    OfRow,
    Plus,
    RoundTo,
    SortedOf,
    SumOf,
    Text,
    Times,
    Updated,
    Variable,
    ZipOf,
)


class MisfitError(Exception):
    """No expression of the language explains what was observed."""


class _Phrasing:
    """Has the words for every operation of a draft."""

    def __init__(self) -> None:
        self._words: dict[str, Callable[..., Expr]] = {
            "const": lambda fixed: Const(value=fixed.value),
            "arg": lambda path: Argument(path=path),
            "field": lambda path: FieldOf(path=path),
            "key": KeyOf,
            "item": _item,
            "lookup": lambda table, key, path: OfRow(table=table, key=self(key), path=path),
            "member": lambda of, key, path: EntryOf(of=self(of), key=self(key), path=path),
            "first": self._first,
            "object": lambda *parts: ObjectOf(fields={name: self(part) for name, part in parts}),
            "list": lambda *items: ListOf(items=tuple(map(self, items))),
            "sorted": lambda of: SortedOf(of=self(of)),
            "joined": lambda *lists: ConcatOf(of=ListOf(items=tuple(map(self, lists)))),
            "map": self._map,
            "sum": lambda *walk: SumOf(of=self._map(*walk)),
            "replaced": self._replaced,
            "if": self._if,
            "template": self._template,
            "negate": lambda of: Negate(of=self(of)),
            "absolute": lambda of: AbsOf(of=self(of)),
            "round2": lambda of: RoundTo(of=self(of)),
            "count": lambda of: Length(of=self(of)),
            "minus": lambda left, right: Minus(left=self(left), right=self(right)),
            "plus": lambda *terms: Plus(terms=tuple(map(self, terms))),
            "times": lambda *factors: Times(factors=tuple(map(self, factors))),
        }

    def __call__(self, draft: Draft) -> Expr:
        """Return a draft as an expression."""
        return self._words[draft.op](*draft.parts)

    def holds(self, test: Draft) -> Expr:
        """Return a predicate that is false where what it speaks of is not there."""
        operands = [self(operand) for operand in test.parts]
        there = [Exists(of=expr) for expr in operands if not isinstance(expr, Const | Argument)]
        if test.op == "more":
            return _all([*there, Compare(left=operands[0], sign=">", right=operands[1])])
        if test.op == "equal":
            return _all([*there, Compare(left=operands[0], sign="==", right=operands[1])])
        if test.op in ("outside", "lacks"):
            return _all([*_given(operands[0]), self._breach(test.op, *operands)])
        if test.parts[0].op == "arg":
            sign = "!=" if test.op == "present" else "=="
            return Compare(left=operands[0], sign=sign, right=Const(value=None))
        exists = Exists(of=operands[0])
        return exists if test.op == "present" else self._missing(test.parts[0], exists)

    def _breach(self, op: str, value: Expr, norm: Expr) -> Expr:
        within = In(value=value, of=norm) if op == "outside" else Contains(text=value, part=norm)
        return Not(of=within)

    def _missing(self, wanted: Draft, exists: Expr) -> Expr:
        # A row that nobody knows is not a row without the thing.
        around = [Exists(of=self(part)) for part in _containers(wanted)]
        return _all([*around, Not(of=exists)])

    def _first(self, items: Draft, name: str, value: Draft, path: Path) -> Expr:
        wanted = Compare(left=Element(path=(name,)), sign="==", right=self(value))
        return FirstOf(of=self(items), holds=wanted, path=path)

    def _map(self, lists: Sequence[Draft], depth: int, body: Draft) -> Expr:
        return MapOf(of=self._walked(lists), named=_named(depth), body=self(body))

    def _walked(self, lists: Sequence[Draft]) -> Expr:
        if len(lists) == 1:
            return self(lists[0])
        return ZipOf(lists=dict(zip(WALKED, map(self, lists), strict=True)))

    def _replaced(
        self, items: Draft, name: str, lists: Sequence[Draft], depth: int, body: Draft
    ) -> Expr:
        if body.op != "object":
            raise MisfitError("the items of a list are replaced by what are no objects")
        key = Draft("item", (depth, WALKED[0] if len(lists) > 1 else "", ()))
        kept = {part: Draft("first", (items, name, key, (part,))) for part, _ in body.parts}
        kept[name] = key
        return Updated(
            of=self(items),
            by=self._walked(lists),
            named=_named(depth),
            key=(name,),
            equals=self(key),
            set=tuple(
                Assignment(path=(part,), value=self(value))
                for part, value in body.parts
                if value != kept[part]
            ),
        )

    def _if(self, test: Draft, yes: Draft, no: Draft) -> Expr:
        return If(holds=self.holds(test), then=self(yes), otherwise=self(no))

    def _template(self, *pieces: str | Draft) -> Expr:
        return Text(
            items=tuple(
                Const(value=piece) if isinstance(piece, str) else self(piece) for piece in pieces
            )
        )


def _named(depth: int) -> str:
    return "item" if depth == 0 else f"item{depth + 1}"


def _item(depth: int, walked: str, path: Path) -> Expr:
    return Variable(name=_named(depth), path=(walked, *path) if walked else path)


def _given(expr: Expr) -> list[Expr]:
    if isinstance(expr, Argument):
        return [Compare(left=expr, sign="!=", right=Const(value=None))]
    return [Exists(of=expr)]


def _all(terms: list[Expr]) -> Expr:
    return terms[0] if len(terms) == 1 else And(terms=tuple(terms))


def _containers(draft: Draft) -> list[Draft]:
    """Return what must be there before anything inside can be missed."""
    if draft.op == "lookup":
        table, key, path = draft.parts
        return [Draft("lookup", (table, key, ()))] if path else [key]
    if draft.op == "member":
        mapping, key, _ = draft.parts
        return [mapping, key]
    return [draft.parts[0], draft.parts[2]] if draft.op == "first" else []


def phrased(draft: Draft) -> Expr:
    """Return a draft as an expression of a program over one table."""
    return _PHRASING(draft)


def phrased_test(test: Draft) -> Expr:
    """Return a test as a predicate that is false where what it speaks of is not there."""
    return _PHRASING.holds(test)


_PHRASING = _Phrasing()
