"""An audit in words."""

import pytest

from envwright.console.views.audit import verdict
from support.audit_views import audit_view, check, failing


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({}, "The record of run run-1 holds. Its one admission was earned. Anchors outside"),
        ({"run": None}, "The record of this home holds."),
        ({"unanchored": 3, "anchored_to": 37}, "Up to position 37 anchors outside of it vouch"),
        ({"anchored_to": 0, "unanchored": 40}, "No anchor vouches for it"),
    ],
)  # fmt: skip
def test_a_sound_record_is_told_with_what_vouches_for_it(more, words):
    assert words in verdict(audit_view(**more))


@pytest.mark.parametrize(
    ("count", "words"), [(0, "It admitted nothing"), (3, "Each of its 3 admi")]
)
def test_admissions_are_counted(count, words):
    view = audit_view()
    view["checks"]["admissions"] = check(checked=count)
    assert words in verdict(view)


def test_a_broken_record_names_its_checks():
    view = audit_view()
    view["checks"] |= {"chains": failing(), "roles": failing()}
    assert "2 failures in chains, roles" in verdict(view)
    view["checks"]["roles"] = check()
    assert "1 failure in chains." in verdict(view)
