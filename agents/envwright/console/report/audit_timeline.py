"""The timeline of an audit, drawn: a lane for each role, and the turning points above them."""

from collections.abc import Iterator

from envwright.console.report.charts import figure, label, line, svg
from envwright.console.report.document import View
from envwright.console.report.markup import Markup, table, tag
from envwright.events.canonical import Json

_WIDTH = 960
_LEFT = 90
_LANE = 24
_TOP = 46
_ORDER = ("planner", "builder", "tester", "critic", "solver", "judge", "system", "operator")

_MARKS = {
    "package.admitted": ("g3", "admitted"),
    "package.inherited": ("g3 hollow", "inherited"),
    "package.rejected": ("g6", "rejected"),
    "round.opened": ("g8", "round opened"),
    "round.settled": ("g8", "round settled"),
    "run.requested": ("g1", "run requested"),
    "run.started": ("g1", "run started"),
    "run.forked": ("g1", "run forked"),
    "run.paused": ("g2", "run paused"),
    "run.resumed": ("g2", "run resumed"),
    "run.completed": ("g1", "run completed"),
    "run.failed": ("g6", "run failed"),
    "dataset.exported": ("g4", "dataset exported"),
}
"""Turning points: their colour, and what they are called."""

_LISTED = 60


def timeline(view: View) -> Iterator[Markup]:
    """Draw when each role was at work; yields nothing but words where nothing happened."""
    if not view["roles"]:
        yield tag("p", "No event, no timeline.")
        return
    drawn = svg("Timeline", _words(view), _WIDTH, _height(view) + 26, *_lanes(view), *_points(view))
    caption = (
        f"From {view['from']} to {view['to']}, by the clock of the log's database. The darker a "
        "stretch of a lane, the more events its role wrote then; above them the turning points."
    )
    yield tag("ul", *_key(view), class_="key")
    yield figure(drawn, caption)
    rows = [
        (f"{point['seconds']:.1f}", point["position"], point["type"], point["about"])
        for point in view["points"][:_LISTED]
    ]
    left = len(view["points"]) - len(rows) + view["points_not_listed"]
    title = f"Turning points{f' (the first {len(rows)}; {left} more)' if left else ''}"
    listed = table(title, ["#second", "#position in the log", "what", "about"], rows)
    yield tag("details", tag("summary", title), listed)


def _roles(view: View) -> list[str]:
    known = [role for role in _ORDER if role in view["roles"]]
    return known + sorted(set(view["roles"]) - set(_ORDER))


def _height(view: View) -> float:
    return _TOP + _LANE * len(view["roles"])


def _across(view: View, seconds: float) -> float:
    whole: float = view["slot_seconds"] * max(len(counts) for counts in view["roles"].values())
    return _LEFT + (_WIDTH - _LEFT - 10) * seconds / whole


def _lanes(view: View) -> Iterator[Markup]:
    width = _across(view, view["slot_seconds"]) - _LEFT
    for number, role in enumerate(_roles(view)):
        middle = _TOP + _LANE * number + _LANE / 2
        yield label(_LEFT - 10, middle, role, "end", "muted")
        yield line(_LEFT, middle, _WIDTH - 10, middle, "grid")
        counts = view["roles"][role]
        most = max(counts)
        for slot, count in enumerate(counts):
            if count:
                yield tag(
                    "rect",
                    tag("title", f"{role}: {count} events"),
                    x=f"{_LEFT + slot * width:.1f}", y=f"{middle - 8:.1f}",
                    width=f"{max(width - 0.5, 1):.1f}", height=16, rx=2, class_="bar",
                    opacity=f"{0.3 + 0.7 * count / most:.2f}",
                )  # fmt: skip
    yield from _axis(view)


def _axis(view: View) -> Iterator[Markup]:
    floor = _height(view)
    yield line(_LEFT, floor, _WIDTH - 10, floor, "axis")
    total = view["seconds"]
    for part in range(5):
        seconds = total * part / 4
        anchor = "end" if part == 4 else "middle"
        yield label(_across(view, seconds), floor + 14, f"{seconds:.1f} s", anchor, "muted")
        if not total:
            return


def _points(view: View) -> Iterator[Markup]:
    for point in view["points"]:
        style, words = _MARKS.get(point["type"], ("g8", point["type"]))
        across = _across(view, point["seconds"])
        yield tag(
            "circle",
            tag("title", f"{words} at {point['seconds']:.1f} s: {point['about']}"),
            cx=f"{across:.1f}", cy=_TOP / 2, r=5, class_=f"dot {style}",
        )  # fmt: skip


def _key(view: View) -> Iterator[Markup]:
    seen = {_MARKS[point["type"]] for point in view["points"] if point["type"] in _MARKS}
    for style, words in sorted(seen, key=lambda mark: list(_MARKS.values()).index(mark)):
        dot = tag(
            "svg",
            tag("circle", cx=17, cy=5, r=5, class_=f"dot {style}"),
            viewBox="0 0 34 10",
            aria_hidden="true",
        )
        yield tag("li", dot, words)


def _words(view: View) -> str:
    shares: dict[str, Json] = {role: sum(view["roles"][role]) for role in _roles(view)}
    told = ", ".join(f"{role} {count} events" for role, count in shares.items())
    return f"{view['seconds']:.1f} seconds; {told}"
