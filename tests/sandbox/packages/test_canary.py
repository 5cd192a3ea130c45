"""Canaries."""

import pytest

from envwright.events.errors import BadInputError
from envwright.sandbox.packages import CANARY_PREFIX, CARRIERS, Bundle, canary_of, find_canaries
from support.packages import desk_bundle, desk_files


def test_every_hidden_document_carries_the_one_canary_of_the_content():
    bundle = desk_bundle()
    canaries = {bundle.json(path)["canary"] for path in CARRIERS}
    assert canaries == {canary_of(bundle.files)}
    assert canaries.pop().startswith(CANARY_PREFIX)


def test_sealing_again_changes_nothing():
    bundle = desk_bundle()
    assert Bundle.sealed(bundle.files) == bundle


def test_a_canary_of_earlier_content_does_not_survive_a_repair():
    bundle = desk_bundle()
    files = {**bundle.files, "instruction.md": b"Do something else."}
    assert Bundle.sealed(files).package.canary not in (bundle.package.canary, "")


def test_other_content_has_another_canary():
    other = desk_bundle(lambda documents: documents["solution/calls.json"].update(answer="done"))
    assert other.package.canary != desk_bundle().package.canary


def test_what_a_solver_may_see_holds_no_canary():
    bundle = desk_bundle()
    visible = [bundle.instruction, *(tool.model_dump_json() for tool in bundle.package.tools)]
    assert not find_canaries(visible)


def test_a_canary_is_found_in_the_middle_of_a_text():
    text = f"{'x' * 500} {desk_bundle().package.canary} {'y' * 500}"
    (found,) = find_canaries(["nothing here", text])
    assert CANARY_PREFIX in found
    assert len(found) <= 80


def test_a_carrier_that_is_no_object_is_refused():
    with pytest.raises(BadInputError, match=r"solution/calls\.json: expected a JSON object"):
        Bundle.sealed({**desk_files(), "solution/calls.json": b"[]"})
