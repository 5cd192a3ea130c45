"""The programs of a real log: every call of it, exactly, in a world made from what it shows."""

import json
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from envwright.events import equal
from envwright.events.values import ToolSchema
from envwright.sandbox.worlds import World, open_world
from support.retail_programs import RETAIL_PROGRAMS
from support.rooms import ROOT
from support.shop import WORLD, shop_files

DATA = ROOT.parent / "shared/data/tau-bench"
LOG = DATA / "retail-scripted.json"
READERS = {
    "get_order_details": ("orders", "order_id"),
    "get_user_details": ("users", "user_id"),
    "get_product_details": ("products", "product_id"),
}
WRITES = {
    "cancel_pending_order": 67,
    "exchange_delivered_order_items": 67,
    "modify_pending_order_address": 20,
    "modify_pending_order_items": 83,
    "modify_pending_order_payment": 11,
    "return_delivered_order_items": 52,
}
"""How many calls of each succeed in the log."""

Call = tuple[str, dict[str, Any], str]


@cache
def traces() -> list[list[Call]]:
    if not LOG.exists():
        pytest.skip(f"{LOG.name} is not beside this checkout")
    return [list(calls(record["traj"])) for record in read(LOG)]


def read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def calls(messages: list[Any]) -> Iterator[Call]:
    results = {m["tool_call_id"]: m["content"] for m in messages if m["role"] == "tool"}
    for message in messages:
        for call in message.get("tool_calls") or ():
            function = call["function"]
            yield function["name"], json.loads(function["arguments"]), results[call["id"]]


def logged(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


@cache
def tools() -> tuple[ToolSchema, ...]:
    functions = [tool["function"] for tool in read(DATA / "retail-tools.json")]
    return tuple(
        ToolSchema(name=function["name"], parameters=function["parameters"])
        for function in functions
        if function["name"] in RETAIL_PROGRAMS
    )


@cache
def opened() -> World:
    """Open the world of all rows as traces read them before they write them."""
    tables: dict[str, dict[str, Any]] = {"orders": {}, "users": {}, "products": {}}
    for trace in traces():
        for table, key, row in first_sights(trace):
            assert equal(tables[table].setdefault(key, row), row)
    written = {name: {"key": "id", "rows": rows} for name, rows in tables.items()}
    return open_world("tables", tools(), shop_files(written, RETAIL_PROGRAMS, WORLD))


def first_sights(trace: list[Call]) -> Iterator[tuple[str, str, Any]]:
    changed: set[str] = set()
    for name, arguments, text in trace:
        if name in READERS and not text.startswith("Error"):
            table, argument = READERS[name]
            if not changed or (table != "users" and arguments[argument] not in changed):
                yield table, arguments[argument], logged(text)
        if name in WRITES:
            changed.add(arguments["order_id"])


def exact(world: World, call: Call) -> bool:
    name, arguments, text = call
    outcome, failed = world.call(name, arguments), text.startswith("Error")
    return outcome.ok != failed and equal(outcome.value, text if failed else logged(text))


def test_every_call_of_the_log_comes_out_exactly():
    misses: Counter[str] = Counter()
    successes: Counter[str] = Counter()
    world = opened()
    for trace in traces():
        world.reset(0)
        for call in trace:
            found = exact(world, call)
            misses[call[0]] += not found
            successes[call[0]] += found and not call[2].startswith("Error")
    assert +misses == Counter()
    assert {name: successes[name] for name in WRITES} == WRITES


def test_rewinding_and_repeating_a_trace_gives_the_same_state():
    world = opened()
    world.reset(0)
    for trace in traces()[:20]:
        before, first = world.digest(), world.snapshot()
        digests = []
        for _ in range(2):
            for name, arguments, _ in trace:
                world.call(name, arguments)
            digests.append(world.digest())
            world.restore(first)
        assert digests[0] == digests[1]
        assert world.digest() == before
