"""A log goes in and admitted packages come out; a stranger confirms them from their folders."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from envwright.agents import replay_run
from envwright.console.folders import write_packages
from support.runs import SMALL, TESTS, run_once, watching
from support.soundness import check_log

pytestmark = pytest.mark.timeout(400)

Home = tuple[Path, dict[str, Any]]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Home:
    """A finished run on a log of the demo, and its report."""
    return run_once(tmp_path_factory, "demo", SMALL)


def test_an_independent_script_confirms_every_admitted_package(home: Home, tmp_path: Path) -> None:
    with watching(home[0]) as runtime:
        folders = write_packages(runtime, home[1]["run"], tmp_path)
    assert len(folders) == home[1]["admitted"] == 3
    done = subprocess.run(
        [sys.executable, str(TESTS / "system" / "independent_check.py"), *map(str, folders)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    for found in json.loads(done.stdout).values():
        assert (found["reference"], found["noop"], found["prefixes"], found["mutants"]) == (
            *(1, 0, 0, 0),
        )
        assert found["equal_digests"]


def test_the_script_does_not_confirm_a_package_that_was_changed(home: Home, tmp_path: Path) -> None:
    with watching(home[0]) as runtime:
        folder = write_packages(runtime, home[1]["run"], tmp_path)[0]
    place = folder / "tests" / "assertions.json"
    assertions = json.loads(place.read_text("utf-8"))
    assertions["frames"][0]["digest"] = "0" * 64
    place.write_text(json.dumps(assertions), encoding="utf-8")
    script = TESTS / "system" / "independent_check.py"
    done = subprocess.run([sys.executable, str(script), str(folder)], capture_output=True)
    assert done.returncode == 1


def test_every_recorded_gate_and_attempt_comes_out_the_same_again(home: Home) -> None:
    with watching(home[0]) as runtime:
        found = replay_run(runtime.config, "execution", home[1]["run"])
        gates = len(list(runtime.log.read_all(types=["gate.evaluated"])))
    assert found.diverged is None
    assert found.compared > gates


def test_its_log_is_sound_and_every_doorbell_was_answered(home: Home) -> None:
    with watching(home[0]) as runtime:
        found = check_log(runtime)
    assert found.problems == []
    assert found.events == home[1]["events"]


def test_the_spans_of_a_run_are_one_tree_across_its_agents(home: Home) -> None:
    with watching(home[0]) as runtime:
        parents = [event.traceparent for event in runtime.log.read_all() if event.basis]
    assert None not in parents
    traces = {str(parent).split("-")[1] for parent in parents}
    assert len(traces) == 1
