"""The page of an artifact."""

import pytest

from envwright.console.pages.artifact import artifact_page
from envwright.console.terminal import print_page


def test_long_content_is_cut_and_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    view = {
        "artifact": "d" * 64,
        "kind": "text",
        "size": 30_000,
        "named_by": [],
        "named_by_total": 0,
        "content": "x" * 30_000,
    }
    parts = list(artifact_page(view))
    print_page(*parts)
    out = capsys.readouterr().out
    assert out.count("x") < 20_100
    assert "10000 more characters" in out
    assert "named by 0 events" in out
