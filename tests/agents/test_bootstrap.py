"""What a process is opened with, and what replays the state of a home."""

from pathlib import Path

import pytest

from envwright.agents import RuntimeConfig, open_runtime
from envwright.agents.bootstrap import CHECKPOINTS, open_state_replay
from envwright.agents.runtime import is_dead
from envwright.events.errors import InfrastructureError
from support.office import Office


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


def test_the_state_of_a_home_is_replayed_up_to_its_head(office: Office) -> None:
    run = office.request()
    with open_state_replay(office.runtime.config) as (parts, head):
        assert head == office.runtime.log.head()
        assert parts.check(run, 0, head).compared == head
