"""The report says what was grounded, what was not, and how sure that is."""

from envwright.recipes.toolspace.profile import read_profile
from envwright.recipes.toolspace.report import report, summarise
from support.clinic import clinic_profile
from support.searching_clinic import searching_profile

PROFILE = read_profile(clinic_profile())


def test_the_summary_counts():
    found = summarise(PROFILE)
    assert found["tables"] == {"doctors": 6, "patients": 24, "visits": 72}
    assert (found["tools"], found["grounded"], found["conflicts"]) == (11, 10, 0)


def test_every_tool_has_its_fidelity_in_shares():
    found = report(PROFILE)["fidelity"]
    assert found["clinic.move_visit"]["program"].startswith("visits[$visit_id]")
    for row in found.values():
        shares = [row[n] for n in ("exact", "exact_success", "exact_error", "unpredictable")]
        assert all(share is None or 0.0 <= share <= 1.0 for share in shares)
        assert row["calls"] > 0 and row["kind"]
    assert found["clinic.move_visit"]["exact"] == 1.0


def test_where_no_error_was_logged_there_is_no_share_of_errors():
    tool = PROFILE.tools["clinic.move_visit"]
    always = tool.model_copy(
        update={
            "compared": 4,
            "exact": 4,
            "successes_compared": 4,
            "exact_successes": 4,
        }
    )
    found = report(PROFILE.model_copy(update={"tools": {"clinic.move_visit": always}}))
    row = found["fidelity"]["clinic.move_visit"]
    assert (row["exact_success"], row["exact_error"]) == (1.0, None)


def test_a_tool_that_is_not_grounded_says_why_and_shows_no_program():
    found = report(PROFILE)["fidelity"]["clinic.quote_fee"]
    assert found["grounded"] is False and found["program"] is None and found["reason"]


def test_services_are_named_and_entity_types_are_said_to_be_none():
    found = report(PROFILE)
    assert found["services"] == ["clinic"] and found["services_note"] == ""
    tables = {
        name: table.model_copy(update={"namespace": "tools-12345678"})
        for name, table in PROFILE.tables.items()
    }
    unnamed = report(PROFILE.model_copy(update={"tables": tables, "tools": {}}))
    assert unnamed["services"] == ["doctors", "patients", "visits"]
    assert "entity types" in unnamed["services_note"]


def test_files_are_counted_against_those_of_every_tool():
    files = report(PROFILE)["files"]
    assert 0 < files["created"] <= files["needed"]
    assert files["reduction"] == round(1 - files["created"] / files["needed"], 4)


def test_the_graph_has_every_tool_and_its_edges_end_in_tools():
    found = report(PROFILE)["graph"]
    tools = {node["tool"] for node in found["nodes"]}
    assert tools == set(PROFILE.tools) and found["tools"] == len(tools)
    assert all({link["source"], link["target"]} <= tools for link in found["links"])
    assert sum(found["edges"].values()) == len(found["links"])
    groups = {node["name"]: node["group"] for node in found["nodes"]}
    assert groups["move_visit"] == "visits"


def test_what_the_log_does_not_give_is_said_plainly():
    found = report(PROFILE)["cannot"]
    assert found == ["no task uses quote_fee: what they do is not proven"]
    empty = PROFILE.model_copy(update={"tools": {}, "tables": {}, "entries": ()})
    assert report(empty)["cannot"] == [
        "no task can begin: nothing shows what users know",
        "no task changes anything: no write is grounded",
    ]


def test_recorded_tools_are_said_to_answer_only_what_was_recorded():
    found = report(read_profile(searching_profile()))["cannot"]
    assert "search_hours answer only what was recorded" in found


def test_the_threshold_and_the_retried_tools_are_told():
    found = report(PROFILE)
    assert found["fidelity_threshold"] == 0.95
    assert found["retried"] == ["clinic.find_patient"]


def test_what_was_not_checked_is_said():
    assert report(PROFILE)["decontamination"] == "not checked"
