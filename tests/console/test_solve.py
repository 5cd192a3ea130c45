"""The command `solve`."""

from pathlib import Path

import pytest

from envwright.console.folders import write_packages
from support.command_line import Finished, answer, envwright


@pytest.fixture
def folder(finished: Finished, tmp_path: Path) -> Path:
    """A written package folder."""
    with finished.runtime() as runtime:
        return write_packages(runtime, finished.run, tmp_path)[0]


def test_a_trial_of_a_package_is_recorded_outside_admission(finished: Finished) -> None:
    home = ["--home", finished.home]
    before = answer("show", finished.run, *home)
    found = answer("solve", finished.package[:-2], "--policy", "random", "-k", 3, *home)
    assert (found["k"], found["n"], found["kept"], found["gating"]) == (3, 3, True, False)
    assert found["rate"] == found["pass_hat"]["1"]
    assert list(found["pass_hat"]) == ["1", "2", "3"]
    again = answer("solve", finished.package, "--policy", "random", "-k", 3, *home)
    assert again["trial"] != found["trial"]
    after = answer("show", finished.run, *home)
    for name in ("admitted", "attempts", "pass", "pass_hat", "seconds", "status"):
        assert before[name] == after[name]
    trials = answer("show", finished.package, *home)["trials"]
    assert [trial["trial"] for trial in trials if not trial["gating"]][-2:] == [
        found["trial"],
        again["trial"],
    ]


def test_a_folder_is_attempted_and_nothing_is_kept(finished: Finished, folder: Path) -> None:
    with finished.runtime() as runtime:
        head = runtime.log.head()
    found = answer("solve", folder, "--policy", "random", "-k", 1)
    assert (found["package"], found["kept"], found["n"]) == (finished.package, False, 1)
    assert found["digest"] == finished.report["packages"][0]["digest"]
    page = envwright("solve", folder, "-k", 1)
    assert "nothing of this trial is kept" in page.stderr
    assert "pass^1" in page.stdout
    with finished.runtime() as runtime:
        assert runtime.log.head() == head


def test_a_privileged_policy_says_so_and_what_it_lacks(finished: Finished, folder: Path) -> None:
    home = ["--home", finished.home]
    found = answer("solve", finished.package, "--policy", "searcher+graph", "-k", 1, *home)
    assert (found["policy"], found["privileged"], found["n"]) == ("searcher+graph", True, 1)
    page = envwright("solve", folder, "--policy", "searcher+graph", "-k", 1)
    assert page.exit_code == 0
    assert "a package folder brings no mined knowledge" in page.stderr
    assert "searcher+graph (privileged)" in page.stdout


def test_a_folder_that_was_changed_is_attempted_with_a_warning(folder: Path) -> None:
    (folder / "instruction.md").write_text("Do nothing.\n", encoding="utf-8")
    result = envwright("solve", folder, "--policy", "random", "-k", 1)
    assert result.exit_code == 0
    assert "was changed after it was written" in result.stderr


@pytest.mark.parametrize(
    ("path", "content", "message"),
    [
        ("package.json", "{", "package.json"),
        ("solution/calls.json", "[]", "calls.json"),
        ("tests/assertions.json", '{"schema_version": 9}', "assertions.json"),
        ("stray.txt", "x", "stray.txt"),
    ],
)
def test_a_malformed_folder_is_exit_2(path: str, content: str, message: str, folder: Path) -> None:
    (folder / path).write_text(content, encoding="utf-8")
    result = envwright("solve", folder, "-k", 1)
    assert result.exit_code == 2
    assert message in result.stderr and "Traceback" not in result.stderr


def test_wrong_arguments_are_exit_2(finished: Finished) -> None:
    home = ["--home", finished.home]
    for arguments, message in (
        (["pkg-none"], "no package"),
        ([finished.package, "--policy", "oracle"], "unknown policy"),
        ([finished.package, "-k", 0], "-k"),
        ([__file__], "not a folder"),
    ):
        result = envwright("solve", *arguments, *home)
        assert result.exit_code == 2, result.stdout
        assert message in result.stderr
