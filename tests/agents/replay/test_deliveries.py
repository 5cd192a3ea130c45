"""Deliveries are told by the log: what was handled, and which events are whose answer."""

from envwright.agents.replay.deliveries import RunDeliveries
from envwright.events import ROLES, WRITERS, work_id
from envwright.events.catalog import RoundOpened
from support.office import Office


def read(office: Office, run: str | None, group: str = "envwright") -> RunDeliveries:
    deliveries = RunDeliveries(office.runtime.log, group)
    deliveries.read(run)
    return deliveries


def test_every_inbox_row_is_a_delivery_and_every_output_belongs_to_one(varied: Office) -> None:
    run = varied.events("run.requested")[0].run_id
    deliveries = read(varied, run)
    handled = list(deliveries.handled())
    assert [place for place, _ in handled] == sorted(place for place, _ in handled)
    outputs = [position for _, each in handled for position in each.outputs]
    said = [e.position for e in varied.events() if e.type in WRITERS and e.actor.role in ROLES]
    assert sorted(outputs) == said
    for _, each in handled:
        assert each.delivery.work == work_id(each.delivery.group, each.delivery.cause)
        assert each.delivery.cause_type in ROLES[each.delivery.role]
    assert deliveries.unanswered == 0
    assert list(deliveries.strays()) == []
    assert [each for _, each in read(varied, None).handled()] == [each for _, each in handled]


def test_the_group_that_claimed_the_work_is_asked(office: Office) -> None:
    run = office.request()
    office.advance(run, "brief.planned")
    deliveries = read(office, run, group="another")
    [(_, handled)] = deliveries.handled()
    assert handled.delivery.group == "envwright.planner"
    assert deliveries.unanswered == 1


def test_an_event_of_a_role_without_a_cause_of_its_own_is_a_stray(office: Office) -> None:
    run = office.request()
    office.advance(run, "brief.planned")
    planned = office.events("brief.planned")[0]
    fact = RoundOpened(run=run, round=2, slots=1)
    office.runtime.record(fact, role="planner", causation=planned.id)
    office.runtime.record(fact, role="operator")
    stray = office.events("round.opened")[-2]
    [(position, found)] = read(office, run).strays()
    assert position == stray.position and found.event == stray.id
    assert "the planner answers" in str(found.expected) and planned.id in str(found.actual)
