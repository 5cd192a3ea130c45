"""Hard logs: what goes wrong in real recordings, end to end through a source."""

import json
import tracemalloc

import pytest

from envwright.recipes.toolspace.readers import read_source
from support.clinic import lines, trajectories

MIB = 2**20


def chat(*turns, **more):
    """A trajectory; each turn is ([(id, tool, arguments)], [(id, content)])."""
    messages = []
    for asked, given in turns:
        calls = [
            {"id": i, "type": "function", "function": {"name": n, "arguments": json.dumps(a)}}
            for i, n, a in asked
        ]
        messages.append({"role": "assistant", "content": None, "tool_calls": calls})
        messages += [{"role": "tool", "tool_call_id": i, "content": c} for i, c in given]
    return {"task_id": 1, "traj": messages, **more}


def read(*values, data=None):
    found = read_source("log.jsonl", lines(list(values)) if data is None else data)
    calls = [call for trace in found.material.traces for call in trace.calls]
    return [(c.tool, c.arguments, c.value) for c in calls], found


def test_one_trajectory_with_every_disorder_of_ids_and_results():
    calls, found = read(
        chat(
            ([("a", "get", {"k": 1}), ("b", "get", {"k": 2})], [("b", "two"), ("a", "one")]),
            ([("a", "get", {"k": 3})], [("a", "three")]),
            ([("c", "get", {"k": 4}), ("c", "put", {"k": 5})], [("c", "four"), ("c", "five")]),
            ([("d", "get", {"k": 6}), ("e", "get", {"k": 7})], [("e", "seven")]),
            ([], [("f", "nobody's")]),
        )
    )
    assert [(a["k"], v) for _, a, v in calls] == [
        (1, "one"),
        (2, "two"),
        (3, "three"),
        (4, "four"),
        (5, "five"),
        (7, "seven"),
    ]
    assert [skip.place for skip in found.skips] == [
        "log.jsonl: element 1, message 12",
        "log.jsonl: element 1, message 9",
    ]


def test_numbers_as_strings_stay_strings_on_both_sides():
    calls, _ = read(chat(([("a", "get", {"id": "007"})], [("a", '{"zip": "01234", "n": 5.0}')])))
    assert calls == [("get", {"id": "007"}, {"zip": "01234", "n": 5})]


def test_no_number_and_half_a_character_cost_their_call_alone():
    calls, found = read(
        chat(
            ([("a", "get", {"k": 1})], [("a", '{"n": NaN}')]),
            ([("b", "get", {"k": 2})], [("b", '{"n": -Infinity}')]),
            ([("c", "get", {"k": "\ud83d"})], [("c", "three")]),
            ([("d", "get", {"k": 4})], [("d", '{"n": 1, "n": 2}')]),
            ([("e", "get", {"k": 5})], [("e", '{"n": 5}')]),
            reward=float("nan"),
        )
    )
    assert calls == [("get", {"k": 5}, {"n": 5})]
    assert found.skipped == 4


def test_mixed_encodings_cost_their_lines_alone():
    good = chat(([("a", "get", {"k": "é"})], [("a", "é")]))
    line = json.dumps(good, ensure_ascii=False)
    data = b"\xef\xbb\xbf" + f"{line}\n".encode()
    data += f"{line}\n".encode("latin-1") + f"{line}\n".encode("utf-16") + f"{line}\n".encode()
    calls, found = read(data=data)
    assert calls == [("get", {"k": "é"}, "é")] * 2
    assert [skip.place for skip in found.skips] == [f"log.jsonl: line {n}" for n in (2, 3)]


def test_images_as_results_are_skips():
    image = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA"}}
    calls, found = read(
        chat(([("a", "look", {}), ("b", "look", {})], [("a", [image]), ("b", "seen")]))
    )
    assert ([v for *_, v in calls], found.skipped) == (["seen"], 1)


def test_deep_nesting_costs_its_call_or_its_element_alone():
    deep = "[" * 500 + "]" * 500
    good = chat(([("a", "get", {})], [("a", "one")]))
    calls, found = read(
        chat(([("a", "get", {}), ("b", "get", {})], [("a", deep), ("b", "two")])), good
    )
    assert ([v for *_, v in calls], found.skipped) == (["two", "one"], 1)
    deeper = f'{json.dumps(good)}\n{{"traj": {"[" * 50_000}{"]" * 50_000}}}\n'
    calls, found = read(data=deeper.encode())
    assert (len(calls), found.skipped) == (1, 1)


@pytest.mark.parametrize("wrap", [lambda text: text, lambda text: f"[{text}]"])
def test_a_very_long_line_is_read(wrap):
    rows = [{"id": f"row-{n}", "text": "x" * 1100} for n in range(5_000)]
    long = chat(([("a", "list", {})], [("a", json.dumps(rows))]))
    data = wrap(json.dumps(long)).encode()
    assert len(data) > 5 * MIB
    calls, found = read(data=data)
    assert len(calls[0][2]) == 5_000
    assert found.skipped == 0


def test_a_log_is_never_parsed_as_a_whole():
    one = json.dumps(trajectories(1)[0])
    padded = one[:-1] + ', "policy": "' + "be nice to people; " * 3_000 + '"}'
    count = 200
    for data in (
        "\n".join([padded] * count).encode(),
        ("[" + ",".join([padded] * count) + "]").encode(),
    ):
        tracemalloc.start()
        found = read_source("log", data)
        kept, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert found.records == count
        assert len(data) > 10 * MIB
        # The text of an array is one copy; what is parsed at a time is one element.
        assert peak - kept < 1.3 * len(data)
