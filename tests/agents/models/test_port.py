"""Tests of the values of the model port."""

import pytest
from pydantic import ValidationError

from envwright.agents.models import ModelRequest, Usage, request_digest
from support.model_conformance import ask


def test_equal_numbers_give_equal_request_digests() -> None:
    request = ask().model_copy(update={"temperature": 1.0})
    again = ModelRequest.model_validate(request.model_dump() | {"temperature": 1})
    assert request_digest(request) == request_digest(again)


def test_every_part_of_a_request_counts_in_its_digest() -> None:
    changes = {"model": "other", "messages": (), "tools": (), "max_tokens": 5, "seed": None}
    digests = {
        request_digest(ask().model_copy(update={name: value})) for name, value in changes.items()
    }
    assert len(digests | {request_digest(ask())}) == len(changes) + 1


def test_cached_tokens_are_part_of_the_input_tokens() -> None:
    with pytest.raises(ValidationError, match="input_tokens must include the cached ones"):
        Usage(input_tokens=5, cached_tokens=6)
