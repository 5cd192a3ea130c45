"""The chain: drawn over the graph, executed as it goes, and never longer than it needs to be."""

from random import Random

import pytest

from envwright.recipes.toolspace.mining.entries import Entry
from envwright.recipes.toolspace.walks.chain import AGAIN, NOVELTY, TOLD, Bounds, Chain, Weights
from envwright.recipes.toolspace.walks.walk import DeadEndError
from support.clinic import clinic


def chain(seed, **bounds):
    world = clinic().open()
    world.reset(0)
    return Chain(clinic(), world, Random(seed), Bounds(**bounds)), world


def drawn(seed, first="clinic.move_visit", **bounds):
    entries = [entry for entry in clinic().entries() if entry.kind == "find"]
    for attempt in range(40):
        try:
            return chain(f"{seed}/{attempt}", **bounds)[0].draw(entries[0], first)
        except DeadEndError:
            continue
    raise AssertionError("no chain was drawn")


@pytest.mark.parametrize("seed", range(6))
def test_a_chain_keeps_to_its_bounds_and_repeats_no_call(seed):
    story = drawn(seed, least=6, most=9)
    assert 6 <= len(story.calls) <= 9
    assert len({str(call) for call in story.calls}) == len(story.calls)


def test_no_call_of_a_story_fails_from_the_start():
    story = drawn(3)
    world = clinic().open()
    assert all(world.call(call.name, call.arguments).ok for call in story.calls)


def test_a_refused_step_leaves_no_trace():
    one, world = chain(1)
    one._walk.enter(Entry(tool="clinic.get_visit", table="visits", kind="lookup"))
    before = world.digest()
    visit = next(k for k, v in clinic().table("visits").rows.items() if v["status"] == "booked")
    mark = one._walk.mark()
    one._walk.write("clinic.cancel_visit", {"visit_id": int(visit), "reason": "wrong day"})
    cancelled = world.digest()
    # A cancelled visit cannot be moved: the world refuses, and nothing of the try remains.
    with pytest.raises(DeadEndError, match="only a booked visit"):
        one._walk.write("clinic.move_visit", {"visit_id": int(visit), "day": "friday"})
    assert world.digest() == cancelled
    one._walk.return_to(mark)
    assert world.digest() == before


def test_a_chain_that_cannot_be_long_enough_is_abandoned():
    entries = clinic().entries()
    with pytest.raises(DeadEndError):
        chain(1, least=200, most=200)[0].draw(entries[0], "clinic.move_visit")


def test_the_graph_says_what_may_come_next():
    weights = Weights(clinic())
    read = weights.of("clinic.get_doctor", ["clinic.find_patient", "clinic.get_visit"])
    assert read > weights.of("clinic.get_doctor", ["clinic.find_patient"])
    assert weights.of("clinic.get_doctor", ["other.tool"]) == 0
    assert TOLD < 1 < NOVELTY


def test_what_was_asked_for_already_is_drawn_less():
    one, _ = chain(1)
    one._walk.enter(Entry(tool="clinic.get_visit", table="visits", kind="lookup"))
    tables = {"visits"}
    before = one._weight("clinic.move_visit", ["clinic.get_visit"], tables)
    one._marks.append((one._walk.mark(), "clinic.move_visit"))
    assert one._weight("clinic.move_visit", ["clinic.get_visit"], tables) == before * AGAIN


def test_where_the_drawn_length_is_out_of_reach_the_longest_chain_will_do():
    lengths = {len(drawn(seed, least=2, most=20).calls) for seed in range(8)}
    assert max(lengths) > 6


def test_another_temperature_draws_another_chain():
    stories = {str(drawn(5, temperature=t).calls) for t in (0.2, 1.0, 20.0)}
    assert len(stories) > 1
