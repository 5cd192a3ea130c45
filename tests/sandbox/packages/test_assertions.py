"""The verifier `tests/assertions.json`."""

import pytest

from envwright.events.errors import BadInputError
from envwright.sandbox.packages import Assertions, FrameAssertion

DIGEST = "0" * 64


def parse(**parts):
    return Assertions.parse({"schema_version": 1, **parts})


def test_ids_are_unique_over_all_kinds():
    state = [{"id": "a", "path": ["x"], "op": "exists"}]
    with pytest.raises(BadInputError, match="twice: a"):
        parse(state=state, answer=[{"id": "a", "op": "equals", "expected": "x"}])


@pytest.mark.parametrize("expected", [None, "1", True, 1.5])
def test_a_count_delta_expects_a_whole_number(expected):
    with pytest.raises(BadInputError, match="whole number"):
        parse(state=[{"id": "a", "path": ["x"], "op": "count_delta", "expected": expected}])


def test_a_path_step_is_text_or_a_whole_number_and_never_converted():
    state = [{"id": "a", "path": ["x", 0, "0"], "op": "exists"}]
    assert parse(state=state).state[0].path == ("x", 0, "0")
    with pytest.raises(BadInputError, match="path"):
        parse(state=[{"id": "a", "path": ["x", 1.0], "op": "exists"}])


def test_the_excepted_places_of_a_frame_are_written_as_except():
    frame = FrameAssertion(id="f", path=("tables",), excepted=(("a",),), digest=DIGEST)
    written = Assertions(frames=(frame,)).to_bytes()
    assert b'"except":[["a"]]' in written
    assert parse(frames=[frame.model_dump(mode="json")]).frames == (frame,)


@pytest.mark.parametrize("expected", ["", " \n"])
def test_an_empty_expected_answer_is_refused_since_every_answer_contains_it(expected):
    with pytest.raises(BadInputError, match="expected"):
        parse(answer=[{"id": "a", "op": "contains", "expected": expected}])
