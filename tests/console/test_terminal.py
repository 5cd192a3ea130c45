"""Where things are printed."""

import json
import logging

import pytest
from rich.table import Table
from rich.text import Text

from envwright.console.terminal import measuring, notice, prepare, print_json, print_page


def test_an_object_goes_to_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    print_json({"text": "\udc80 naïve", "n": 1})
    out, err = capsys.readouterr()
    assert json.loads(out) == {"text": "\udc80 naïve", "n": 1}
    assert err == ""


def test_a_notice_goes_to_standard_error_as_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    notice("[bold]not markup[/bold] " + "long " * 60)
    out, err = capsys.readouterr()
    assert out == ""
    assert err == "[bold]not markup[/bold] " + "long " * 60 + "\n"


def test_a_page_has_no_padding_at_the_end_of_its_lines(capsys: pytest.CaptureFixture[str]) -> None:
    table = Table(box=None)
    table.add_column("name")
    table.add_row("a")
    table.add_row("a longer one")
    print_page(Text("title"), table)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "title"
    assert lines == [line.rstrip() for line in lines]


def test_a_count_is_silent_without_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with measuring("things") as show:
        show(1, 2)
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(("debug", "seen"), [(False, False), (True, True)])
def test_warnings_go_to_standard_error_and_tracebacks_to_those_who_debug(
    debug: bool, seen: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    prepare(debug)
    logger = logging.getLogger("envwright.test")
    logger.debug("never")
    try:
        raise ValueError("broken")
    except ValueError:
        logger.exception("handler failed")
    out, err = capsys.readouterr()
    assert out == ""
    assert "handler failed" in err and "ValueError: broken" in err
    assert ("Traceback" in err) is seen
    assert "never" not in err
    prepare(debug=False)
