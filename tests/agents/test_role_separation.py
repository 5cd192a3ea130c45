"""Every event of a run was written by the one role that may write it."""

from envwright.events import ROLES, WRITERS
from envwright.events.catalog import PackageAdmitted
from support.office import Office


def test_every_event_was_written_by_the_role_that_the_choreography_names(varied: Office) -> None:
    events = varied.events()
    seen = {event.type for event in events}
    assert {"package.revised", "package.abandoned", "repair.requested", "turn.taken"} <= seen
    for event in events:
        machinery = "operator" if event.type == "run.requested" else "system"
        assert event.actor.role == WRITERS.get(event.type, machinery), event.type


def test_every_role_had_a_part_in_it(varied: Office) -> None:
    assert set(ROLES) <= {event.actor.role for event in varied.events()}


def test_every_event_answers_an_event_that_rings_the_doorbell_of_its_writer(
    varied: Office,
) -> None:
    by_id = {event.id: event for event in varied.events()}
    for event in by_id.values():
        if event.type in WRITERS:
            assert event.causation_id is not None
            cause = by_id[event.causation_id]
            assert cause.type in ROLES[event.actor.role]
            assert cause.position < event.position


def test_what_was_admitted_passed_its_whole_gate_set(varied: Office) -> None:
    drafts = {e.data["revision"]: e.data for e in varied.events("package.drafted")}
    drafts |= {e.data["revision"]: e.data for e in varied.events("package.revised")}
    gates = [event.data for event in varied.events("gate.evaluated")]
    admitted = varied.facts(PackageAdmitted)
    assert admitted
    for fact in admitted:
        verdicts = {
            gate["result"]["gate"]: gate["result"]["verdict"]
            for gate in gates
            if gate["revision"] == fact.revision
        }
        expected = {spec["gate"] for spec in drafts[fact.revision]["gate_set"]}
        assert verdicts == dict.fromkeys(expected, "pass")
