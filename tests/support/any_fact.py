"""Strategies for facts: any type of the catalog, with any fields that its schema allows."""

from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

from annotated_types import Ge
from hypothesis import strategies as st
from pydantic import BaseModel
from pydantic.fields import FieldInfo

from envwright.events import FACTS, Fact

# Two lone surrogates that meet form one character in JSON; text with them has no round trip.
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
NUMBERS = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
JSON = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=10,
)
"""Any JSON value."""

_SCALARS: dict[Any, st.SearchStrategy[Any]] = {
    Any: JSON,
    str: TEXT,
    bool: st.booleans(),
    int: st.integers(0, 2**40),
    float: st.floats(allow_nan=False, allow_infinity=False),
    NoneType: st.none(),
}


@cache
def values(model: type[BaseModel]) -> st.SearchStrategy[Any]:
    """Return a strategy for instances of a value or fact class."""
    return st.builds(model, **{name: _field(each) for name, each in model.model_fields.items()})


def facts() -> st.SearchStrategy[Fact]:
    """Return a strategy for facts of every type in the catalog."""
    return st.sampled_from(sorted(FACTS)).flatmap(lambda name: values(FACTS[name]))


def _field(field: FieldInfo) -> st.SearchStrategy[Any]:
    lows = [int(str(limit.ge)) for limit in field.metadata if isinstance(limit, Ge)]
    return st.integers(max(lows), 2**40) if lows else _annotated(field.annotation)


def _annotated(annotation: Any) -> st.SearchStrategy[Any]:
    if annotation in _SCALARS:
        return _SCALARS[annotation]
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Literal:
        return st.sampled_from(arguments)
    if origin in (Union, UnionType):
        return st.one_of([_annotated(argument) for argument in arguments])
    if origin is tuple:
        return st.lists(_annotated(arguments[0]), max_size=3).map(tuple)
    if origin is dict:
        return st.dictionaries(TEXT, _annotated(arguments[1]), max_size=3)
    return values(annotation)
