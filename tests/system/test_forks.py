"""Forked runs as processes: killed and resumed, by several workers, and on the logs of the demo."""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from support.runs import DESK, SMALL, Driven, Spec, digests, run, variant, watching
from support.soundness import check_log

pytestmark = pytest.mark.timeout(400)

Start = Callable[[Path, Spec], Driven]


def forked(origin: str, at: str, *pairs: str, **more: Any) -> Spec:
    """Return the spec of a fork."""
    return {"fork": origin, "at": at, "set": list(pairs), **more}


def other_seed(spec: Spec, seed: int) -> Spec:
    return variant(spec, settings={**spec["settings"], "seed": seed})


@pytest.mark.slow
def test_a_fork_that_is_killed_again_and_again_comes_to_what_a_run_comes_to(
    tmp_path: Path, start: Start
) -> None:
    fresh = run(tmp_path / "fresh", other_seed(DESK, 8))
    home = tmp_path / "home"
    origin = run(home, DESK)
    chance = random.Random(3)
    spec = forked(origin["run"], "round:1", "seed=8", workers=2, max_delay=0.03)
    driven = start(home, spec)
    name = driven.run
    for moment in sorted(chance.sample(range(2, fresh["events"]), 3)):
        driven.await_events(moment)
        driven.kill()
        driven = start(home, variant(spec, resume=name, fault_seed=moment))
    report = driven.finish()
    assert report["run"] == name and report["fork"]["inherited"] == 0
    assert (digests(report), report["rejected"]) == (digests(fresh), fresh["rejected"])
    with watching(home) as runtime:
        assert check_log(runtime).problems == []


@pytest.mark.slow
def test_a_fork_killed_while_it_settles_what_it_inherits_settles_it_once(
    tmp_path: Path, start: Start
) -> None:
    origin = run(tmp_path, DESK)
    spec = forked(origin["run"], "round:1", max_delay=0.1)
    driven = start(tmp_path, spec)
    driven.await_events(1, "package.inherited")
    driven.kill()
    report = run(tmp_path, variant(spec, resume=driven.run))
    assert digests(report) == digests(origin)
    assert report["fork"]["inherited"] == origin["planned"] and report["gates"] == {}
    with watching(tmp_path) as runtime:
        assert check_log(runtime).problems == []


@pytest.mark.slow
def test_a_fork_of_a_run_on_a_real_log_takes_over_profile_and_packages(
    tmp_path: Path,
) -> None:
    origin = run(tmp_path, SMALL)
    more = run(tmp_path, forked(origin["run"], "round:1", "count=4", workers=2))
    assert more["fork"]["inherited"] >= 3 and more["admitted"] == 4
    assert digests(more)[:3] == digests(origin)
    assert [row["inherited_from"] for row in more["packages"]] == [*[origin["run"]] * 3, None]
    fresh = run(tmp_path, variant(SMALL, settings={**SMALL["settings"], "count": 4}))
    assert digests(more) == digests(fresh)
    with watching(tmp_path) as runtime:
        mined = list(runtime.log.read_all(run_id=more["run"], types=("source.profiled",)))
        assert mined == [] and check_log(runtime).problems == []


@pytest.mark.slow
def test_a_fork_with_another_gate_setting_tests_equal_revisions_again(tmp_path: Path) -> None:
    origin = run(tmp_path, SMALL)
    spec = forked(origin["run"], "round:1", "gates.reference_passes.seeds=[0,1,2]")
    again = run(tmp_path, spec)
    assert again["fork"]["rerun"] >= 3 and again["gates"]["reference_passes"]["pass"] >= 3
    assert digests(again) == digests(origin), "the gates do not reach into the content"
    packages = {package["id"] for report in (origin, again) for package in report["packages"]}
    assert len(packages) == 6
