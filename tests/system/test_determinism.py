"""The same seed gives the same admitted revisions, whatever happens around it."""

from pathlib import Path

import pytest
from support.runs import SMALL, digests, run, variant


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    report = run(tmp_path_factory.mktemp("reference"), SMALL)
    assert report["ending"] == "completed"
    assert report["admitted"] == 3
    return digests(report)


def test_two_runs_in_one_home_and_one_in_another_admit_the_same(
    reference: list[str], tmp_path: Path
) -> None:
    home = tmp_path / "home"
    assert digests(run(home, SMALL)) == reference
    assert digests(run(home, SMALL, PYTHONHASHSEED="271828")) == reference


def test_two_worker_processes_admit_what_one_admits(reference: list[str], tmp_path: Path) -> None:
    assert digests(run(tmp_path, variant(SMALL, workers=2))) == reference


def test_random_delays_in_every_handler_change_nothing(
    reference: list[str], tmp_path: Path
) -> None:
    slowed = variant(SMALL, workers=2, max_delay=0.05, fault_seed=3)
    assert digests(run(tmp_path, slowed)) == reference


def test_another_seed_gives_other_contents_than_the_canaries(
    reference: list[str], tmp_path: Path
) -> None:
    settings = {**SMALL["settings"], "seed": 8}
    report = run(tmp_path, variant(SMALL, settings=settings))
    assert not set(digests(report)) & set(reference)
    assert report["admitted"] == 3
