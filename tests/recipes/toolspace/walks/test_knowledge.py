"""Knowledge: what a walk can ask of a profile."""

from envwright.recipes.toolspace.walks.knowledge import knowledge_of
from envwright.sandbox.worlds import open_world
from support.clinic import clinic, clinic_profile


def test_one_profile_gives_one_knowledge():
    assert knowledge_of(clinic_profile()) is clinic()


def test_the_writes_are_the_grounded_tools_that_write():
    assert clinic().writes == [
        f"clinic.{tool}"
        for tool in ("add_note", "book_visit", "cancel_visit", "change_city", "move_visit")
    ]


def test_tools_have_their_bare_names():
    names = clinic().names
    assert names["clinic.get_visit"] == "get_visit"
    assert "clinic.quote_fee" not in names


def test_links_give_hops_with_their_places():
    patient = clinic().row("patients", "pat-001")
    (link,) = clinic().links_from("patients")
    hops = clinic().hops(link, patient)
    assert [(hop.path, hop.key) for hop in hops] == [
        (("visits", n), str(visit)) for n, visit in enumerate(patient["visits"])
    ]


def test_tables_reach_others_over_links():
    assert clinic().reach["patients"] == {"patients", "visits", "doctors"}
    assert clinic().reach["doctors"] == {"doctors"}


def test_keys_are_given_as_the_tool_takes_them():
    assert clinic().key_value("visits", "1003") == 1003
    assert clinic().key_value("patients", "pat-001") == "pat-001"


def test_the_world_of_all_rows_answers():
    world = clinic().open()
    assert world.call("get_visit", {"visit_id": 1003}).value["visit_id"] == 1003
    assert world.call("get_visit", {"visit_id": 1}).value == "Error: visit not found"


def test_the_files_of_some_rows_open_as_a_world():
    known = clinic()
    rows = {"visits": {"1003": known.row("visits", "1003")}}
    files = known.files(["clinic"], rows)
    world = open_world("tables", known.schemas(["clinic"]), files)
    assert world.call("get_visit", {"visit_id": 1003}).ok
    assert not world.call("get_visit", {"visit_id": 1004}).ok
