"""Figures that are drawn from a run's report."""

from envwright.console.views.figures import (
    calls_histogram,
    packages_by_service,
    packages_that_join,
    packages_with_faults,
    program_lines,
    services_histogram,
)
from support.run_views import package

PACKAGES = [package("a", 9, ["x"]), package("b", 6, ["x", "y"]), package("c", 6, ["y", "x"])]


def test_packages_are_counted_by_length_and_services():
    assert list(calls_histogram(PACKAGES).items()) == [(6, 2), (9, 1)]
    assert services_histogram(PACKAGES) == {1: 1, 2: 2}
    assert packages_by_service(PACKAGES) == {"x": 3, "y": 2}


def test_packages_of_a_recipe_that_tells_neither_are_not_counted():
    assert calls_histogram([{"id": "a"}]) == services_histogram([{"id": "a"}]) == {}


def test_packages_that_join_entity_types_are_counted_among_those_that_tell():
    rows = [{"entities": ["a", "b"]}, {"entities": []}, {"id": "of another recipe"}]
    assert packages_that_join(rows) == (1, 2)


def test_packages_with_faults_are_counted():
    assert packages_with_faults([{"faults": ["pay"]}, {"faults": []}, {}]) == 1


def test_a_program_has_a_line_for_each_part_but_not_inside_brackets_or_texts():
    text = 'T[$id] if a in ["x; y"]: b := {c: (d; e)}; f := "\\"; "; gives row'
    assert program_lines(text) == [
        'T[$id] if a in ["x; y"]:',
        "  b := {c: (d; e)}",
        '  f := "\\"; "',
        "  gives row",
    ]
    assert program_lines("new T[$id] := {a: 1}; gives row")[0] == "new T[$id] := {a: 1}"
