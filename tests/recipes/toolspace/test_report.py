"""The report says what was grounded, what was not, and how sure that is."""

from envwright.recipes.toolspace.profile import read_profile
from envwright.recipes.toolspace.report import report, summarise
from support.clinic import clinic_profile

PROFILE = read_profile(clinic_profile())


def test_the_summary_counts():
    found = summarise(PROFILE)
    assert found["tables"] == {"doctors": 6, "patients": 24, "visits": 72}
    assert (found["tools"], found["grounded"], found["conflicts"]) == (11, 10, 0)


def test_every_tool_has_its_fidelity():
    found = report(PROFILE)["fidelity"]
    assert found["clinic.move_visit"]["kind"] == "update"
    assert found["clinic.move_visit"]["exact"] == 1.0
    assert found["clinic.move_visit"]["program"]["op"] == "update"
    assert found["clinic.quote_fee"]["grounded"] is False
    assert found["clinic.quote_fee"]["reason"]


def test_it_does_not_claim_more_than_it_did():
    found = report(PROFILE)
    assert found["fidelity_is"].startswith("in-sample")
    assert found["decontamination"] == "not checked"
    assert found["services_are_entity_types"] == []
