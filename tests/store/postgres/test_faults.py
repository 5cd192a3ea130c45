"""The log on PostgreSQL under faults: disks, locks, lost connections, crashes, clocks, kills."""

import random
from pathlib import Path

import pytest

from support.postgres_server import PostgresServer
from support.store_faults import Place
from support.store_faults_cases import clock_stepping_back
from support.store_faults_disk import small_disk
from support.store_faults_library import LibraryMissingError
from support.store_faults_parts import LIBRARY_TAILS, Load, kills, library_tails, tails
from support.store_faults_server import (
    connections_cut,
    full_disk,
    locked_table,
    read_only_database,
    restarts,
)

pytestmark = pytest.mark.postgres


@pytest.fixture
def place(postgres_url: str, tmp_path: Path) -> Place:
    return Place("postgres", tmp_path, postgres_url)


def test_a_database_that_may_only_be_read_is_said_and_costs_nothing(place):
    found = read_only_database(place)
    assert found.problems == [] and found.found


def test_a_lock_of_another_client_is_waited_for_or_said(place):
    found = locked_table(place)
    assert found.problems == [] and found.found


def test_connections_that_are_cut_in_mid_commit_cost_nothing(place):
    found = connections_cut(place, cuts=3)
    assert found.problems == [] and found.found


def test_clocks_that_step_back_change_no_order(place):
    found = clock_stepping_back(place)
    assert found.problems == [] and found.found


def test_what_killed_writers_were_told_is_there(place):
    counts, problems = kills(place, Load(kills=3), random.Random(2))
    assert problems == [] and counts["kills"] == 3 and counts["acknowledged"]


@pytest.mark.slow
def test_a_full_disk_of_the_server_is_said_and_costs_nothing(
    postgres_server: PostgresServer, tmp_path
):
    with small_disk(postgres_server.folder / "disk", 64) as disk:
        if disk is None:
            pytest.skip("no file system can be mounted here")
        found = full_disk(Place("postgres", tmp_path), postgres_server, disk)
    assert found.problems == [] and found.found


@pytest.mark.slow
def test_a_server_that_crashes_under_writers_costs_nothing(
    postgres_server: PostgresServer, tmp_path
):
    found = restarts(Place("postgres", tmp_path, postgres_server.url), postgres_server, times=2)
    assert found.problems == [] and found.found


@pytest.mark.slow
def test_readers_that_follow_see_every_event_once_and_in_order(place):
    counts, problems = tails(place, Load(appends=1_500, tail_kills=4), random.Random(3))
    assert problems == [] and counts["seen"] == counts["appended"] and counts["kills"]


@pytest.mark.slow
@pytest.mark.peer
@pytest.mark.parametrize("how", ["library, functions", "library, default"])
def test_the_same_test_finds_the_loss_of_the_eventsourcing_library(place, how):
    try:
        counts, problems = library_tails(place, Load(library_seconds=2.0), **LIBRARY_TAILS[how])
    except LibraryMissingError as error:
        pytest.skip(str(error))
    assert problems == [] and counts["appended"]
