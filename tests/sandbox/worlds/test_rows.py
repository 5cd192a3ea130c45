"""Tests of rows: the shared base, what an instance writes, and the additive digest."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from envwright.sandbox.worlds.rows import (
    BaseTable,
    BaseTables,
    Table,
    has_all,
    wanted,
)

ROWS = {"b": {"n": 1}, "a": {"n": 2}, "c": {"n": 1}}

KEYS = st.sampled_from("abcde")
STATES = st.dictionaries(KEYS, st.fixed_dictionaries({"n": st.integers(0, 3)}))
WRITES = st.lists(
    st.tuples(KEYS, st.none() | st.fixed_dictionaries({}, optional={"n": st.integers(0, 3)}))
)


def written(base: BaseTable, writes: list[tuple[str, Any]]) -> Table:
    table = Table(base)
    for key, row in writes:
        table.put(key, row)
    return table


@given(STATES, WRITES, st.sets(st.integers(0, 10)))
def test_the_total_is_of_the_rows_whatever_way_led_to_them(rows, writes, asked):
    table = Table(BaseTable(rows))
    for number, (key, row) in enumerate(writes):
        table.put(key, row)
        if number in asked:
            table.total()
    expected = {key: row for key, row in {**rows, **dict(writes)}.items() if row is not None}
    assert table.rows() == expected
    assert table.total() == BaseTable(expected).total


@given(STATES, STATES)
def test_two_tables_have_one_total_exactly_if_they_have_the_same_rows(left, right):
    assert (BaseTable(left).total == BaseTable(right).total) == (left == right)


@given(STATES, WRITES, st.integers(0, 3))
def test_find_gives_the_first_key_that_a_walk_over_all_rows_gives(rows, writes, wanted):
    table = written(BaseTable(rows), writes)
    keys = sorted(key for key, row in table.rows().items() if row.get("n") == wanted)
    expected = (keys[0], table.get(keys[0])) if keys else None
    assert table.find(((("n",), wanted),)) == expected


def test_rows_are_in_the_order_of_their_keys():
    table = written(BaseTable(ROWS), [("aa", {"n": 0})])
    assert list(table.rows()) == ["a", "aa", "b", "c"]


def test_what_one_instance_writes_is_nowhere_else():
    base = BaseTable(ROWS)
    first = base.total
    one, other = written(base, [("a", {"n": 9})]), Table(base)
    assert one.total() != first
    assert other.get("a") == {"n": 2}
    assert (other.total(), base.total, base.rows["a"]) == (first, first, {"n": 2})


def test_an_untouched_row_is_the_row_of_the_base_itself():
    base = BaseTable(ROWS)
    assert written(base, [("a", {"n": 9})]).get("b") is base.rows["b"]


def test_an_empty_row_replaces_the_one_before():
    assert written(BaseTable(ROWS), [("a", {})]).get("a") == {}


def test_a_path_is_indexed_once():
    base = BaseTable(ROWS)
    assert base.keys_with((("n",), 1)) == ["b", "c"]
    assert base.keys_with((("n",), 1)) is base.keys_with((("n",), 1))
    assert base.keys_with((("n",), 7)) == []
    assert base.keys_with((("n",), True)) == []


def test_the_digest_of_tables_tells_which_table_has_a_row():
    digests = {
        BaseTables({"t": {"a": {}}, "u": {}}).digest,
        BaseTables({"t": {}, "u": {"a": {}}}).digest,
        BaseTables({"t": {}, "u": {}}).digest,
        BaseTables({"t": {}}).digest,
    }
    assert len(digests) == 4


def test_a_row_that_was_removed_is_nowhere():
    table = written(BaseTable(ROWS), [("a", None), ("d", {"n": 1}), ("d", None)])
    assert table.get("a") is None
    assert list(table.rows()) == ["b", "c"]
    assert table.find(((("n",), 2),)) is None
    assert table.total() == BaseTable({"b": ROWS["b"], "c": ROWS["c"]}).total


def test_a_row_that_comes_back_counts_again():
    base = BaseTable(ROWS)
    table = written(base, [("a", None)])
    assert table.total() != base.total
    table.put("a", {"n": 2})
    assert table.total() == base.total


@given(STATES, WRITES, st.integers(0, 3))
def test_candidates_are_in_order_and_leave_out_no_row_that_matches(rows, writes, wanted_value):
    table = written(BaseTable(rows), writes)
    match = ((("n",), wanted_value),)
    candidates = table.candidates(match)
    assert list(candidates) == sorted(set(candidates))
    matching = [key for key, row in table.rows().items() if has_all(row, wanted(match))]
    assert set(matching) <= set(candidates)
    assert set(table.candidates(())) >= set(table.rows())
