"""The page of packages."""

from envwright.console.pages.packages import packages_page
from envwright.console.terminal import print_page

ROW = {
    "run": "run-1",
    "package": "pkg-1",
    "round": 1,
    "ordinal": 2,
    "status": "admitted",
    "reason": "",
    "number": 1,
    "revision": None,
    "revisions": [{"revision": "a" * 64}],
    "repairs": [{"artifact": "solution", "reason": "WRONG"}],
    "inherited_from": {"run": "run-0"},
}


def test_a_package_is_one_line_with_its_lineage(capsys) -> None:
    print_page(*packages_page({"run": None, "packages": [ROW]}))
    shown = capsys.readouterr().out
    assert "run-1" in shown and "run-0" in shown and "a" * 16 in shown and "a" * 17 not in shown
    print_page(*packages_page({"run": "run-1", "packages": [ROW]}))
    assert "run-1" not in capsys.readouterr().out


def test_an_empty_list_says_how_packages_come_about(capsys) -> None:
    print_page(*packages_page({"run": None, "packages": []}))
    assert "envwright synth" in capsys.readouterr().out
