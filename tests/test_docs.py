"""What the documents say is there: commands, targets, folders, links and recipes."""

import re
import subprocess
from pathlib import Path

import pytest
from typer.testing import CliRunner

from envwright.console.main import app
from support.rooms import ROOT, SOURCE_ROOTS, files

README = (ROOT / "README.md").read_text(encoding="utf-8")
DOCUMENTS = [path for path in files() if path.suffix == ".md"]


def shell_lines() -> list[str]:
    """Return the commands in the README's shell blocks."""
    blocks = re.findall(r"```sh\n(.*?)```", README, flags=re.DOTALL)
    return [line for block in blocks for line in block.splitlines() if line.strip()]


def targets() -> list[str]:
    """Return the targets that `make help` lists, in its order."""
    done = subprocess.run(
        ["make", "-C", str(ROOT), "help"], capture_output=True, text=True, check=True
    )
    return re.findall(r"^  ([a-z-]+) +\S", done.stdout, flags=re.MULTILINE)


def envwright(*arguments: str) -> str:
    """Return what the command prints."""
    result = CliRunner().invoke(app, arguments, env={"COLUMNS": "200"}, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


def commands() -> set[str]:
    """Return the subcommands that `envwright --help` lists."""
    return set(re.findall(r"^[│|] ([a-z][a-z-]*) {2,}\S", envwright("--help"), flags=re.MULTILINE))


def documented_commands() -> set[str]:
    """Return the subcommands in the README's table."""
    rows = re.findall(r"^\| (`.*?) \|", README.split("## What you type")[1], flags=re.MULTILINE)
    return {name for row in rows for name in re.findall(r"`([a-z]+)", row)}


def test_every_make_target_of_the_readme_exists():
    named = {line.split()[1] for line in shell_lines() if line.startswith("make ")}
    assert named
    assert named <= set(targets())


def test_the_makefile_has_the_targets_that_people_rely_on():
    wanted = "help venv check fix test test-services campaign demo constraints"
    assert " ".join(targets()) == wanted


def test_the_readme_runs_nothing_but_make_and_envwright():
    assert {line.split()[0] for line in shell_lines()} == {"make", "envwright"}


def test_every_command_of_the_readme_exists_and_every_command_is_in_it():
    named = {line.split()[1] for line in shell_lines() if line.startswith("envwright ")}
    assert named <= commands()
    assert documented_commands() == commands()


def test_every_option_of_the_readme_exists():
    for line in shell_lines():
        if line.startswith("envwright "):
            help_text = envwright(line.split()[1], "--help")
            assert not [
                option for option in re.findall(r"--[a-z-]+", line) if option not in help_text
            ]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_every_link_leads_somewhere(document: Path):
    links = re.findall(r"\]\(([^)#:]+)\)", document.read_text(encoding="utf-8"))
    assert not [link for link in links if not (document.parent / link).exists()]


def test_every_room_is_in_the_readme_with_its_own_readme():
    for room in [*SOURCE_ROOTS, "deploy", "tests"]:
        assert f"[`{room}/`]({room}/README.md)" in README


def test_every_recipe_has_a_row_with_its_state():
    rows = re.findall(r"^\| (\d+) \| .+ \| (\w+) \|$", README, flags=re.MULTILINE)
    assert [int(number) for number, _ in rows] == list(range(1, 34))
    assert {state for _, state in rows} <= {"planned", "partial", "works"}


def test_the_changelog_starts_with_what_is_not_released():
    headings = re.findall(r"^## (.*)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.M)
    assert headings[0] == "[Unreleased]"


@pytest.mark.parametrize("folder", ["system", "campaigns", "histories"])
def test_every_folder_of_tests_that_is_no_mirror_says_what_it_holds(folder):
    assert (ROOT / "tests" / folder / "README.md").is_file()
