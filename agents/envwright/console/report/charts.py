"""Charts: bars, columns and lines as inline SVG, each with its title and its figures in words."""

from collections.abc import Mapping, Sequence

from envwright.console.report.markup import Markup, tag

_WIDTH = 640
_ROW = 26
_LABEL = 210
_VALUE = 70
_PLOT_HEIGHT = 220
SERIES = 8
"""How many colours there are; a ninth series starts again."""


def figure(drawing: Markup, caption: str) -> Markup:
    """Return a drawing with its caption."""
    return tag("figure", drawing, tag("figcaption", caption))


def svg(title: str, words: str, width: float, height: float, *parts: Markup) -> Markup:
    """Return a picture that scales, with a title and a description for those who cannot see it."""
    return tag(
        "svg",
        tag("title", title),
        tag("desc", words),
        *parts,
        viewBox=f"0 0 {width:g} {height:g}",
        role="img",
        aria_label=f"{title}. {words}",
        style=f"max-width:{width:g}px",
    )


def bars(title: str, rows: Sequence[tuple[str, float]], unit: str = "") -> Markup:
    """Return horizontal bars, longest possible for the largest value."""
    most = max((value for _, value in rows), default=0) or 1
    room = _WIDTH - _LABEL - _VALUE
    parts = []
    for number, (name, value) in enumerate(rows):
        middle = number * _ROW + _ROW / 2
        length = max(room * value / most, 1 if value else 0)
        parts += [
            label(_LABEL - 10, middle, _short(name), "end"),
            tag(
                "rect",
                tag("title", f"{name}: {value:g}{unit}"),
                x=_LABEL, y=middle - 8, width=f"{length:.1f}", height=16, rx=3, class_="bar",
            ),
            label(_LABEL + length + 8, middle, f"{value:g}{unit}", "start", "figure"),
        ]  # fmt: skip
    words = ", ".join(f"{name} {value:g}{unit}" for name, value in rows)
    return svg(title, words, _WIDTH, max(len(rows), 1) * _ROW, *parts)


def columns(title: str, counts: Mapping[int, int], unit: str) -> Markup:
    """Return a histogram: a column for every number between the least and the most."""
    numbers = range(min(counts), max(counts) + 1)
    most = max(counts.values())
    step = min(48.0, (_WIDTH - 40) / len(numbers))
    floor, top = _PLOT_HEIGHT - 44, 20
    parts = [line(20, floor, 20 + step * len(numbers), floor, "axis")]
    for place, number in enumerate(numbers):
        count = counts.get(number, 0)
        height = (floor - top) * count / most
        left = 20 + place * step
        parts.append(label(left + step / 2, floor + 16, str(number), "middle"))
        if count:
            parts += [
                tag(
                    "rect",
                    tag("title", f"{number} {unit}: {count}"),
                    x=f"{left + step * 0.12:.1f}", y=f"{floor - height:.1f}",
                    width=f"{step * 0.76:.1f}", height=f"{height:.1f}", rx=3, class_="bar",
                ),
                label(left + step / 2, floor - height - 9, str(count), "middle", "figure"),
            ]  # fmt: skip
    width = max(40 + step * len(numbers), 200)
    parts.append(label(20, _PLOT_HEIGHT - 8, unit, "start", "muted"))
    words = ", ".join(f"{number} {unit}: {counts[number]}" for number in sorted(counts))
    return svg(title, words, width, _PLOT_HEIGHT, *parts)


def lines(title: str, series: Mapping[str, Mapping[str, float]]) -> Markup:
    """Return a line for each series of shares over k."""
    sizes = sorted({int(size) for values in series.values() for size in values})
    left, right, top, floor = 46, _WIDTH - 170, 14, _PLOT_HEIGHT - 40
    across = (right - left) / max(len(sizes) - 1, 1)

    def spot(place: int, value: float) -> tuple[float, float]:
        return left + place * across, floor - (floor - top) * value

    parts = []
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        height = spot(0, share)[1]
        parts.append(line(left, height, right, height, "grid"))
        parts.append(label(left - 8, height, f"{share:g}", "end", "muted"))
    for place, size in enumerate(sizes):
        parts.append(label(spot(place, 0)[0], floor + 18, str(size), "middle", "muted"))
    parts.append(label((left + right) / 2, _PLOT_HEIGHT - 6, "k", "middle", "muted"))
    ends = _apart([(list(v.values())[-1], name) for name, v in series.items() if v], floor - top)
    for number, (name, values) in enumerate(series.items()):
        spots = [
            (*spot(sizes.index(int(size)), values[size]), size) for size in sorted(values, key=int)
        ]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y, _ in spots)
        style = f"series s{number % SERIES + 1}"
        parts.append(tag("polyline", points=path, class_=style))
        parts += [
            tag(
                "circle",
                tag("title", f"{name}: pass^{size} = {values[size]:g}"),
                cx=f"{x:.1f}", cy=f"{y:.1f}", r=4, class_=f"dot s{number % SERIES + 1}",
            )
            for x, y, size in spots
        ]  # fmt: skip
        if spots:
            text_style = f"name s{number % SERIES + 1}"
            height = floor - (floor - top) * ends[name]
            parts.append(label(spots[-1][0] + 12, height, _short(name, 22), "start", text_style))
    words = "; ".join(
        f"{name}: " + ", ".join(f"pass^{size} {values[size]:g}" for size in sorted(values, key=int))
        for name, values in series.items()
    )
    return svg(title, words, _WIDTH, _PLOT_HEIGHT, *parts)


def _apart(ends: list[tuple[float, str]], height: float) -> dict[str, float]:
    """Return where the names of series stand: at their ends, but never on one another."""
    least = 16 / height
    placed: dict[str, float] = {}
    free = 2.0
    for value, name in sorted(ends, reverse=True):
        free = min(value, free - least)
        placed[name] = free
    return placed


def label(x: float, y: float, words: str, anchor: str, style: str | None = None) -> Markup:
    """Return text in a picture, its middle at a height."""
    return tag(
        "text", words, x=f"{x:.1f}", y=f"{y:.1f}", dy="0.35em", text_anchor=anchor, class_=style
    )


def line(x1: float, y1: float, x2: float, y2: float, style: str) -> Markup:
    """Return a straight line."""
    ends = {"x1": x1, "y1": y1, "x2": x2, "y2": y2}
    return tag("line", class_=style, **{name: f"{value:.1f}" for name, value in ends.items()})


def _short(name: str, most: int = 30) -> str:
    return name if len(name) <= most else f"{name[: most - 1]}…"
