"""Trials outside admission."""

import shutil
import threading
from pathlib import Path

import pytest

from envwright.agents import RoleName, RuntimeConfig, Worker, open_runtime, pause_run, request_run
from envwright.agents.solver import desk
from envwright.console.home import known_home
from envwright.console.trials import SERVING, TrialOrder, run_trial
from envwright.events.errors import BadInputError, InfrastructureError
from envwright.events.values import PolicySpec, RunSettings
from support.command_line import Finished

ORDER = TrialOrder(PolicySpec(name="random"), k=2)


def test_equal_orders_are_trials_of_their_own_with_their_own_seeds(finished: Finished) -> None:
    with known_home(finished.home, roles=SERVING) as runtime:
        first = run_trial(runtime, finished.package, ORDER)
        second = run_trial(runtime, finished.package, ORDER)
        opened = [
            event.data
            for event in runtime.log.read(f"package/{finished.package}")
            if event.type == "trial.opened"
        ]
    assert first["trial"] != second["trial"]
    assert first["seed"] == second["seed"] == 7
    seeds = [trial["seeds"] for trial in opened if not trial["gating"]]
    assert len({tuple(some) for some in seeds}) == len(seeds)


def test_an_order_overrides_what_the_run_said(finished: Finished) -> None:
    order = TrialOrder(PolicySpec(name="random"), k=1, seed=99, max_turns=2)
    with known_home(finished.home, roles=SERVING) as runtime:
        found = run_trial(runtime, finished.package, order)
        asked = next(
            event.data
            for event in runtime.log.read(f"package/{finished.package}")
            if event.data.get("trial") == found["trial"] and event.type == "attempt.requested"
        )
    assert found["seed"] == 99
    assert asked["max_turns"] == 2


def test_a_package_that_was_never_built_cannot_be_attempted(finished: Finished) -> None:
    with (
        known_home(finished.home, roles=SERVING) as runtime,
        pytest.raises(BadInputError, match="no revision"),
    ):
        run_trial(runtime, "pkg-never", ORDER)


def test_an_attempt_that_cannot_run_ends_the_trial_with_its_name(
    finished: Finished, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    shutil.copytree(finished.home, home)

    def broken(*_: object) -> None:
        raise InfrastructureError("no world")

    monkeypatch.setattr(desk, "open_attempt", broken)
    with known_home(home, roles=SERVING) as runtime:
        runtime.config = runtime.config.model_copy(update={"backoff_seconds": 0.0})
        with pytest.raises(InfrastructureError, match="envwright show wrk-"):
            run_trial(runtime, finished.package, ORDER)
        assert runtime.run_state(finished.run).status == "completed"


def test_a_trial_in_a_paused_run_is_not_held_up_by_the_attempts_that_wait(
    subjects: Path, tmp_path: Path
) -> None:
    others: tuple[RoleName, ...] = ("judge", "critic", "tester", "builder", "planner")
    runtime = open_runtime(RuntimeConfig(home=tmp_path, checkpoints=False, roles=others))
    settings = RunSettings(recipe="desk", count=1, slots=1, attempts=12)
    run = request_run(runtime, settings, [("subjects.json", subjects.read_bytes())])

    def waiting() -> int:
        return len(list(runtime.log.read_all(types=("attempt.requested",))))

    Worker(runtime, run_id=run).serve(threading.Event(), alive=lambda: waiting() < 24)
    pause_run(runtime, run)
    package = next(runtime.log.read_all(types=("package.drafted",))).data["package"]
    runtime.close()
    with known_home(tmp_path, roles=SERVING) as serving:
        assert run_trial(serving, package, ORDER)["n"] == 2
        assert serving.run_state(run).status == "paused"
