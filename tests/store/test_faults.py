"""The log on SQLite under faults: disks, permissions, locks, clocks, kills, copies."""

import random
from pathlib import Path

import pytest

from support.store_faults import Place, check
from support.store_faults_cases import (
    clock_stepping_back,
    file_limit,
    full_disk,
    locked_file,
    read_only_file,
)
from support.store_faults_disk import small_disk
from support.store_faults_parts import Load, copied, copies, kills, standing_still, tails
from support.store_faults_writer import Task, WriterProcess

MEGABYTES = 16


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place("sqlite", tmp_path)


def test_a_full_disk_is_said_and_costs_nothing(place):
    with small_disk(place.file.parent, MEGABYTES) as disk:
        if disk is None:
            pytest.skip("no file system can be mounted here")
        found = full_disk(place, disk)
    assert found.problems == [] and found.found


def test_a_limit_on_the_size_of_files_is_said_and_costs_nothing(place):
    found = file_limit(place)
    assert found.problems == [] and found.found


def test_a_file_that_may_only_be_read_is_said_and_costs_nothing(place):
    with small_disk(place.file.parent, MEGABYTES) as disk:
        found = read_only_file(place, disk)
    if found is None:
        pytest.skip("root writes what is read-only, and no file system can be mounted here")
    assert found.problems == [] and found.found


def test_a_lock_of_another_process_is_waited_for_or_said(place):
    found = locked_file(place)
    assert found.problems == [] and found.found


def test_clocks_that_step_back_change_no_order(place):
    found = clock_stepping_back(place)
    assert found.problems == [] and found.found


def test_a_copy_of_a_stopped_log_holds_what_was_acknowledged(place):
    counts, problems = copies(place, Load(copies=2), random.Random(1))
    assert problems == [] and counts["in a WAL"] == 2


def test_a_copy_without_its_wal_is_seen_to_lose(place):
    writer = WriterProcess(Task(place, "copied", slow=0.0))
    try:
        writer.await_commits(5)
        with standing_still(writer.pid):
            acknowledged = writer.acknowledged()
            copy, in_wal = copied(place, "copy", wal=False)
    finally:
        writer.kill()
    assert in_wal
    assert any("acknowledged and lost" in problem for problem in check(copy, acknowledged).problems)


def test_what_killed_writers_were_told_is_there(place):
    counts, problems = kills(place, Load(kills=3), random.Random(2))
    assert problems == [] and counts["kills"] == 3 and counts["acknowledged"]


@pytest.mark.slow
def test_readers_that_follow_see_every_event_once_and_in_order(place):
    counts, problems = tails(place, Load(appends=1_500, tail_kills=4), random.Random(3))
    assert problems == [] and counts["seen"] == counts["appended"] and counts["kills"]
