"""Bounded output."""

import os

from hypothesis import given
from hypothesis import strategies as st

from envwright.sandbox.isolation.output import BoundedOutput, cut_text


@given(st.text(), st.integers(0, 40))
def test_a_cut_text_is_the_head_of_the_whole(text, limit):
    data = text.encode("utf-8", "replace")
    cut = cut_text(data[:limit], len(data) > limit)
    assert data.decode().startswith(cut)
    assert len(cut.encode()) > min(limit, len(data)) - 4


def test_a_stream_is_read_to_its_end_and_kept_to_its_limit():
    reader, writer = os.pipe()
    output = BoundedOutput(os.fdopen(reader, "rb"), 5)
    with os.fdopen(writer, "wb") as pipe:
        pipe.write(b"0123456789" * 100_000)
    assert output.finish(10) == ("01234", True)


def test_an_unended_character_at_the_end_of_a_whole_stream_is_shown_as_broken():
    assert cut_text("a€".encode()[:-1], False) == "a\ufffd"
