"""A fact knows its stream, and is frozen and closed."""

import pytest
from hypothesis import given
from pydantic import ValidationError

from envwright.events import FACTS
from envwright.events.catalog import EffectRequested, PackageDrafted, RunResumed, SourceProfiled
from support.any_fact import facts


@pytest.mark.parametrize(
    ("fact", "stream"),
    [
        (RunResumed(run="run-1"), "run/run-1"),
        (SourceProfiled(source="ab", recipe="r", recipe_version="1"), "source/ab"),
        (PackageDrafted.model_construct(package="pkg-1"), "package/pkg-1"),
        (EffectRequested.model_construct(work="wrk-1"), "work/wrk-1"),
    ],
)
def test_a_stream_is_named_by_its_kind_and_key(fact, stream):
    assert fact.stream == stream


@given(facts())
def test_every_fact_names_a_stream_of_its_kind(fact):
    kind, _, key = fact.stream.partition("/")
    assert kind == fact.stream_kind
    assert key == getattr(fact, fact.stream_key)


@pytest.mark.parametrize("fact", FACTS.values(), ids=list(FACTS))
def test_every_fact_class_is_frozen_and_closed(fact):
    empty = fact.model_construct()
    with pytest.raises(ValidationError, match="frozen"):
        empty.type = "other"
    with pytest.raises(ValidationError, match="Extra inputs are not permitted"):
        fact.model_validate({"surprise": 1})
