"""Effects: writers are found by the changes that only they explain."""

from dataclasses import replace

from envwright.recipes.toolspace.calls import Declaration
from envwright.recipes.toolspace.mining.effects import mine_effects, named_in
from envwright.recipes.toolspace.mining.entities import find_entities
from support.tool_logs import failed, history, ok, order, trace


def get(key, status="open"):
    return ok("get_order", order(key, status, total=1), order_id=key)


def close(key, value="ok"):
    return ok("close_order", value, order_id=key, why="done")


def effects(*traces, **declared):
    found = history(*traces, declared={f"ns.{k}": v for k, v in declared.items()})
    return mine_effects(found, find_entities(found))


def changed(count, *between):
    return [
        trace(n, get(f"o{n}"), *(step(f"o{n}") for step in between), get(f"o{n}", "closed"))
        for n in range(count)
    ]


def test_the_only_call_between_two_different_sightings_wrote():
    found = effects(*changed(3, close))
    assert found["ns.close_order"] == "write"
    assert found["ns.get_order"] != "write"


def test_one_witness_is_a_suspicion():
    quiet = [trace(n, get(f"o{n}")) for n in range(10, 14)]
    assert effects(*changed(1, close), *quiet)["ns.close_order"] == "suspect"


def test_repeated_trials_of_one_task_are_one_witness():
    trials = [replace(t, task="same") for t in changed(4, close)]
    assert effects(*trials)["ns.close_order"] == "suspect"


def test_a_row_that_a_tool_gives_back_changed_is_a_witness_without_a_second_read():
    traces = [
        trace(n, get(f"o{n}"), close(f"o{n}", order(f"o{n}", "closed", total=1))) for n in range(3)
    ]
    assert effects(*traces)["ns.close_order"] == "write"


def test_a_reader_that_is_always_beside_a_writer_is_innocent_if_it_is_there_without_one_too():
    def peek(key):
        return ok("peek", f"{key}!", order_id=key)

    still = [trace(n, get(f"o{n}"), peek(f"o{n}"), get(f"o{n}")) for n in range(10, 14)]
    found = effects(*changed(4, peek, close), *still)
    assert found["ns.close_order"] == "write"
    assert found["ns.peek"] != "write"
    assert found["ns.get_order"] == "read"


def test_two_tools_that_always_come_together_are_both_suspects():
    def other(key):
        return ok("other", "ok", order_id=key)

    found = effects(*changed(4, other, close))
    assert found["ns.close_order"] == found["ns.other"] == "suspect"


def test_a_call_about_another_row_is_no_suspect():
    def elsewhere(key):
        return ok("look_up", "x", code="zz")

    found = effects(*changed(3, elsewhere, close))
    assert (found["ns.close_order"], found["ns.look_up"]) == ("write", "unproven")


def test_a_tool_that_shows_part_of_a_row_is_no_writer():
    traces = [
        trace(
            n,
            get(f"o{n}"),
            ok("get_total", {"order_id": f"o{n}", "total": 1, "due": 2}, order_id=f"o{n}"),
            get(f"o{n}"),
        )
        for n in range(4)
    ]
    assert effects(*traces)["ns.get_total"] != "write"


def test_a_tool_that_gives_back_a_new_row_with_what_it_was_given_may_add_rows():
    def new(key):
        return ok("new_order", order(key, total=7), order_id=key, total=7)

    traces = [trace(n, get(f"o{n}"), new(f"n{n}")) for n in range(4)]
    assert effects(*traces)["ns.new_order"] == "suspect"


def test_a_call_that_names_nothing_may_have_changed_anything():
    def undo(_key):
        return ok("undo", "undone")

    traces = [
        trace(n, get(f"o{n}"), undo(n), ok("look", order(f"o{n}", "x", total=1), order_id=f"o{n}"))
        for n in range(4)
    ]
    quiet = [
        trace(10 + n, get(f"p{n}"), ok("look", order(f"p{n}", total=1), order_id=f"p{n}"))
        for n in range(4)
    ]
    found = effects(*traces, *quiet)
    assert (found["ns.undo"], found["ns.look"]) == ("write", "read")


def removed(n, again=True):
    gone = ok("remove", {"order_id": f"o{n}", "deleted": True}, order_id=f"o{n}")
    missing = failed("get_order", "not found", order_id=f"o{n}")
    return trace(n, get(f"o{n}"), gone, *([missing] if again else []))


def test_who_makes_a_reader_refuse_what_it_had_shown_has_removed_it():
    quiet = [trace(10 + n, get(f"p{n}"), get(f"p{n}")) for n in range(3)]
    assert effects(*map(removed, range(3)), *quiet)["ns.remove"] == "write"
    unseen = [removed(n, again=False) for n in range(3)]
    assert effects(*unseen, *quiet)["ns.remove"] == "unproven"


def test_a_write_that_is_refused_the_second_time_blames_no_reader():
    twice = [
        trace(n, get(f"o{n}"), close(f"o{n}"), get(f"o{n}", "closed"), shut)
        for n in range(4)
        for shut in [failed("close_order", "closed already", order_id=f"o{n}", why="done")]
    ]
    quiet = [trace(10 + n, get(f"p{n}"), get(f"p{n}")) for n in range(3)]
    found = effects(*twice, *quiet)
    assert (found["ns.close_order"], found["ns.get_order"]) == ("write", "read")


def test_true_instead_of_one_is_a_change():
    traces = [trace(n, get(f"o{n}", 1), close(f"o{n}"), get(f"o{n}", True)) for n in range(3)]
    assert effects(*traces)["ns.close_order"] == "write"


def test_a_manifest_has_the_last_word():
    declared = {
        "close_order": Declaration("close_order", "", {}, "read"),
        "get_order": Declaration("get_order", "", {}, "write"),
    }
    found = effects(*changed(3, close), **declared)
    assert (found["ns.close_order"], found["ns.get_order"]) == ("read", "write")


def test_every_text_and_whole_number_of_a_value_is_named():
    assert named_in({"a": ["x", 5], "b": 1.5, "c": None, "d": True}) == {"x", "5"}
