"""A rehearsal runs one handler on what it had, and tells the machine's faults from its own."""

from collections.abc import Iterator

import pytest

from envwright.agents.builder.desk import BuilderDesk
from envwright.agents.replay.deliveries import RunDeliveries
from envwright.agents.replay.findings import RecordedDelivery
from envwright.agents.replay.rehearsal import Rehearsed, Stage
from envwright.events.envelope import Envelope
from envwright.events.errors import InfrastructureError
from envwright.events.ports import InboxEntry
from support.office import Office

Case = tuple[RecordedDelivery, Envelope, InboxEntry]


@pytest.fixture
def cases(varied: Office) -> dict[str, Case]:
    """The first delivery of every role."""
    deliveries = RunDeliveries(varied.runtime.log, "envwright")
    deliveries.read(None)
    return {each.role: case for each, case in _cases(varied, deliveries)}


def _cases(office: Office, deliveries: RunDeliveries) -> Iterator[tuple[RecordedDelivery, Case]]:
    log = office.runtime.log
    for _, handled in reversed(list(deliveries.handled())):
        delivery = handled.delivery
        cause, entry = log.get(delivery.cause), log.inbox(delivery.group, delivery.cause)
        assert cause is not None and entry is not None
        yield delivery, (delivery, cause, entry)


def rehearse(office: Office, case: Case) -> Rehearsed:
    return Stage(office.runtime).rehearse(*case)


@pytest.mark.parametrize("role", ["planner", "builder", "tester", "critic", "solver", "judge"])
def test_every_role_says_something_again_and_reads_what_it_had_read(
    varied: Office, cases: dict[str, Case], role: str
) -> None:
    done = rehearse(varied, cases[role])
    assert done.said and not done.problems and not done.readings and not done.unasked
    assert done.basis == cases[role][2].basis
    assert (done.served > 0) == (role == "tester")
    assert done.parts == ([1] if role == "solver" else [])


def test_an_error_of_the_handler_is_a_problem(
    varied: Office, cases: dict[str, Case], monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(desk: BuilderDesk) -> None:
        raise InfrastructureError("its own doing")

    monkeypatch.setattr(BuilderDesk, "keep", failing)
    done = rehearse(varied, cases["builder"])
    assert done.problems == ("InfrastructureError: its own doing",) and done.said == []


def test_a_home_that_cannot_be_read_is_no_problem_of_the_handler(
    varied: Office, cases: dict[str, Case], monkeypatch: pytest.MonkeyPatch
) -> None:
    def denying(path: object) -> bytes:
        raise PermissionError(13, "denied")

    monkeypatch.setattr("pathlib.Path.read_bytes", denying)
    with pytest.raises(InfrastructureError, match="artifact store"):
        rehearse(varied, cases["tester"])
