"""Joined entities: counted by values that flow, not by types that a task happens to name."""

from envwright.events.values import ToolCall
from envwright.recipes.toolspace.mining.entries import Entry
from envwright.recipes.toolspace.tasks.joined import joined_entities
from envwright.recipes.toolspace.walks.story import Bound, Member, Place, Request, Story
from support.clinic import clinic

ENTRY = Entry(tool="clinic.get_visit", table="visits", kind="lookup")
VISIT = Place(table="visits", key="1000")
DOCTOR = Place(table="doctors", key="doc-1", parent=0, path=("doctor_id",))
LOOK = ToolCall(name="get_visit", arguments={"visit_id": 1000})
ASK = ToolCall(name="get_doctor", arguments={"doctor_id": "doc-1"})


def story(*calls, asks=(), places=(VISIT, DOCTOR)):
    return Story(entry=ENTRY, given={"visit_id": 1000}, places=places, calls=calls, asks=asks)


def test_a_key_that_a_row_of_another_type_gave_joins_the_two():
    assert joined_entities(clinic(), story(LOOK, ASK)) == ["doctors", "visits"]


def test_a_row_that_is_only_come_by_joins_nothing():
    assert joined_entities(clinic(), story(LOOK)) == []


def test_rows_of_one_type_are_not_joined():
    other = Place(table="visits", key="1001", parent=0, path=("next",))
    look = ToolCall(name="get_visit", arguments={"visit_id": 1001})
    assert joined_entities(clinic(), story(LOOK, look, places=(VISIT, other))) == []


def test_a_field_of_a_row_that_a_write_to_another_type_takes_joins_the_two():
    member = Member(value="Cork", path=("day",))
    bound = Bound(argument="city", kind="member", value="Cork", place=0, members=(member,))
    ask = Request(tool="clinic.change_city", place=None, bound=(bound,))
    assert joined_entities(clinic(), story(LOOK, asks=(ask,))) == ["patients", "visits"]
