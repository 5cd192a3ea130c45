"""What a process is opened with, and state replay of a home."""

from pathlib import Path

import pytest

from envwright.agents import RuntimeConfig, open_runtime, replay_state
from envwright.agents.bootstrap import CHECKPOINTS
from envwright.agents.runtime import is_dead
from envwright.events.errors import InfrastructureError
from support.office import Office
from support.store_tampering import flip, tampering


def test_a_home_is_made_and_its_process_has_a_name_that_lives(tmp_path: Path) -> None:
    runtime = open_runtime(RuntimeConfig(home=tmp_path / "new" / "home"))
    try:
        assert runtime.log.head() == 0
        assert not is_dead(runtime.instance)
        assert runtime.checkpointer is not None
    finally:
        runtime.close()


def test_without_checkpoints_no_file_of_them_is_made(tmp_path: Path) -> None:
    office = Office(tmp_path, checkpoints=False)
    office.finish(office.request())
    office.close()
    assert not (tmp_path / CHECKPOINTS).exists()


def test_a_home_that_cannot_be_made_is_an_infrastructure_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InfrastructureError, match="cannot hold a log"):
        open_runtime(RuntimeConfig(home=tmp_path / "file" / "home"))


def test_state_replay_names_the_event_whose_byte_was_altered(office: Office) -> None:
    run = office.request()
    office.finish(run)
    config = office.runtime.config
    whole = replay_state(config)
    assert whole.diverged is None
    assert whole.compared == office.runtime.log.head()
    assert replay_state(config, run).compared <= whole.compared
    verdict = office.events("verdict.reached")[0]
    office.runtime.log.close()
    with tampering(office.home) as raw:
        flip(raw, "payloads", "body", verdict.position, 30)
    found = replay_state(config, run)
    assert found.diverged is not None and found.diverged.event == verdict.id
