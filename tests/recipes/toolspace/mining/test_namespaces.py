"""Namespaces: sources of the same tools share one, others never merge."""

import pytest

from envwright.recipes.toolspace.calls import Call, CallLog, Declaration, Manifest, Trace
from envwright.recipes.toolspace.mining.namespaces import is_unnamed, settle, split_key, tool_key


def log(*tools, service="", task="t"):
    calls = tuple(
        Call(name, dict.fromkeys(arguments, "x"), True, "ok", service) for name, arguments in tools
    )
    return CallLog((Trace(task, "", calls),))


def namespaces(*logs, manifests=()):
    found = settle(logs, manifests)
    return {split_key(call.tool)[0] for trace in found.traces for call in trace.calls}


def test_a_service_is_the_namespace():
    assert namespaces(log(("get", ["k"]), service="Shop.EU")) == {"shop-eu"}


def test_logs_that_share_half_of_the_smaller_ones_tools_are_one():
    one = log(("get", ["k"]), ("put", ["k", "v"]), ("list", []))
    two = log(("get", ["k"]), ("drop", ["k"]), task="u")
    assert len(namespaces(one, two)) == 1


def test_logs_that_share_one_name_of_many_stay_apart():
    one = log(("get_user", ["id"]), ("cancel", ["k"]), ("find", ["e"]))
    two = log(("get_user", ["id"]), ("book", ["k"]), ("search", ["e"]), task="u")
    assert len(namespaces(one, two)) == 2


def test_equal_names_with_other_arguments_do_not_match():
    assert len(namespaces(log(("get", ["a"])), log(("get", ["b"]), task="u"))) == 2


def test_a_namespace_without_a_service_does_not_depend_on_the_order_of_sources():
    one, two = log(("get", ["k"]), ("put", ["v"])), log(("get", ["k"]), task="u")
    (name,) = namespaces(one, two)
    assert {name} == namespaces(two, one)
    assert is_unnamed(name)


@pytest.mark.parametrize("service", ["", "shop"])
def test_a_manifest_belongs_to_the_namespace_that_calls_its_tools(service):
    calls = log(("get", ["k"]), ("put", ["k"]), service=service)
    schema = {"type": "object", "properties": {"k": {"type": "string"}}}
    manifest = Manifest("", (Declaration("get", "Get it.", schema), Declaration("new", "", schema)))
    (name,) = namespaces(calls)
    declared = settle([calls], [manifest]).declared
    assert declared[tool_key(name, "get")].description == "Get it."


def test_a_manifest_of_other_tools_belongs_to_none():
    other = Manifest("", (Declaration("fly", "", {"type": "object", "properties": {}}),))
    assert settle([log(("get", ["k"]))], [other]).declared == {}


def test_traces_stand_in_one_order_whatever_the_order_of_sources():
    one, two = log(("get", ["k"]), task="a"), log(("get", ["k"]), task="b")
    assert settle([one, two], []) == settle([two, one], [])


def test_tasks_of_two_services_stay_apart_even_if_they_are_called_alike():
    shop, clinic = log(("get", ["k"]), service="shop"), log(("get", ["k"]), service="clinic")
    found = settle([shop, clinic], [])
    assert sorted(trace.task for trace in found.traces) == ["clinic.t", "shop.t"]


def test_a_task_whose_trials_stand_in_two_files_of_one_service_is_one_task():
    one, two = log(("get", ["k"]), service="shop"), log(("put", ["k"]), service="shop")
    assert {trace.task for trace in settle([one, two], []).traces} == {"shop.t"}
