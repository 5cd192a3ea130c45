"""Findings: counted all, listed some, and told as JSON."""

from envwright.agents.audit.findings import LISTED, Check, as_json


def test_a_check_without_failures_is_ok():
    assert as_json(Check(checked=3), more=1) == {
        "ok": True, "checked": 3, "failed": 0, "failures": [], "more": 1,
    }  # fmt: skip


def test_failures_are_counted_and_the_first_are_listed():
    check = Check(checked=1)
    for number in range(LISTED + 3):
        check.fail_at(f"e{number}", number, 1, 2)
    found = as_json(check)
    assert (found["ok"], found["failed"], len(found["failures"])) == (False, LISTED + 3, LISTED)
    assert found["failures"][0] == {"event": "e0", "position": 0, "expected": "1", "found": "2"}


def test_an_event_is_named_with_its_position(scroll):
    scroll.write()
    event = scroll.events()[4]
    check = Check()
    check.fail(event, "this", "that")
    assert check.failures[0][:2] == (event.id, 5)
