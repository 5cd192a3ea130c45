"""Markup: HTML elements from data that is not to be trusted; what is not markup is escaped."""

import html
import re
from collections.abc import Iterable, Iterator, Sequence

_INVISIBLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""Control characters, and those that turn the direction of text around."""

_VOID = frozenset({"br", "hr", "meta", "link"})


class Markup(str):
    """Text that is HTML already."""


Content = object
"""Markup as it is; None for nothing; anything else as escaped text."""


def text(value: object) -> Markup:
    """Return a value as text that no browser takes for markup."""
    if isinstance(value, Markup):
        return value
    if value is None:
        return Markup("")
    visible = _INVISIBLE.sub("\N{REPLACEMENT CHARACTER}", str(value))
    return Markup(html.escape(visible, quote=True))


def joined(parts: Iterable[Content], between: str = "") -> Markup:
    """Return parts one after the other."""
    return Markup(between.join(text(part) for part in parts))


def tag(name: str, /, *content: Content, **attributes: Content) -> Markup:
    """Return an element; `class_` is its class, and `aria_label` its aria-label."""
    given = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{text(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    if name in _VOID:
        return Markup(f"<{name}{given}>")
    return Markup(f"<{name}{given}>{joined(content)}</{name}>")


def table(
    caption: str, columns: Sequence[str], rows: Iterable[Sequence[Content]], **attributes: Content
) -> Markup:
    """Return a table; a column whose name begins with `#` holds numbers."""
    numeric = [column.startswith("#") for column in columns]
    head = [
        tag("th", column.lstrip("#"), scope="col", class_="number" if number else None)
        for column, number in zip(columns, numeric, strict=True)
    ]
    body = [tag("tr", *_cells(row, numeric)) for row in rows]
    drawn = tag(
        "table",
        tag("caption", caption),
        tag("thead", tag("tr", *head)),
        tag("tbody", *body),
        **attributes,
    )
    return tag("div", drawn, class_="scroll")


def _cells(row: Sequence[Content], numeric: Sequence[bool]) -> Iterator[Markup]:
    for value, number in zip(row, numeric, strict=True):
        yield tag("td", value, class_="number" if number else None)


def share(value: object) -> str:
    """Return a share from 0 to 1 as a percentage; a dash where there is none."""
    if not isinstance(value, int | float):
        return "–"
    return f"{100 * value:.1f}".removesuffix(".0") + " %"
