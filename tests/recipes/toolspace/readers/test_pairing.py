"""Pairing: which result belongs to which call, whatever happened to their ids and their order."""

import pytest

from envwright.recipes.toolspace.readers.pairing import Answered, Asked, Exchange
from envwright.recipes.toolspace.readers.results import from_content
from envwright.recipes.toolspace.readers.skips import Skips


def talk(*events):
    """Feed an exchange: ("?", turn, id, name, k) asks, ("!", turn, id, name, content) answers."""
    skips = Skips()
    exchange = Exchange(skips)
    for kind, turn, call_id, name, value in events:
        place = f"message {turn}"
        if kind == "?":
            exchange.ask(Asked(place, turn, call_id, name, {"k": value}))
        else:
            exchange.answer(
                Answered(place, turn, call_id, name, lambda said=value: from_content(said))
            )
    found = [(call.tool, call.arguments["k"], call.value) for call in exchange.calls()]
    return found, [skip.place for skip in skips.kept()]


def test_results_may_come_in_any_order():
    found, skipped = talk(
        ("?", 1, "a", "get", 1),
        ("?", 1, "b", "get", 2),
        ("!", 2, "b", "", "two"),
        ("!", 3, "a", "", "one"),
    )
    assert found == [("get", 1, "one"), ("get", 2, "two")]
    assert skipped == []


def test_a_result_may_even_come_before_its_call():
    found, _ = talk(("!", 1, "a", "", "one"), ("?", 2, "a", "get", 1))
    assert found == [("get", 1, "one")]


def test_an_id_that_is_used_again_belongs_to_each_call_in_turn():
    found, skipped = talk(
        ("?", 1, "x", "get", 1),
        ("!", 2, "x", "", "one"),
        ("?", 3, "x", "get", 2),
        ("!", 4, "x", "", "two"),
    )
    assert found == [("get", 1, "one"), ("get", 2, "two")]
    assert skipped == []


def test_parallel_calls_with_one_id_get_their_results_in_order():
    found, _ = talk(
        ("?", 1, "x", "get", 1),
        ("?", 1, "x", "get", 2),
        ("!", 2, "x", "", "one"),
        ("!", 3, "x", "", "two"),
    )
    assert found == [("get", 1, "one"), ("get", 2, "two")]


def test_a_name_tells_parallel_calls_with_one_id_apart():
    found, _ = talk(
        ("?", 1, "x", "get", 1),
        ("?", 1, "x", "put", 2),
        ("!", 2, "x", "put", "from put"),
        ("!", 3, "x", "get", "from get"),
    )
    assert found == [("get", 1, "from get"), ("put", 2, "from put")]


def test_where_a_result_is_missing_the_latest_turn_gets_the_one_there_is():
    found, skipped = talk(
        ("?", 1, "x", "get", 1),
        ("?", 2, "x", "get", 2),
        ("!", 3, "x", "", "two"),
    )
    assert found == [("get", 2, "two")]
    assert skipped == ["message 1"]


@pytest.mark.parametrize(("asked", "given"), [("", ""), ("", "a"), ("a", "")])
def test_where_a_side_has_no_id_name_and_order_decide(asked, given):
    found, skipped = talk(
        ("?", 1, asked, "get", 1),
        ("!", 2, given, "get", "one"),
        ("?", 3, asked, "put", 2),
        ("!", 4, given, "put", "two"),
    )
    assert found == [("get", 1, "one"), ("put", 2, "two")]
    assert skipped == []


def test_a_result_of_another_id_is_nobodys():
    found, skipped = talk(("?", 1, "a", "get", 1), ("!", 2, "b", "get", "one"))
    assert found == []
    assert skipped == ["message 2", "message 1"]


def test_a_result_that_comes_twice_counts_once():
    found, skipped = talk(
        ("?", 1, "a", "get", 1), ("!", 2, "a", "", "one"), ("!", 3, "a", "", "one")
    )
    assert found == [("get", 1, "one")]
    assert skipped == ["message 3"]


def test_a_call_without_a_name_and_a_result_without_data_are_skips():
    found, skipped = talk(
        ("?", 1, "a", "", 1),
        ("?", 1, "b", "get", 2),
        ("!", 2, "a", "", "one"),
        ("!", 2, "b", "", None),
    )
    assert found == []
    assert skipped == ["message 1", "message 2"]


def test_many_calls_under_one_id_are_matched_quickly():
    events = [
        event
        for n in range(0, 20_000, 2)
        for event in (("?", n, "1", "get", n), ("!", n + 1, "1", "", str(n)))
    ]
    found, _ = talk(*events)
    assert all(str(k) == value for _, k, value in found)
