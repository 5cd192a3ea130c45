"""Layout: the few shapes that every page is made of."""

import json
from collections.abc import Iterable, Sequence

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from envwright.events.canonical import Json

SHORT_DIGEST = 16
"""Digits of a digest that a page shows; enough to name it to `envwright show`."""

_BAR = 40
"""Columns of the longest bar."""

_CONTROLS = {code: f"\\x{code:02x}" for code in (*range(9), *range(11, 32), *range(127, 160))}
"""Control characters but tab and line feed: text of a source must not steer a terminal."""

_STYLES = {
    "yes": "green",
    "no": "red",
    "pass": "green",
    "admitted": "green",
    "completed": "green",
    "fail": "red",
    "failed": "red",
    "rejected": "red",
    "error": "yellow",
    "paused": "yellow",
}


def plain(value: object) -> str:
    """Return text as it may stand on a terminal."""
    return str(value).translate(_CONTROLS)


def compact(value: Json, limit: int | None = None) -> str:
    """Return a JSON value on one line, cut where it is longer than `limit`."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    text = plain(" ".join(text.split()) if isinstance(value, str) else text)
    return text if limit is None or len(text) <= limit else f"{text[: limit - 1]}…"


def short(digest: str | None) -> str:
    """Return the beginning of a digest."""
    return digest[:SHORT_DIGEST] if digest else ""


def title(text: str, *rest: str) -> RenderableType:
    """Return the first line of a page."""
    line = Text(plain(text), style="bold")
    for part in rest:
        line.append("  ").append(plain(part), style="not bold")
    return line


def heading(text: str) -> RenderableType:
    """Return the heading of a section."""
    return Text(f"\n{plain(text)}", style="bold cyan")


def body(text: str) -> RenderableType:
    """Return running text, set in."""
    return Padding(Text(plain(text)), (0, 0, 0, 2), expand=False)


def pairs(rows: Iterable[tuple[str, object]]) -> RenderableType:
    """Return names with their values; empty values are left out."""
    table = Table.grid(padding=(0, 2))
    table.add_column(style="dim", no_wrap=True)
    table.add_column(overflow="fold")
    for name, value in rows:
        if value not in ("", None):
            table.add_row(name, cell(value))
    return Padding(table, (0, 0, 0, 2), expand=False)


def commands(rows: Iterable[tuple[str, str]]) -> RenderableType:
    """Return lines to copy, each with what it is for; a narrow terminal does not break them."""
    listed = list(rows)
    width = max(len(what) for what, _ in listed)
    lines = Text(no_wrap=True, overflow="ignore")
    for what, line in listed:
        lines.append(f"  {what:<{width}}  ", style="dim").append(f"{plain(line)}\n")
    lines.rstrip()
    return Group(lines)  # In a group of its own a text keeps that it must not be wrapped.


def table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> RenderableType:
    """Return a table; a column that is empty in every row is left out.

    A name that begins with `#` is that of numbers, with `@` that of ids, which are never broken.
    """
    drawn = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    filled = list(rows)
    used = [place for place, _ in enumerate(columns) if any(row[place] != "" for row in filled)]
    for name in (columns[place] for place in used):
        drawn.add_column(
            name.lstrip("#@"),
            justify="right" if name.startswith("#") else "left",
            no_wrap=name.startswith("@"),
            overflow="fold",
        )
    for row in filled:
        drawn.add_row(*(cell(row[place]) for place in used))
    return Padding(drawn, (0, 0, 0, 2), expand=False)


def bars(rows: Sequence[tuple[str, float]], unit: str = "") -> RenderableType:
    """Return a bar for each value, the longest for the largest."""
    most = max((value for _, value in rows), default=0) or 1
    table = Table.grid(padding=(0, 2))
    table.add_column(style="dim", no_wrap=True)
    table.add_column(justify="right", no_wrap=True)
    table.add_column(no_wrap=True)
    for name, value in rows:
        length = max(round(_BAR * value / most), 1 if value else 0)
        table.add_row(Text(plain(name)), f"{value:g}{unit}", Text("█" * length, style="blue"))
    return Padding(table, (0, 0, 0, 2), expand=False)


def cell(value: object) -> Text:
    """Return a value as a cell: verdicts and states have their colour."""
    if value is None:
        return Text("–", style="dim")
    text = f"{value:.2f}" if isinstance(value, float) else plain(value)
    return Text(text, style=_STYLES.get(text, ""))
