"""A replay by worker processes says what one process says, and names the first divergence."""

import shutil
import sys
from pathlib import Path

import pytest

from envwright.agents import RuntimeConfig, replay_run
from envwright.agents.builder.desk import BuilderDesk
from envwright.agents.replay.level import LEVELS, ReplayLevel
from envwright.events import digest_bytes, encode
from support.office import Office
from support.replay_worker import FURTHER, employ
from support.store_tampering import tampering
from support.untouched import holdings

EDITED = """
import {clock}
from support.desk_recipe import SUBJECTS, DeskRecipe
from envwright.recipes import registry


class Edited(DeskRecipe):
    id = "edited"

    def fingerprint(self, bundle):
        return {keys}


def install(patch):
    patch.setattr(registry, "RECIPES", {{**registry.RECIPES, "edited": Edited()}})
"""


@pytest.fixture
def copy(varied: Office, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the varied run's home, and worker processes that know its recipe."""
    employ(monkeypatch)
    shutil.copytree(varied.home, tmp_path / "home")
    return tmp_path / "home"


@pytest.mark.slow
@pytest.mark.parametrize("level", LEVELS)
def test_two_processes_find_what_one_finds_and_write_nothing(
    varied: Office, copy: Path, level: ReplayLevel
) -> None:
    run = varied.events("run.requested")[0].run_id
    config = RuntimeConfig(home=copy)
    before = holdings(copy)
    steps: list[tuple[int, int]] = []
    found = replay_run(config, level, run, workers=2, progress=lambda *step: steps.append(step))
    assert found.divergences == () and found.compared > 50
    assert found == replay_run(config, level, run)
    assert steps == [(done, len(steps)) for done in range(1, len(steps) + 1)]
    assert holdings(copy) == before


@pytest.mark.slow
def test_the_first_divergence_is_the_first_of_the_log_whatever_is_done_first(
    varied: Office, copy: Path
) -> None:
    altered = varied.events("turn.taken")[2:5]
    with tampering(copy) as raw:
        for event in altered:
            turn = event.data["turn"] | {"thought": "never thought"}
            payload = encode(event.data | {"turn": turn})
            where = (digest_bytes(payload), event.position)
            raw.execute("UPDATE payloads SET body = ? WHERE position = ?", (payload, where[1]))
            raw.execute("UPDATE events SET payload_hash = ? WHERE position = ?", where)
    config, run = RuntimeConfig(home=copy), altered[0].run_id
    everything = replay_run(config, "decision", run, workers=2, keep_going=True)
    named = [each.event for each in everything.divergences]
    assert set(named) >= {event.id for event in altered}
    first = replay_run(config, "decision", run, workers=2).diverged
    assert first is not None and first.event == named[0]


def edit(folder: Path, keys: str, clock: str = "time") -> None:
    """Write the recipe's module as somebody who develops it would."""
    (folder / "edited_recipe.py").write_text(EDITED.format(keys=keys, clock=clock))


@pytest.mark.slow
def test_a_recipe_that_was_edited_on_disk_since_is_named(
    office: Office, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    employ(monkeypatch)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=":")
    monkeypatch.setenv(FURTHER, "edited_recipe")
    edit(tmp_path, 'tuple({"one", "two", "three", "four", "five", "six"})[:2]')
    with pytest.MonkeyPatch.context() as patch:
        __import__("edited_recipe").install(patch)
        run = office.request(recipe="edited")
        assert office.finish(run) == "completed"

    def found(keys: str) -> str:
        edit(tmp_path, keys)
        replayed = replay_run(office.runtime.config, "decision", run, workers=2)
        assert replayed.diverged is None or replayed.diverged.delivery is not None
        return "" if replayed.diverged is None else str(replayed.diverged.model_dump())

    recorded = office.events("package.candidate")[0].data["fingerprint"]
    assert found(repr(tuple(recorded))) == ""
    judged = office.events("attempt.finished")[0].id
    for keys in ('("other",)', f"(str(time.time()), *{recorded!r})"):
        assert judged in found(keys)
    said = found(f"time.time() and tuple({recorded!r})")
    assert "nondeterminism" in said and "edited_recipe.py:11, in edited_recipe.Edited" in said


@pytest.mark.slow
def test_the_order_of_a_set_shows_in_a_process_with_another_hash_seed(
    office: Office, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    employ(monkeypatch)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=":")
    monkeypatch.setenv(FURTHER, "edited_recipe")
    edit(tmp_path, "tuple({str(n) for n in range(99)})")
    monkeypatch.syspath_prepend(tmp_path)
    sys.modules.pop("edited_recipe", None)
    with pytest.MonkeyPatch.context() as patch:
        __import__("edited_recipe").install(patch)
        run = office.request(recipe="edited")
        assert office.finish(run) == "completed"
        assert replay_run(office.runtime.config, "decision", run).diverged is None
    found = replay_run(office.runtime.config, "decision", run, workers=1).diverged
    assert found is not None and "$.data.fingerprint[0]" in found.expected


def test_a_handler_of_this_process_is_replayed_in_it(
    varied: Office, copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(BuilderDesk, "keep", lambda desk: None)
    run = varied.events("run.requested")[0].run_id
    assert replay_run(RuntimeConfig(home=copy), "decision", run).diverged is not None
    assert replay_run(RuntimeConfig(home=copy), "decision", run, workers=1).diverged is None
