"""Telling: true at the start and now, and of no other row, rows that were added included."""

from random import Random

from envwright.recipes.toolspace.mining.entries import Entry
from envwright.recipes.toolspace.mining.links import Link
from envwright.recipes.toolspace.walks.story import Place
from envwright.recipes.toolspace.walks.telling import Teller
from envwright.recipes.toolspace.walks.walk import Walk
from support.clinic import clinic

PATIENT = Place(table="patients", key="pat-000")
VISITS = Link(table="patients", pattern=("visits", "*"), target="visits")


def hops():
    return clinic().hops(VISITS, clinic().row("patients", "pat-000"))


def told(look, number=0):
    teller = Teller(clinic(), look, Random(1))
    return teller, teller.tell(
        0, [PATIENT], clinic().row("patients", "pat-000"), hops()[number], hops()
    )


def changed(**changes):
    """Look at rows of which some were changed: `key=…` and the fields."""

    def look(table, key):
        row = clinic().row(table, key)
        return {**row, **changes.get(f"v{key}", {})} if row else changes.get(f"v{key}")

    return look


def test_what_was_written_since_the_start_is_not_said():
    key = hops()[0].key
    done = hops()[2].key
    _, place = told(changed(**{f"v{done}": {"day": "sunday"}}), 2)
    said = {trait.path[0] for trait in place.traits}
    assert said and "day" not in said
    lost = {"day": "sunday", "status": "lost", "fee": 1.5, "doctor_id": "x"}
    assert told(changed(**{f"v{key}": lost}))[1] is None


def test_what_another_row_has_by_now_is_not_said_either():
    first, second = (hop.key for hop in hops()[:2])
    mine = clinic().row("visits", first)
    _, before = told(clinic().row)
    traits = {trait.path: trait.value for trait in before.traits}
    assert all(mine[path[0]] == value for path, value in traits.items())
    twin = {f"v{second}": {path[0]: value for path, value in traits.items()}}
    _, after = told(changed(**twin))
    assert after is None or after.traits != before.traits


def test_a_telling_holds_until_its_row_or_another_is_written():
    parent = clinic().row("patients", "pat-000")
    _, place = told(clinic().row)
    trait = place.traits[0]

    def holds(look):
        return Teller(clinic(), look, Random(1)).holds(place, parent, hops()[0], hops())

    assert holds(clinic().row)
    assert not holds(changed(**{f"v{place.key}": {trait.path[0]: "other"}}))
    assert not holds(changed(**{f"v{hops()[1].key}": {t.path[0]: t.value for t in place.traits}}))


def test_the_only_row_is_not_the_only_one_when_another_was_added():
    parent = clinic().row("patients", "pat-000")
    one = hops()[:1]
    teller = Teller(clinic(), clinic().row, Random(1))
    place = teller.tell(0, [PATIENT], parent, one[0], one)
    assert place.only and teller.holds(place, parent, one[0], one)
    assert not teller.holds(place, parent, one[0], hops())


def entered(seed):
    world = clinic().open()
    world.reset(0)
    walk = Walk(clinic(), world, Random(seed))
    walk.enter(Entry(tool="clinic.find_patient", table="patients", kind="find"))
    number = walk.reach("visits", lambda key, row: row["status"] == "booked")
    return walk, number


def test_a_place_is_told_anew_after_a_write_that_made_it_untrue():
    days = [("day",)]
    # A fee with a digit after the point can be told too, so that something is left to tell.
    walk, number = next(
        (walk, number)
        for walk, number in map(entered, range(80))
        if [trait.path for trait in walk.places[number].traits] == days
        and walk.row(number)["fee"] % 1
    )
    place = walk.places[number]
    assert walk.retold(number) == number
    walk.read(number)
    other = next(d for d in ("monday", "tuesday", "friday") if d != place.traits[0].value)
    walk.write("clinic.move_visit", {"visit_id": int(place.key), "day": other})
    again = walk.retold(number)
    assert again != number and walk.places[again].key == place.key
    assert [trait.path for trait in walk.places[again].traits] != days
    assert walk.retold(number) == again, "it is told anew once"
    made = len(walk.made)
    walk.read(again)
    assert len(walk.made) == made, "a row that was read needs no other call"
