"""The same seed gives the same admitted revisions, whatever happens around it."""

from pathlib import Path

import pytest

from envwright.agents import run_report
from envwright.events.values import RunSettings
from support.office import Office
from support.runs import DEMO, DESK, SMALL, Spec, digests, run, run_once, variant

pytestmark = pytest.mark.timeout(400)

Shared = pytest.TempPathFactory


def desk(factory: Shared) -> list[str]:
    """Return the revisions of a plain run of the desk recipe, made once."""
    _, report = run_once(factory, "desk", DESK)
    assert (report["ending"], report["admitted"]) == ("completed", 3)
    return digests(report)


def demo(factory: Shared) -> list[str]:
    """Return the revisions of a plain run on a log of the demo, made once."""
    _, report = run_once(factory, "demo", SMALL)
    assert (report["ending"], report["admitted"]) == ("completed", 3)
    return digests(report)


def test_two_runs_in_one_home_admit_the_same_as_one_in_another(
    tmp_path_factory: Shared, tmp_path: Path
) -> None:
    office = Office(tmp_path)
    panel = RunSettings(recipe="desk", count=1).panel
    settings = {"panel": panel, **DESK["settings"]}
    runs = [office.request(*DESK["subjects"], **settings) for _ in range(2)]
    assert [office.finish(each) for each in runs] == ["completed", "completed"]
    first, second = (digests(run_report(office.runtime, each)) for each in runs)
    office.close()
    assert first == second == desk(tmp_path_factory)


@pytest.mark.slow
def test_another_hash_seed_changes_nothing(tmp_path_factory: Shared, tmp_path: Path) -> None:
    assert digests(run(tmp_path, DESK, PYTHONHASHSEED="271828")) == desk(tmp_path_factory)


@pytest.mark.slow
def test_two_workers_with_random_delays_admit_what_one_admits(
    tmp_path_factory: Shared, tmp_path: Path
) -> None:
    slowed = variant(DESK, workers=2, max_delay=0.05, fault_seed=3)
    assert digests(run(tmp_path, slowed)) == desk(tmp_path_factory)


@pytest.mark.slow
def test_a_real_log_gives_the_same_under_another_hash_seed_two_workers_and_delays(
    tmp_path_factory: Shared, tmp_path: Path
) -> None:
    slowed = variant(SMALL, workers=2, max_delay=0.05, fault_seed=5)
    assert digests(run(tmp_path, slowed, PYTHONHASHSEED="31415")) == demo(tmp_path_factory)


BOTH: Spec = {
    "sources": [
        str(DEMO / name)
        for name in (
            "helpdesk.jsonl",
            "helpdesk-tools.json",
            "library.jsonl",
            "library-tools.json",
        )
    ],
    "settings": {"recipe": "toolspace", "count": 3, "seed": 7, "attempts": 1},
}
"""A run on both logs of the demo."""


@pytest.mark.slow
@pytest.mark.parametrize("workers", [2, 4])
def test_sources_in_another_order_and_more_workers_admit_the_same(
    workers: int, tmp_path_factory: Shared, tmp_path: Path
) -> None:
    _, report = run_once(tmp_path_factory, "both", BOTH)
    assert (report["ending"], report["admitted"]) == ("completed", 3)
    turned = variant(BOTH, sources=BOTH["sources"][::-1], workers=workers)
    again = run(tmp_path, turned)
    assert digests(again) == digests(report)
    assert again["exports"] == report["exports"]


@pytest.mark.slow
def test_another_seed_gives_other_contents_than_the_canaries(
    tmp_path_factory: Shared, tmp_path: Path
) -> None:
    settings = {**SMALL["settings"], "seed": 8, "count": 1}
    _, first = run_once(tmp_path_factory, "demo", SMALL)
    second = run(tmp_path, variant(SMALL, settings=settings))
    assert second["admitted"] == 1
    told = [{each["instruction"] for each in report["packages"]} for report in (first, second)]
    assert told[1] and not told[0] & told[1]
