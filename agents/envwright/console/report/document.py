"""The document: the whole report of a run as one HTML page that needs nothing but itself."""

import json
from collections.abc import Callable, Iterator
from typing import NamedTuple

from envwright.console.report import made, mined
from envwright.console.report.markup import Markup, joined, share, tag
from envwright.console.report.style import STYLE
from envwright.events.canonical import Json

View = dict[str, Json]


class Section(NamedTuple):
    """A part of the page: the JSON that it needs, and what draws it."""

    id: str
    title: str
    needs: str
    draw: Callable[[View], Iterator[Markup]]


_SECTIONS = (
    Section("sources", "Sources", "sources", mined.sources),
    Section("graph", "Tool graph", "graph", mined.graph),
    Section("tables", "Entity tables", "tables", mined.tables),
    Section("fidelity", "Fidelity", "fidelity", mined.fidelity),
    Section("yield", "Yield", "planned", made.outcomes),
    Section("shapes", "Length and services", "packages", made.shapes),
    Section("attempts", "Attempts", "pass", made.attempts),
    Section("time", "Time", "stages", made.stages),
    Section("packages", "Packages", "packages", made.packages),
    Section("conduct", "Restarts and settings", "restarts", made.conduct),
)

_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
"""Whatever a log may have smuggled in: no browser runs or loads anything for this page."""


def report_document(view: View) -> str:
    """Return the page of a run, from the JSON that `show RUN --json` prints."""
    shown = [section for section in _SECTIONS if view.get(section.needs)]
    title = f"{view['recipe']} run {view['run']}"
    links = (tag("li", tag("a", one.title, href=f"#{one.id}")) for one in shown)
    body = tag(
        "main",
        tag("h1", f"Run report: {view['recipe']}, seed {view['seed']}"),
        tag("div", tag("code", view["run"]), f" is {view['status']}", class_="soft"),
        *_origin(view),
        tag("ul", *_tiles(view), class_="tiles"),
        tag("nav", tag("ul", *links), aria_label="Sections"),
        *(_section(one, view) for one in shown),
    )
    return framed(title, body)


def framed(title: str, body: Markup) -> str:
    """Return a whole page around its body."""
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=_POLICY),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("title", title),
        Markup(f"<style>{STYLE}</style>"),
    )
    return "<!doctype html>\n" + tag("html", head, tag("body", body), lang="en") + "\n"


def _section(section: Section, view: View) -> Markup:
    heading = tag("h2", section.title, id=f"{section.id}-title")
    return tag(
        "section",
        heading,
        joined(section.draw(view)),
        id=section.id,
        aria_labelledby=f"{section.id}-title",
    )


def _origin(view: View) -> Iterator[Markup]:
    """Say at which moment the run is shown, and where a forked run comes from."""
    moment, fork = view.get("at"), view.get("fork")
    if moment:
        shown = f"as of position {moment['position']} of {moment['head']} in the log"
        yield tag("div", shown, class_="soft")
    if fork:
        changes = ", ".join(f"{name} = {json.dumps(v)}" for name, v in fork["set"].items())
        yield tag(
            "div",
            "forked from ",
            tag("code", fork["origin"]),
            f" at position {fork['at']} with {changes or 'nothing set otherwise'}: "
            f"{fork['inherited']} slots inherited ({fork['inherited_admitted']} admitted), "
            f"{fork['rerun']} done anew, {fork['fresh']} others",
            class_="soft",
        )


def _tiles(view: View) -> Iterator[Markup]:
    yield _tile(f"{view['admitted']} of {view['requested']}", "packages admitted")
    found = view.get("mined")
    if found:
        yield _tile(f"{found['grounded']} of {found['tools']}", "tools grounded")
    calls = [row["calls"] for row in view["packages"] if isinstance(row.get("calls"), int)]
    if calls:
        span = f"{min(calls)}–{max(calls)}" if min(calls) < max(calls) else str(calls[0])
        yield _tile(span, "reference calls a package")
    for policy, row in view["pass"].items():
        yield _tile(share(row["rate"]), f"{policy} pass rate")
    yield _tile(f"{view['seconds']:.0f} s", f"{view['events']} events")


def _tile(figure: str, words: str) -> Markup:
    return tag("li", tag("b", figure), tag("span", words))
