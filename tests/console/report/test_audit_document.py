"""The audit as a page: complete, in plain words, self-contained and safe."""

from html.parser import HTMLParser

from envwright.console.report.audit_document import audit_document
from support.audit_views import EVENT, audit_view, failing

HOSTILE = "<script>alert('x')</script>\"><img src=x onerror=alert(1)>"


class Reader(HTMLParser):
    """Reads a page as a browser does."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def document(**more) -> str:
    return audit_document(audit_view(**more), "audit.json", "e" * 64, "0123456789abcdef")


def test_the_page_tells_all_that_a_stranger_asks_for():
    page = document()
    for words in (
        "What this is", "training environments for AI agents", "The record of run run-1 holds",
        "Who did what", "runs the gates on it", "gate no_leak", "3 of 4 attempts passed", EVENT,
        "earned", "Timeline", "tokens written", "/elsewhere/anchors", "What is not proved",
        "The holder of the signing key can still", "envwright audit verify audit.json.sig",
        "e" * 64, "1 repairs",
    ):  # fmt: skip
        assert words in page, words


def test_a_failure_is_in_plain_sight():
    view = {"checks": {**audit_view()["checks"], "chains": failing("a payload", "none")}}
    page = document(ok=False, **view)
    for words in ("does not hold", "Where chains failed", "a payload", EVENT):
        assert words in page


def test_what_is_not_anchored_is_said_plainly():
    page = document(anchored_to=0, unanchored=40, anchors={"place": "/nowhere", "used": []})
    assert "40 events after position 0 are under no anchor" in page
    assert "No anchor that agrees with the log was found in /nowhere" in page


def test_an_admission_without_grounds_has_a_place_too():
    admission = audit_view()["admissions"][0]
    known = ("number", "package", "revision", "run", "event", "position")
    bare = {name: admission[name] for name in known}
    page = document(admissions=[{**bare, "inherited_from": "run-0", "sound": False}])
    assert "not earned" in page and "taken over from" in page


def test_empty_parts_have_words():
    view = audit_view()
    empty = {"from": "", "to": "", "seconds": 0.0, "slot_seconds": 0.05, "roles": {}, "points": [],
             "points_not_listed": 0}  # fmt: skip
    page = document(admissions=[], timeline=empty, spent={**view["spent"], "stages": []})
    assert "Nothing was admitted" in page and "No event, no timeline" in page


def test_the_page_is_well_formed_and_needs_nothing_else():
    read = Reader(document())
    assert not read.open
    assert not {"script", "img", "link", "iframe", "object"} & set(read.tags)
    links = [value for name, value in read.attributes if name in ("href", "src")]
    assert links and all(value.startswith("#") for value in links)


def test_what_a_log_smuggles_in_stays_text():
    view = audit_view(run=HOSTILE)
    view["admissions"][0]["package"] = view["timeline"]["points"][0]["about"] = HOSTILE
    view["actors"][0]["types"] = {HOSTILE: 1}
    view["checks"]["chains"] = failing(HOSTILE, HOSTILE)
    read = Reader(audit_document(view, "a.json", "e" * 64, "k"))
    assert not read.open and not {"script", "img"} & set(read.tags)


def test_effects_of_unknown_outcome_are_listed():
    checks = audit_view()["checks"]
    row = {"event": EVENT, "position": 12, "kind": "model", "class": "once", "work": "w"}
    checks["effects"] |= {"unknown": [row], "open": 1}
    assert "1 effects of unknown outcome" in document(checks=checks)
