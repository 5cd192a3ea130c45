"""Which paths a package may have."""

import pytest

from envwright.events.errors import BadInputError
from envwright.sandbox.packages import package_path, safe_path
from envwright.sandbox.packages.paths import check_collisions

UNSAFE = {
    "absolute": "/etc/passwd",
    "parent": "environment/../../secret",
    "here": "./package.json",
    "empty part": "tests//assertions.json",
    "trailing slash": "tests/",
    "empty": "",
    "backslash": "tests\\assertions.json",
    "drive": "C:/package.json",
    "NUL": "tests/a\0.json",
    "line feed": "tests/a\nb.json",
    "lone surrogate": "tests/\udcff.json",
    "decomposed": "files/cafe\u0301.md",
}


@pytest.mark.parametrize("path", UNSAFE.values(), ids=UNSAFE)
def test_an_unsafe_path_is_refused_by_name(path):
    with pytest.raises(BadInputError, match="unsafe path"):
        safe_path(path)


@pytest.mark.parametrize("path", ["package.json", "files/a/b.csv", "tests/…", "files/café.md"])
def test_a_plain_relative_path_is_safe(path):
    assert safe_path(path) == path


@pytest.mark.parametrize("path", ["notes.txt", "environment", "secret/a.json", "provenance.json"])
def test_a_place_without_a_meaning_is_refused(path):
    with pytest.raises(BadInputError, match="unexpected file"):
        package_path(path)


def test_paths_that_differ_in_case_alone_are_refused():
    with pytest.raises(BadInputError, match="differ in case"):
        check_collisions(["files/A.md", "files/a.md"])


def test_a_file_cannot_be_the_folder_of_another():
    with pytest.raises(BadInputError, match="is a file and the folder of"):
        check_collisions(["files/a", "files/a/b"])
