"""The page of an audit."""

from envwright.console.pages.audit import audit_page
from envwright.console.terminal import results
from support.audit_views import EVENT, audit_view, failing


def drawn(view) -> str:
    with results().capture() as capture:
        for part in audit_page(view):
            results().print(part)
    return capture.get()


def test_it_tells_the_verdict_and_every_check():
    page = drawn(audit_view())
    for words in ("run-1", "sound", "/elsewhere/anchors", "positions", "admissions", "40"):
        assert words in page


def test_each_failure_is_told_with_its_place():
    view = audit_view(ok=False)
    view["checks"]["chains"] = failing("a payload", "its row is missing")
    page = drawn(view)
    for words in ("failed", "chains: 1 failed", EVENT, "position 12", "its row is missing"):
        assert words in page


def test_effects_of_unknown_outcome_are_listed():
    view = audit_view()
    row = {"event": EVENT, "position": 12, "kind": "model", "class": "once", "work": "w"}
    view["checks"]["effects"] |= {"unknown": [row], "open": 1}
    page = drawn(view)
    assert "unknown outcome" in page and "once" in page
