"""Minted ids rise; derived ids are the same in every process and version."""

import threading
import time
from uuid import UUID

import pytest

from envwright.events import content_seed, derive_id, identifiers, mint_run_id, uuid7, work_id


def test_uuid7_has_the_version_and_variant_bits_and_the_time():
    before = time.time_ns() // 1_000_000
    minted = UUID(uuid7())
    assert minted.version == 7
    assert minted.variant == "specified in RFC 4122"
    # Ids minted in a burst may run a few milliseconds ahead of the clock.
    assert before <= minted.int >> 80 <= time.time_ns() // 1_000_000 + 1_000


def test_uuid7_rises_past_the_counter_of_one_millisecond():
    minted = [uuid7() for _ in range(10_000)]
    assert minted == sorted(set(minted))


def test_uuid7_rises_when_the_clock_steps_back(monkeypatch):
    first = uuid7()
    monkeypatch.setattr(identifiers.time, "time_ns", lambda: 0)
    assert first < uuid7() < uuid7()


def test_uuid7_is_unique_across_threads():
    minted: list[str] = []
    threads = [
        threading.Thread(target=lambda: minted.extend(uuid7() for _ in range(500)))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(minted)) == 2_000


def test_run_ids_sort_by_the_time_of_minting(monkeypatch):
    clock = iter(range(10**18, 2 * 10**18, 10**9))
    monkeypatch.setattr(identifiers, "_last", (0, 0))
    monkeypatch.setattr(identifiers.time, "time_ns", lambda: next(clock))
    minted = [mint_run_id() for _ in range(20)]
    assert minted == sorted(minted)
    assert all(run.startswith("run-") and len(run) == 24 for run in minted)


@pytest.mark.parametrize(
    ("derived", "recorded"),
    [
        (derive_id("package", "run-1", "toolspace", 1, 0), "pkg-93dc3f1af14a18ff83c16587"),
        (derive_id("attempt", "pkg-1", "0" * 64, "trl-1", 3), "att-421238a04fe8f6c0bf7f277e"),
        (derive_id("trial", "pkg-1", "0" * 64, 0), "trl-0b38e01478685c25fd93e35e"),
        (work_id("tester", "018f-1"), "wrk-f3b28489d5a8d6bf67590777"),
        (
            content_seed(7, "toolspace", 1, 0),
            "0629cfb22edf58379621084160fa6179d83c7068598a00acc5f2c1894d3f08e9",
        ),
    ],
)
def test_derived_ids_have_the_values_that_are_recorded_in_logs(derived, recorded):
    assert derived == recorded


def test_each_part_of_a_derived_id_counts():
    parts = [("package", "run-1", 1, 0), ("package", "run-1", 0, 1), ("trial", "run-1", 1, 0)]
    assert len({derive_id(*each) for each in parts}) == 3
    assert derive_id("package", "a", "bc") != derive_id("package", "ab", "c")


def test_a_content_seed_depends_on_seed_recipe_round_and_ordinal():
    seeds = {
        content_seed(seed, recipe, round_number, ordinal)
        for seed in (1, 2)
        for recipe in ("a", "b")
        for round_number in (1, 2)
        for ordinal in (0, 1)
    }
    assert len(seeds) == 16


def test_an_unknown_kind_of_id_is_refused_with_the_known_ones():
    with pytest.raises(ValueError, match="'parcel'; known are attempt, package, trial, work"):
        derive_id("parcel", 1)
