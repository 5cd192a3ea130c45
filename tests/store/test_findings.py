"""Findings: all failures are counted, the first of them listed."""

from envwright.store.findings import LISTED, Checked, Failure


def test_failures_are_counted_and_listed_up_to_a_limit():
    checked = Checked(checked=500)
    for number in range(LISTED + 5):
        checked.fail(f"e{number}", number, number, "x")
    assert checked.failed == LISTED + 5 and len(checked.failures) == LISTED
    assert checked.failures[0] == Failure("e0", 0, "0", "x")


def test_what_was_found_elsewhere_is_added_in_order():
    one, other = Checked(checked=2), Checked(checked=3)
    one.fail("a", 1, "x", "y")
    for number in range(LISTED):
        other.fail(f"b{number}", number, "x", "y")
    one.merge(other)
    assert (one.checked, one.failed, len(one.failures)) == (5, LISTED + 1, LISTED)
    assert one.failures[1].event == "b0"
