"""Anchors: only added to, each checkpoint once, wherever they are."""

import json
import threading
from typing import Any

import pytest

from envwright.events.errors import BadInputError, InfrastructureError
from envwright.store.sealing.anchors import default_anchors, open_anchors


def checkpoint(number: int, home: str = "h") -> dict[str, Any]:
    return {"home": home, "number": number, "root": f"{number:064}"}


@pytest.fixture(params=["file", "memory"])
def location(request, tmp_path):
    if request.param == "file":
        return str(tmp_path / "deep" / "anchors.jsonl")
    return f"memory://{tmp_path}/anchors.jsonl"


def test_nothing_is_there_at_first(location):
    assert open_anchors(location, "h").read() == []


def test_what_is_newer_is_added_and_nothing_twice(location):
    anchors = open_anchors(location, "h")
    anchors.add([checkpoint(1)])
    anchors.add([checkpoint(1), checkpoint(2)])
    open_anchors(location, "h").add([checkpoint(1), checkpoint(2), checkpoint(3)])
    found = anchors.read()
    assert [(each.line, each.record) for each in found] == [
        (number, checkpoint(number)) for number in (1, 2, 3)
    ]


def test_logs_that_share_a_file_do_not_hide_each_other(location):
    anchors = open_anchors(location, "h")
    anchors.add([checkpoint(5)])
    anchors.add([checkpoint(1, "other")])
    homes = [each.record["home"] for each in anchors.read() if each.record]
    assert homes == ["h", "other"]


def test_a_torn_line_is_ended_and_told_of(tmp_path):
    path = tmp_path / "anchors"
    path.write_text(json.dumps(checkpoint(1)) + "\n" + '{"home": "h", "numb')
    anchors = open_anchors(str(path), "h")
    anchors.add([checkpoint(1), checkpoint(2)])
    assert [each.record for each in anchors.read()] == [checkpoint(1), None, checkpoint(2)]


def test_threads_that_add_at_once_add_once(tmp_path):
    path = str(tmp_path / "anchors")

    def add() -> None:
        open_anchors(path, "h").add([checkpoint(1), checkpoint(2)])

    threads = [threading.Thread(target=add) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(open_anchors(path, "h").read()) == 2


def test_a_folder_has_a_file_for_each_log(tmp_path):
    for home in ("a", "b"):
        open_anchors(str(tmp_path), home).add([checkpoint(1, home)])
        open_anchors(f"memory://{tmp_path}/", home).add([checkpoint(1, home)])
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "b"]
    assert len(open_anchors(f"memory://{tmp_path}/a", "").read()) == 1


def test_by_default_they_are_in_the_users_state(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert default_anchors("h") == tmp_path / "envwright" / "anchors" / "h"
    assert open_anchors("", "h").location == str(default_anchors("h"))
    monkeypatch.delenv("XDG_STATE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert default_anchors("h").is_relative_to(tmp_path / ".local" / "state")


def test_a_place_that_cannot_be_written_is_an_infrastructure_error(tmp_path):
    (tmp_path / "file").write_text("")
    anchors = open_anchors(str(tmp_path / "file" / "anchors"), "h")
    with pytest.raises(InfrastructureError, match="cannot be reached"):
        anchors.add([checkpoint(1)])
    with pytest.raises(InfrastructureError, match="cannot be reached"):
        anchors.read()


def test_an_unknown_kind_of_url_is_refused():
    with pytest.raises(BadInputError, match="cannot be opened"):
        open_anchors("nonsense://place", "h")
