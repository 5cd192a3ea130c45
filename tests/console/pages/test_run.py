"""The pages of a run."""

import contextlib
import io
from pathlib import Path

from envwright.console.pages.run import report_page
from envwright.console.terminal import print_page
from support.command_line import Finished, envwright


def test_the_page_of_a_run_has_all_that_a_person_asks_for(finished: Finished) -> None:
    page = envwright("show", finished.run, "--home", finished.home).stdout
    for heading in ("sources", "yield", "gates", "attempts", "packages", "timeline"):
        assert f"\n{heading}\n" in page
    assert "REFERENCE_FAILS" in page and "pass^2" in page and "subjects.json" in page
    for package in finished.report["packages"]:
        assert package["id"] in page and package["digest"][:16] in page
    assert "subjects.json[6]  not text" in page
    assert page.index("executable") < page.index("no_leak")


def test_a_report_ends_with_commands_that_fit_the_state(finished: Finished) -> None:
    done = commands_of(finished.report)
    assert "envwright resume" in done and "--out packages" in done
    paused = commands_of({**finished.report, "status": "paused", "packages": []})
    assert "go on" in paused and "envwright solve" not in paused
    written = commands_of(finished.report, [Path("out/1-pkg")])
    assert "package folders in out/: 1" in written and "--out packages" not in written


def commands_of(report: dict[str, object], written: list[Path] | None = None) -> str:
    """Return the last section of a report."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        print_page(*report_page(report, at="", written=written or []))
    return out.getvalue().split("\nnext\n")[1]


def test_restarts_are_told_where_there_were_any(finished: Finished) -> None:
    calm = "".join(str(part) for part in report_page(finished.report, at=""))
    assert "restarts" not in calm
    restarts = {**finished.report["restarts"], "takeovers": 2}
    restless = {**finished.report, "restarts": restarts}
    assert "restarts" in "".join(str(part) for part in report_page(restless, at=""))
