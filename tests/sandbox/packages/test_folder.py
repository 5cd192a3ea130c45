"""Package folders on disk."""

import json
import os

import pytest

from envwright.events.errors import BadInputError
from envwright.sandbox.packages.folder import MAX_BYTES, read_files, readable, write_files
from support.packages import desk_bundle


@pytest.fixture
def folder(tmp_path):
    desk_bundle().write(tmp_path / "desk")
    return tmp_path / "desk"


def test_a_written_folder_is_readable_by_people(folder):
    text = (folder / "solution" / "calls.json").read_text()
    assert text.count("\n") > 10
    assert "Ada Moser from Graz" in (folder / "instruction.md").read_text()


def test_reading_gives_back_contents_and_modes(tmp_path):
    files = {"instruction.md": b"hi\n", "tests/run.sh": b"#!/bin/sh\n"}
    write_files(tmp_path / "p", files, frozenset({"tests/run.sh"}))
    assert read_files(tmp_path / "p") == (files, frozenset({"tests/run.sh"}))


def test_a_lone_surrogate_survives_the_readable_form():
    canonical = b'{"a":"\\ud800 \\u00e9"}'
    assert json.loads(readable("tests/a.json", canonical)) == {"a": "\ud800 é"}


@pytest.mark.parametrize("target", ["instruction.md", "/etc/hostname", "nowhere"])
def test_a_symbolic_link_is_refused_wherever_it_leads(folder, target):
    (folder / "files").mkdir()
    (folder / "files" / "link.md").symlink_to(target)
    with pytest.raises(BadInputError, match=r"link\.md' is a symbolic link"):
        read_files(folder)


def test_a_linked_folder_inside_is_refused(folder, tmp_path):
    (tmp_path / "outside").mkdir()
    (folder / "files").symlink_to(tmp_path / "outside")
    with pytest.raises(BadInputError, match="symbolic link"):
        read_files(folder)


def test_a_pipe_is_refused_and_not_waited_for(folder):
    os.mkfifo(folder / "tests" / "pipe.json")
    with pytest.raises(BadInputError, match="no regular file"):
        read_files(folder)


def test_an_unexpected_file_is_refused_by_name(folder):
    (folder / "hint.md").write_text("look here")
    with pytest.raises(BadInputError, match=r"unexpected file 'hint\.md'"):
        read_files(folder)


def test_a_file_name_that_is_no_text_is_refused(folder):
    (folder / "tests" / os.fsdecode(b"\xff.json")).write_text("{}")
    with pytest.raises(BadInputError, match="unsafe path"):
        read_files(folder)


def test_something_that_is_no_folder_is_refused(tmp_path):
    with pytest.raises(BadInputError, match="is not a folder"):
        read_files(tmp_path / "nowhere")


def test_a_folder_over_the_limit_is_refused_before_it_is_read(folder):
    with (folder / "environment" / "tables.json").open("r+b") as file:
        file.truncate(MAX_BYTES + 1)
    with pytest.raises(BadInputError, match="is over"):
        read_files(folder)


def test_a_folder_with_something_in_it_is_not_written_over(tmp_path):
    (tmp_path / "mine.txt").write_text("keep me")
    with pytest.raises(BadInputError, match="not empty"):
        write_files(tmp_path, {"instruction.md": b"hi"}, frozenset())
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_a_refused_write_leaves_nothing_behind(tmp_path):
    with pytest.raises(BadInputError):
        write_files(tmp_path / "p", {"instruction.md": b"hi", "../out.md": b"x"}, frozenset())
    assert not list(tmp_path.iterdir())


def test_an_empty_folder_may_be_written_into(tmp_path):
    (tmp_path / "p").mkdir()
    write_files(tmp_path / "p", {"instruction.md": b"hi"}, frozenset())
    assert (tmp_path / "p" / "instruction.md").read_text() == "hi"
