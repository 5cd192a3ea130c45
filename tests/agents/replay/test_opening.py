"""Each level opens on the adapters of a home and leaves no file behind."""

import pytest

from envwright.agents.replay.decision import DecisionLevel
from envwright.agents.replay.execution import ExecutionLevel
from envwright.agents.replay.level import LEVELS, ReplayLevel
from envwright.agents.replay.opening import open_level
from envwright.agents.replay.state import StateLevel
from support.office import Office

KINDS = {"state": StateLevel, "execution": ExecutionLevel, "decision": DecisionLevel}


@pytest.mark.parametrize("level", LEVELS)
def test_a_level_is_opened_and_closed(office: Office, level: ReplayLevel) -> None:
    config = office.runtime.config.model_copy(update={"checkpoints": True})
    before = sorted(path.name for path in office.home.iterdir())
    with open_level(config, level) as opened:
        assert isinstance(opened, KINDS[level])
    assert sorted(path.name for path in office.home.iterdir()) == before
