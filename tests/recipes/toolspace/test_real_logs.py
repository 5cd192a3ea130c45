"""Real logs: what is grounded in them, and that the packages made of them hold."""

import json
from functools import lru_cache
from pathlib import Path

import pytest

from envwright.events import encode
from envwright.events.values import RunSettings
from envwright.recipes import NoTaskError, SlotRequest, get_recipe
from envwright.recipes.toolspace.profile import read_profile
from envwright.sandbox.gates import run_gate
from support.rooms import ROOT

TAU = ROOT.parent / "shared" / "data" / "tau-bench"
DEMO = ROOT / "deploy" / "demo"
RECORDED = ROOT / "tests" / "data" / "tool_logs"
SLOTS = 4

LOGS = {
    "retail": [TAU / "retail-scripted.json", TAU / "retail-tools.json"],
    "airline": [TAU / "airline-gpt-4o.json", TAU / "airline-tools.json"],
    "helpdesk": [DEMO / "helpdesk.jsonl", DEMO / "helpdesk-tools.json"],
    "library": [DEMO / "library.jsonl", DEMO / "library-tools.json"],
}

RECIPE = get_recipe("toolspace")


@lru_cache(maxsize=4)
def profile(name):
    missing = [path.name for path in LOGS[name] if not path.is_file()]
    if missing:
        pytest.skip(f"{', '.join(missing)} not there: a log outside the repository")
    return RECIPE.profile([RECIPE.ingest(path.name, path.read_bytes()) for path in LOGS[name]])


def grounded_writes(name):
    tools = read_profile(profile(name)).tools
    return {
        key.split(".")[1]
        for key, tool in tools.items()
        if tool.grounded and tool.program.op in ("update", "create", "procedure")
    }


def package(name, ordinal):
    settings = RunSettings(recipe="toolspace", count=5, seed=7)
    slot = SlotRequest(package=f"pkg-{ordinal}", round=1, ordinal=ordinal)
    return RECIPE.build(profile(name), RECIPE.brief(profile(name), settings, slot, ()))


@pytest.mark.slow
def test_the_writes_of_the_retail_log_are_grounded_by_held_out_calls():
    assert grounded_writes("retail") == {
        "cancel_pending_order",
        "exchange_delivered_order_items",
        "modify_pending_order_address",
        "modify_pending_order_items",
        "return_delivered_order_items",
    }


@pytest.mark.slow
def test_what_held_out_calls_do_not_prove_is_not_grounded_and_the_reason_is_kept():
    tools = read_profile(profile("retail")).tools
    reasons = {key.split(".")[1]: tool.reason for key, tool in tools.items() if not tool.grounded}
    assert reasons == {"modify_pending_order_payment": "14 of 16 held-out calls are exact"}


@pytest.mark.slow
def test_the_airline_log_grounds_cancellations_and_says_why_not_the_rest():
    assert grounded_writes("airline") == {"cancel_reservation"}
    tools = {
        key.split(".")[1]: t.status for key, t in read_profile(profile("airline")).tools.items()
    }
    # Nobody read the fares that changed flights cost.
    assert tools["update_reservation_flights"] == "not_grounded"
    assert tools["update_reservation_passengers"] == "insufficient_evidence"
    assert tools["get_reservation_details"] == tools["get_user_details"] == "grounded"


@pytest.mark.slow
def test_the_two_logs_together_keep_their_tools_and_tables_apart():
    paths = [path for name in ("retail", "airline") for path in LOGS[name]]
    profile("retail")
    both = read_profile(RECIPE.profile([RECIPE.ingest(p.name, p.read_bytes()) for p in paths]))
    users = [key for key in both.tools if key.endswith(".get_user_details")]
    assert len(users) == 2
    assert len({table.namespace for table in both.tables.values()}) == 2


@pytest.mark.parametrize("name", ["helpdesk", "library"])
def test_every_write_of_the_demo_is_grounded(name):
    declared = {tool["function"]["name"] for tool in json.loads(LOGS[name][1].read_bytes())}
    reads = {tool for tool in declared if tool.startswith(("get_", "find_", "list_"))}
    assert grounded_writes(name) == declared - reads


def recorded_tools(name):
    paths = sorted(RECORDED.glob(f"{name}*.json*"))
    found = RECIPE.profile([RECIPE.ingest(path.name, path.read_bytes()) for path in paths])
    return {key.split(".")[1]: tool for key, tool in read_profile(found).tools.items()}


@pytest.mark.slow
def test_rows_in_envelopes_and_errors_told_as_data_are_read_from_a_server_that_answers_so():
    tools = recorded_tools("todo")
    assert tools["show_task"].status == "grounded"
    for name, least in (("reprioritise_task", 155), ("schedule_task", 217)):
        tool = tools[name]
        # What is missed are tasks that nobody had looked at, and two dates that no calendar has.
        assert tool.exact >= least
        assert tool.successes_compared - tool.exact_successes == tool.unpredictable
    # The clock tells when a task was done; nothing that a call sees does.
    assert tools["complete_task"].status == "not_grounded"
    assert tools["complete_task"].exact_successes == 0


@pytest.mark.slow
def test_three_logs_in_any_order_give_one_profile_and_each_what_it_gives_alone():
    logs = [*LOGS["helpdesk"], *LOGS["library"], *sorted(RECORDED.glob("todo*.json*"))]
    sources = [RECIPE.ingest(path.name, path.read_bytes()) for path in logs]
    together = RECIPE.profile(sources)
    turned = [*sources[3:], *reversed(sources[:3])]
    assert encode(RECIPE.profile(turned)) == encode(together)
    tools = read_profile(together).tools
    alone = read_profile(profile("helpdesk")).tools | read_profile(profile("library")).tools
    assert {key: tools[key] for key in alone} == alone


def drafts(name):
    """Yield what the first slots give; a slot that starts where no walk is long enough has none."""
    for ordinal in range(1, SLOTS + 1):
        try:
            yield package(name, ordinal)
        except NoTaskError as error:
            assert error.reason == "NO_WALK"


@pytest.mark.slow
@pytest.mark.parametrize("name", LOGS)
def test_packages_pass_every_gate_and_the_review(name):
    made = list(drafts(name))
    assert len(made) >= SLOTS - 1
    for draft in made:
        for spec in draft.gate_set:
            if spec.gate != "deterministic":
                result = run_gate(spec, draft.bundle).result
                assert (result.verdict, result.detail) == ("pass", "")
        assert RECIPE.review(draft.bundle) == ()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["airline", "helpdesk"])
def test_the_order_of_sources_changes_nothing(name):
    paths: list[Path] = LOGS[name]
    expected = encode(profile(name))
    turned = [RECIPE.ingest(path.name, path.read_bytes()) for path in reversed(paths)]
    assert encode(RECIPE.profile(turned)) == expected
