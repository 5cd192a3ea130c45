"""The shapes of pages."""

import io

import pytest
from rich.console import Console, RenderableType

from envwright.console.pages import layout


def drawn(part: RenderableType, width: int = 60) -> list[str]:
    """Return the lines of a page's part, without the padding at their ends."""
    console = Console(file=io.StringIO(), width=width, highlight=False)
    console.print(part, crop=False)
    assert isinstance(console.file, io.StringIO)
    return [line.rstrip() for line in console.file.getvalue().splitlines()]


def test_control_characters_of_a_source_do_not_reach_a_terminal() -> None:
    assert layout.plain("a\x1b[2Jb\x07\x9b\tc\nd") == "a\\x1b[2Jb\\x07\\x9b\tc\nd"
    assert "\x1b" not in "".join(drawn(layout.body("\x1b[31mred")))


def test_markup_in_content_is_content() -> None:
    assert drawn(layout.body("[bold]x[/bold]")) == ["  [bold]x[/bold]"]
    assert drawn(layout.table(["a"], [("[red]x",)])) == ["  a", "  [red]x"]


@pytest.mark.parametrize(
    ("value", "limit", "text"),
    [
        ({"a": [1, "ü"]}, None, '{"a": [1, "ü"]}'),
        ("two\n  lines", None, "two lines"),
        ("abcdef", 4, "abc…"),
        (None, None, "null"),
    ],
)
def test_values_fit_on_one_line(value: object, limit: int | None, text: str) -> None:
    assert layout.compact(value, limit) == text


def test_digests_are_shortened() -> None:
    assert layout.short("0123456789abcdef" * 4) == "0123456789abcdef"
    assert layout.short(None) == ""


def test_pairs_without_a_value_are_left_out() -> None:
    rows = [("a", 1), ("longer", "x"), ("none", None), ("empty", ""), ("zero", 0)]
    assert drawn(layout.pairs(rows)) == ["  a       1", "  longer  x", "  zero    0"]


def test_numbers_stand_right_and_empty_columns_are_left_out() -> None:
    lines = drawn(
        layout.table(["name", "#n", "note"], [("a", 1, ""), ("b", 10, ""), ("c", None, "")])
    )
    assert lines == ["  name   n", "  a      1", "  b     10", "  c      –"]
    assert drawn(layout.table(["rate"], [(0.125,)])) == ["  rate", "  0.12"]


def test_ids_are_broken_last() -> None:
    row = ("run-0123456789", "many words that need room")
    lines = drawn(layout.table(["@run", "what"], [row]), width=30)
    assert lines[1].split()[0] == "run-0123456789"


def test_commands_are_never_broken() -> None:
    line = "envwright show " + "x" * 80
    assert drawn(layout.commands([("look", line), ("longer", "b")]), width=30) == [
        f"  look    {line}",
        "  longer  b",
    ]
