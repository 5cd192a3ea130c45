"""Assertions, evaluated."""

import copy

import pytest

from envwright.sandbox.packages import Assertions
from envwright.sandbox.verifiers import Verifier, frame_digest, mentions, verify

INITIAL = {
    "tables": {
        "orders": {"#1": {"status": "open", "total": 25, "notes": []}, "#2": {"status": "open"}},
        "users": {"u1": {"name": "José"}},
    }
}


def assertions(**parts):
    return Assertions.parse({"schema_version": 1, **parts})


def state(op, path, expected=None):
    return assertions(
        state=[{"id": "it", "path": ["tables", *path], "op": op, "expected": expected}]
    )


def changed(change):
    final = copy.deepcopy(INITIAL)
    change(final["tables"])
    return final


def closed(tables):
    tables["orders"]["#1"]["status"] = "closed"


STATE_CASES = [
    ("eq", ["orders", "#1", "status"], "closed", True, '"closed"'),
    ("eq", ["orders", "#1", "status"], "open", False, '"closed"'),
    ("eq", ["orders", "#1", "total"], 25.0, True, "25"),
    ("eq", ["orders", "#1", "total"], "25", False, "25"),
    ("eq", ["users", "u1", "name"], "Jose\u0301", True, '"Jos\\u00e9"'),
    ("eq", ["orders", "#3"], None, False, "nothing"),
    ("exists", ["orders", "#1", "notes"], None, True, "[]"),
    ("exists", ["orders", "#3"], None, False, "nothing"),
    ("absent", ["orders", "#3"], None, True, "nothing"),
    ("absent", ["orders", "#1", "status"], None, False, '"closed"'),
]


@pytest.mark.parametrize(("op", "path", "expected", "passed", "found"), STATE_CASES)
def test_a_state_assertion_says_what_was_found(op, path, expected, passed, found):
    verification = verify(state(op, path, expected), INITIAL, changed(closed), "")
    (item,) = verification.items
    assert (item.id, item.kind, item.passed, item.found) == ("it", "state", passed, found)
    assert verification.passed is passed


def test_true_is_not_one():
    final = changed(lambda tables: tables["orders"]["#1"].update(total=True))
    assert not verify(state("eq", ["orders", "#1", "total"], 1), INITIAL, final, "").passed


@pytest.mark.parametrize(("delta", "passed"), [(1, True), (0, False), (2, False), (-1, False)])
def test_a_count_delta_is_against_the_start(delta, passed):
    final = changed(lambda tables: tables["orders"].update({"#3": {}}))
    verification = verify(state("count_delta", ["orders"], delta), INITIAL, final, "")
    assert verification.passed is passed
    assert verification.items[0].found == "3 entries, 2 at the start"


def test_a_count_delta_of_something_uncountable_fails():
    verification = verify(state("count_delta", ["orders", "#1", "status"], 0), INITIAL, INITIAL, "")
    assert verification.items[0].found == "no object or list at the end"


def frames(*excepted):
    path = ("tables", "orders")
    frame = {
        "id": "rest",
        "path": list(path),
        "except": [list(each) for each in excepted],
        "digest": frame_digest(INITIAL, path, excepted),
    }
    return assertions(frames=[frame])


def test_a_frame_holds_while_only_excepted_places_change():
    assert verify(frames(("#1",)), INITIAL, changed(closed), "").passed
    assert verify(frames(("#1", "status")), INITIAL, changed(closed), "").passed


def test_a_frame_finds_a_collateral_write():
    verification = verify(frames(("#2",)), INITIAL, changed(closed), "")
    assert verification.failed == ("rest",)
    assert len(verification.items[0].found) == 64


def test_a_frame_finds_a_row_that_came_or_went():
    assert not verify(frames(), INITIAL, changed(lambda t: t["orders"].pop("#2")), "").passed
    assert not verify(frames(), INITIAL, changed(lambda t: t["orders"].update(n={})), "").passed
    assert not verify(frames(), INITIAL, changed(lambda t: t.pop("orders")), "").passed


def test_a_frame_that_never_held_fails_on_the_untouched_state():
    wrong = frames().model_dump(mode="json")
    wrong["frames"][0]["digest"] = "0" * 64
    assert not verify(Assertions.parse(wrong), INITIAL, INITIAL, "").passed


def test_a_frame_takes_numbers_by_value():
    final = changed(lambda tables: tables["orders"]["#1"].update(total=25.0))
    assert verify(frames(), INITIAL, final, "").passed


ANSWER_CASES = [
    ("equals", "42", " 42\n", True),
    ("equals", "42", "it is 42", False),
    ("contains", "42", "It is 42.", True),
    ("contains", "Jose\u0301", "ask José", True),
    ("contains", "42", "", False),
]


@pytest.mark.parametrize(("op", "expected", "answer", "passed"), ANSWER_CASES)
def test_an_answer_is_compared_without_outer_space(op, expected, answer, passed):
    answers = assertions(answer=[{"id": "said", "op": op, "expected": expected}])
    assert verify(answers, INITIAL, INITIAL, answer).passed is passed


@pytest.mark.parametrize(
    ("text", "expected", "held"),
    [
        ("order 1024", "10", False),
        ("costs 154.045", "54.04", False),
        ("costs 54.04.", "54.04", True),
        ("54.04, paid", "54.04", True),
        ("1,000", "1", False),
        ("(#W1)", "#W1", True),
        ("order#W1", "#W1", True),
        ("#W12", "#W1", False),
        ("a+b (c)", "a+b (c)", True),
    ],
)
def test_words_and_numbers_are_whole(text, expected, held):
    assert mentions(text, expected) is held


def test_no_assertion_at_all_proves_nothing():
    assert not verify(Assertions(), INITIAL, changed(closed), "done").passed


def test_one_failed_assertion_is_enough():
    both = assertions(
        state=[
            {"id": "a", "path": ["tables", "orders", "#1", "status"], "op": "exists"},
            {"id": "b", "path": ["tables", "orders", "#9"], "op": "exists", "must": False},
        ]
    )
    verification = verify(both, INITIAL, INITIAL, "")
    assert verification.failed == ("b",)
    assert not verification.passed


def test_vacuous_assertions_are_those_that_hold_before_anything_is_done():
    both = assertions(
        state=[
            {"id": "before", "path": ["tables", "orders", "#1"], "op": "exists"},
            {"id": "after", "path": ["tables", "orders", "#3"], "op": "exists"},
        ]
    )
    assert Verifier(both, INITIAL).vacuous() == ("before",)


def test_one_verifier_judges_many_final_states_apart():
    verifier = Verifier(frames(("#2",)), INITIAL)
    verdicts = [verifier.verify(final, "").passed for final in (INITIAL, changed(closed), INITIAL)]
    assert verdicts == [True, False, True]


def test_what_was_found_is_cut_for_people():
    final = changed(lambda tables: tables["orders"].update({"#1": "x" * 1000}))
    (item,) = verify(state("exists", ["orders", "#1"]), INITIAL, final, "").items
    assert len(item.found) < 250
