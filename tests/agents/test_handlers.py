"""The one handler of each role."""

import pytest

from envwright.agents.handlers import Handler
from envwright.agents.solver import desk
from envwright.agents.solver.policies import PolicyRun
from envwright.events import ROLES
from envwright.sandbox.attempts import Attempt
from support.office import Office


@pytest.mark.parametrize("role", ROLES)
def test_every_role_answers_its_first_doorbell(office: Office, role: str) -> None:
    run = office.request()
    ctx = office.handle(office.advance(run, ROLES[role][0]))
    assert ctx.delivery.role == role
    assert ctx.said()


def test_a_world_is_closed_though_the_handler_failed(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed: list[str] = []

    class Broken:
        def act(self, observations: object) -> None:
            raise ValueError("no idea")

    class Policy:
        def start(self, view: object, seed: int) -> PolicyRun:
            return Broken()  # type: ignore[return-value]

    monkeypatch.setattr(desk, "get_policy", lambda *_: Policy())
    monkeypatch.setattr(Attempt, "close", lambda self: closed.append("closed"))
    cause = office.advance(office.request(), "attempt.requested")
    ctx = office.context(cause)
    with pytest.raises(ValueError, match="no idea"):
        Handler(office.runtime).handle(ctx)
    assert closed == ["closed"]
