"""The report as a page: complete, self-contained, and safe whatever a log has in it."""

import json
import re
from html.parser import HTMLParser

from envwright.console.report.document import report_document
from support.command_line import Finished, envwright
from support.run_views import graph, run_view

HOSTILE = "<script>alert('x')</script>\"><img src=x onerror=alert(1)>"


class Reader(HTMLParser):
    """Reads a page as a browser does: which elements with which attributes it has."""

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
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_the_page_tells_all_that_a_person_asks_for():
    page = report_document(run_view())
    for words in (
        "log.json[2]", "no messages", "entity types", "Backing files: 2 needed", "Tool graph",
        "order_id", "Fidelity", "cancel_order", "no rule", "status := ", "NO_WALK", "LEAK",
        "pass^2", "searcher", "read and mine", "Hello, please do what pkg-2 says.", "takeovers",
        "executable", "2 epochs",
    ):  # fmt: skip
        assert words in page, words


def test_the_page_is_well_formed_and_needs_nothing_else():
    page = report_document(run_view())
    read = Reader(page)
    assert not read.open
    assert not {"script", "img", "link", "iframe", "object"} & set(read.tags)
    links = [value for name, value in read.attributes if name in ("href", "src")]
    assert links and all(value.startswith("#") for value in links)
    assert "url(http" not in page and "@import" not in page


def test_every_link_leads_to_a_section():
    read = Reader(report_document(run_view()))
    ids = {value for name, value in read.attributes if name == "id"}
    assert {value[1:] for name, value in read.attributes if name == "href"} <= ids


def test_whatever_stands_in_a_log_is_text():
    text = json.dumps(run_view(graph=graph(("get_a", HOSTILE)))).replace("log.json", "@")
    view = json.loads(text.replace("@", json.dumps(HOSTILE)[1:-1]))
    for key in ("recipe", "run", "services_note"):
        view[key] = HOSTILE
    view["packages"][0].update(instruction=HOSTILE, services=[HOSTILE], tools=[HOSTILE], id=HOSTILE)
    view["fidelity"] = {HOSTILE: {**view["fidelity"]["tools-1.cancel_order"], "program": HOSTILE}}
    view["tables"] = {HOSTILE: view["tables"]["orders"]}
    view["rejected"] = {HOSTILE: 1}
    view["pass_hat"] = {HOSTILE: {"1": 1.0}}
    read = Reader(report_document(view))
    assert not {"script", "img"} & set(read.tags)
    assert not [name for name, _ in read.attributes if name.startswith("on")]


def test_sections_without_figures_are_left_out():
    page = report_document(run_view(graph=None, fidelity=None, tables={}, stages=[], packages=[]))
    assert "Tool graph" not in page and "Fidelity" not in page and "Packages</h2>" not in page


def test_a_recipe_that_adds_nothing_has_a_page_too(finished: Finished) -> None:
    view = json.loads(envwright("show", finished.run, "--home", finished.home, "--json").stdout)
    page = report_document(view)
    assert not Reader(page).open
    assert "subjects.json" in page and "REFERENCE_FAILS" in page


def test_light_and_dark_and_print_are_styled():
    page = report_document(run_view())
    assert re.search(r"prefers-color-scheme: dark", page) and "@media print" in page
