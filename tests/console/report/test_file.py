"""The report's file: refused before the work where it cannot be written."""

from pathlib import Path

import pytest

from envwright.console.report.file import check_report, write_report
from envwright.events.errors import BadInputError
from support.run_views import run_view


def test_it_is_written(tmp_path: Path) -> None:
    write_report(tmp_path / "r.html", run_view())
    assert (tmp_path / "r.html").read_text(encoding="utf-8").startswith("<!doctype html>")


def test_a_folder_and_a_place_in_no_folder_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match="is a folder"):
        check_report(tmp_path)
    with pytest.raises(BadInputError, match="needs the folder"):
        check_report(tmp_path / "none" / "r.html")
