"""The serialiser keeps allowed types exactly and refuses all others, on the way in and out."""

import logging
from collections import deque
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from enum import Enum
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.types import Command, Interrupt, Send
from pydantic import BaseModel

from envwright.agents.checkpoint_serializer import StrictSerializer
from envwright.events.errors import UnknownSchemaError


class Note(BaseModel):
    text: str


@dataclass
class Point:
    x: int
    inner: Note | None = None


class Colour(Enum):
    RED = "red"


def roundtrip(serializer: StrictSerializer, value: Any) -> Any:
    return serializer.loads_typed(serializer.dumps_typed(value))


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.text() | st.binary(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(PLAIN)
def test_plain_data_survives_exactly(value: Any) -> None:
    assert roundtrip(StrictSerializer(), value) == value


@pytest.mark.parametrize(
    "value",
    [
        {1, 2},
        deque([1]),
        UUID(int=7),
        Decimal("1.50"),
        date(2026, 1, 2),
        datetime(2026, 1, 2, tzinfo=UTC),
        timedelta(seconds=3),
        Send("node", {"a": 1}),
        Command(goto=["a"], resume={"a": 1}),
        Interrupt(value="why", id="i"),
        {"deep": [[{1}], {"er": UUID(int=7)}]},
    ],
)
def test_what_langgraph_itself_stores_is_allowed(value: Any) -> None:
    restored = roundtrip(StrictSerializer(), value)
    assert type(restored) is type(value)
    assert restored == value


@pytest.mark.parametrize("value", [Note(text="n"), Point(1), Colour.RED, {"a": [Note(text="n")]}])
def test_an_unknown_type_is_refused_at_the_writer_without_a_log_line(
    value: Any, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG), pytest.raises(UnknownSchemaError, match="allow-list"):
        StrictSerializer().dumps_typed(value)
    assert caplog.records == []


def test_an_unknown_type_is_refused_at_the_reader_before_anything_is_imported(
    caplog: pytest.LogCaptureFixture,
) -> None:
    written = JsonPlusSerializer().dumps_typed([Point(1, Note(text="n"))])
    with caplog.at_level(logging.DEBUG), pytest.raises(UnknownSchemaError, match="Note"):
        StrictSerializer([Point]).loads_typed(written)
    assert caplog.records == []


@pytest.mark.parametrize("value", [Point(1, Note(text="n")), Colour.RED, [Note(text="n")]])
def test_an_allowed_class_comes_back_as_itself(value: Any) -> None:
    assert roundtrip(StrictSerializer([Point, Note, Colour]), value) == value


def test_a_graph_may_widen_the_allow_list_for_itself() -> None:
    strict = StrictSerializer()
    wider = strict.with_msgpack_allowlist([(Note.__module__, "Note")])
    assert wider.loads_typed(wider.dumps_typed(Note(text="n"))) == Note(text="n")
    assert wider.with_msgpack_allowlist([Note]) is wider
    with pytest.raises(UnknownSchemaError):
        strict.dumps_typed(Note(text="n"))


@pytest.mark.parametrize("value", [object(), lambda: None, 2**70])
def test_what_msgpack_cannot_hold_is_refused_and_never_pickled(value: Any) -> None:
    with pytest.raises(UnknownSchemaError, match="plain data"):
        StrictSerializer().dumps_typed(value)


@pytest.mark.parametrize("form", ["pickle", "json", "yaml"])
def test_other_forms_are_refused(form: str) -> None:
    with pytest.raises(UnknownSchemaError, match=form):
        StrictSerializer().loads_typed((form, b"{}"))
