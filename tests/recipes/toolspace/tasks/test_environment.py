"""The environment: all rows where they are few, else those around the task and some others."""

from envwright.recipes.toolspace.tasks.environment import choose_rows, namespaces_of, services_of
from envwright.recipes.toolspace.walks.drawing import Plan, stories
from support.clinic import clinic


def story(seed="s"):
    return next(stories(clinic(), Plan(tool="clinic.move_visit"), seed))


def count(rows):
    return sum(len(table) for table in rows.values())


def test_few_rows_are_all_kept():
    rows = choose_rows(clinic(), story(), "s", 10**6)
    assert rows == {name: table.rows for name, table in clinic().profile.tables.items()}


def test_a_small_environment_holds_the_task_and_what_it_leads_to():
    told = story()
    rows = choose_rows(clinic(), told, "s", 2000)
    for place in told.places:
        assert place.key in rows[place.table]
        if place.table == "patients":
            visits = clinic().row("patients", place.key)["visits"]
            assert {str(visit) for visit in visits} <= rows["visits"].keys()
    assert count(rows) < count(choose_rows(clinic(), told, "s", 10**6))


def test_others_join_as_far_as_the_size_allows():
    told = story()
    sizes = [count(choose_rows(clinic(), told, "s", size)) for size in (0, 3000, 6000, 12000)]
    assert sizes == sorted(sizes)
    assert sizes[0] < sizes[-1]


def test_the_seed_decides_who_joins():
    told = story()
    assert choose_rows(clinic(), told, "a", 6000) == choose_rows(clinic(), told, "a", 6000)
    assert choose_rows(clinic(), told, "a", 6000) != choose_rows(clinic(), told, "b", 6000)


def test_the_services_of_a_story():
    assert namespaces_of(clinic(), story()) == ["clinic"]
    assert services_of(clinic(), story()) == ["clinic"]
