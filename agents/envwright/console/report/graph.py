"""The picture of the tool graph: tools that read on the left, tools that write on the right.

Names stand outside and edges inside, so that thirty tools can still be read. The layout is a pure
function of the graph: within a side, tools stand by service or entity type, then by name.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from envwright.console.report.charts import SERIES, label, svg
from envwright.console.report.markup import Markup, tag
from envwright.events.canonical import Json

_ROW = 24
_GAP = 34
_NAME = 290
_MIDDLE = 400
_WIDTH = 2 * _NAME + _MIDDLE
_TOP = 40
_WRITES = frozenset({"write", "suspect"})
_LONGEST = 40


@dataclass(frozen=True)
class _Spot:
    x: float
    y: float
    left: bool


def graph_picture(graph: dict[str, Json]) -> Markup:
    """Return the graph as a picture."""
    groups = sorted({_group_of(node) for node in graph["nodes"]})
    sides = (
        [node for node in graph["nodes"] if node["effect"] not in _WRITES],
        [node for node in graph["nodes"] if node["effect"] in _WRITES],
    )
    spots: dict[str, _Spot] = {}
    parts: list[Markup] = []
    bottom = float(_TOP)
    retries: dict[str, int] = {}
    for link in graph["links"]:
        if link["kind"] == "retry":
            retries[link["source"]] = max(link["support"], retries.get(link["source"], 0))
    for nodes, left in zip(sides, (True, False), strict=True):
        y = float(_TOP)
        parts.append(_heading("reads" if left else "writes", left))
        for group in groups:
            own = sorted((n for n in nodes if _group_of(n) == group), key=lambda n: n["tool"])
            if own:
                parts.append(_group(group[1], groups.index(group), y, left))
                y += 20
            for node in own:
                spots[node["tool"]] = _Spot(_NAME if left else _NAME + _MIDDLE, y, left)
                parts += _node(node, groups.index(group), spots[node["tool"]], retries)
                y += _ROW
            y += _GAP - _ROW if own else 0
        bottom = max(bottom, y)
    edges = list(_edges(graph["links"], spots))
    words = (
        f"{graph['tools']} tools; edges by kind: "
        + ", ".join(f"{kind} {count}" for kind, count in sorted(graph["edges"].items()))
        + ". All edges stand in the table below."
    )
    return svg("Tool graph", words, _WIDTH, bottom + 6, _arrows(), *edges, *parts)


def _group_of(node: dict[str, Json]) -> tuple[str, str]:
    """Return service and entity type of a tool: what belongs together stands together."""
    return node["tool"].partition(".")[0], node["group"]


def _heading(words: str, left: bool) -> Markup:
    x = _NAME if left else _NAME + _MIDDLE
    return label(x, 12, words, "end" if left else "start", "heading")


def _group(name: str, number: int, y: float, left: bool) -> Markup:
    x = _NAME - 14 if left else _NAME + _MIDDLE + 14
    style = f"group g{number % SERIES + 1}"
    return label(x, y, name or "other", "end" if left else "start", style)


def _node(
    node: dict[str, Json], number: int, spot: _Spot, retries: dict[str, int]
) -> Iterator[Markup]:
    grounded = "grounded" if node["grounded"] else "not grounded"
    retry = f", retried in {retries[node['tool']]} traces" if node["tool"] in retries else ""
    yield tag(
        "circle",
        tag("title", f"{node['tool']}: {node['calls']} calls, {grounded}{retry}"),
        cx=f"{spot.x:g}", cy=f"{spot.y:g}", r=6,
        class_=f"node g{number % SERIES + 1}{'' if node['grounded'] else ' hollow'}",
    )  # fmt: skip
    name = node["name"] if len(node["name"]) <= _LONGEST else f"{node['name'][: _LONGEST - 1]}…"
    again = f"↻ {retries[node['tool']]}" if node["tool"] in retries else ""
    words = f"{again}  {name}" if spot.left else f"{name}  {again}"
    x = spot.x - 14 if spot.left else spot.x + 14
    style = "tool" if node["grounded"] else "tool muted"
    yield label(x, spot.y, words.strip(), "end" if spot.left else "start", style)


def _arrows() -> Markup:
    return tag(
        "defs",
        *(
            tag(
                "marker",
                tag("path", d="M0 0 L8 4 L0 8 z", class_=f"head {kind}"),
                id=f"arrow-{kind}", viewBox="0 0 8 8", refX=8, refY=4, markerWidth=8,
                markerHeight=8, markerUnits="userSpaceOnUse", orient="auto",
            )
            for kind in ("data", "state")
        ),
    )  # fmt: skip


def _edges(links: Sequence[dict[str, Json]], spots: dict[str, _Spot]) -> Iterator[Markup]:
    """Draw the edges, the heavy ones last and so on top."""
    drawn = [
        link
        for link in links
        if link["kind"] in ("data", "state") and link["source"] in spots and link["target"] in spots
    ]
    heaviest = max(_weights(drawn), default=1.0) or 1.0
    for link in sorted(drawn, key=_rank):
        start, end = spots[link["source"]], spots[link["target"]]
        width = 1.0 + 4.0 * link["weight"] / heaviest
        yield tag(
            "path",
            tag(
                "title",
                f"{link['kind']}: {link['source']} → {link['target']}, "
                f"weight {link['weight']:g}, {link['support']} traces",
            ),
            d=_curve(start, end, link["kind"]),
            class_=f"edge {link['kind']}",
            stroke_width=f"{width:.2f}",
            marker_end=f"url(#arrow-{link['kind']})",
        )


def _rank(link: dict[str, Json]) -> tuple[float, str, str, str]:
    return link["weight"], link["source"], link["target"], link["kind"]


def _weights(links: Iterable[dict[str, Json]]) -> list[float]:
    return [float(link["weight"]) for link in links]


def _curve(start: _Spot, end: _Spot, kind: str) -> str:
    """Return a curve from dot to dot: across for the other side, a bow for the same one."""
    shift = -3.0 if kind == "data" else 3.0
    away = 10.0
    x1 = start.x + (away if start.left else -away)
    x2 = end.x + (away if end.left else -away)
    y1, y2 = start.y + shift, end.y + shift
    if start.left == end.left:
        bow = min(40.0 + 0.45 * abs(y2 - y1), 0.46 * _MIDDLE)
        if start == end:
            y2 += 8.0
        c1 = c2 = x1 + (bow if start.left else -bow)
    else:
        reach = 0.45 * _MIDDLE
        c1 = x1 + (reach if start.left else -reach)
        c2 = x2 + (reach if end.left else -reach)
    return f"M{x1:.1f} {y1:.1f} C{c1:.1f} {y1:.1f} {c2:.1f} {y2:.1f} {x2:.1f} {y2:.1f}"
