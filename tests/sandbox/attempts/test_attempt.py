"""Attempts and what a solver sees."""

import json

import pytest

from envwright.events.errors import BadInputError, InfrastructureError
from envwright.sandbox.attempts import open_attempt, task_view
from envwright.sandbox.packages import CANARY_PREFIX, Bundle
from support.packages import CALLS, desk_bundle, desk_files


def with_boundary(names, **files):
    def change(documents):
        documents["package.json"]["boundary"] = names

    return Bundle.sealed({**desk_files(change), **files})


def test_a_solver_sees_instruction_tools_and_boundary_files_alone():
    bundle = with_boundary(["files/rules.md"], **{"files/rules.md": b"Be kind.\n"})
    view = task_view(bundle)
    assert view.instruction == bundle.instruction
    assert [tool.name for tool in view.tools] == sorted(tool.name for tool in bundle.package.tools)
    assert view.files == {"files/rules.md": "Be kind.\n"}


def test_a_file_that_is_not_in_the_boundary_is_not_seen():
    assert not task_view(with_boundary([], **{"files/rules.md": b"Be kind.\n"})).files


def test_nothing_hidden_stands_in_the_view():
    seen = task_view(desk_bundle()).model_dump_json()
    assert CANARY_PREFIX not in seen
    assert "c-moser-17" not in seen
    assert "assertions" not in seen


def test_a_view_is_plain_data():
    view = task_view(desk_bundle())
    assert json.loads(json.dumps(view.model_dump())) == view.model_dump(mode="json")


def test_a_boundary_file_that_is_missing_is_named():
    with pytest.raises(BadInputError, match=r"files/rules\.md: missing"):
        task_view(with_boundary(["files/rules.md"]))


def test_a_boundary_file_that_is_no_text_is_refused():
    with pytest.raises(BadInputError, match=r"files/a\.bin: not UTF-8"):
        task_view(with_boundary(["files/a.bin"], **{"files/a.bin": b"\xff"}))


def test_two_attempts_never_see_each_other():
    with open_attempt(desk_bundle(), 0) as one, open_attempt(desk_bundle(), 0) as other:
        start = other.world.digest()
        for call in CALLS:
            assert one.session.call(call["name"], call["arguments"]).ok
        assert one.world.digest() != start
        assert other.world.digest() == start
        assert len(one.trace) == len(CALLS)
        assert not other.trace


def test_a_closed_attempt_serves_no_call():
    attempt = open_attempt(desk_bundle(), 0)
    attempt.close()
    with pytest.raises(InfrastructureError):
        attempt.session.call("get_ticket", {"ticket_id": "T-1001"})
