"""Gate `no_leak`."""

import pytest

from envwright.sandbox.gates import gate_spec, run_gate
from envwright.sandbox.packages import Bundle
from support.packages import FACTS, INSTRUCTION, desk_bundle, desk_files


def outcome(change=None, **files):
    return run_gate(gate_spec("no_leak"), Bundle.sealed({**desk_files(change), **files}))


def told(text):
    return lambda documents: documents.update({"instruction.md": f"{INSTRUCTION}\n{text}\n"})


def fact(value, visibility="hidden", **more):
    return {
        "id": "f",
        "value": value,
        "visibility": visibility,
        "location": "environment/",
        **more,
    }


def facts(*added, instruction=INSTRUCTION, rules=()):
    def change(documents):
        documents["blueprint.json"].update(facts=[*FACTS, *added])
        documents["blueprint.json"]["boundary"] += rules
        documents["instruction.md"] = instruction

    return change


def verdict(outcome):
    result = outcome.result
    return (result.verdict, result.reason, result.blames)


def test_a_sound_package_leaks_nothing():
    passed = outcome()
    assert passed.result.verdict == "pass"
    assert sorted(passed.evidence["places"]) == ["instruction.md", "tools"]


def test_hidden_text_in_the_instruction_is_a_boundary_leak():
    failed = outcome(told("My customer number is c-moser-17."))
    assert verdict(failed) == ("fail", "BOUNDARY_LEAK", "instruction")
    assert failed.result.detail == "value 'c-moser-17' of fact 'customer' in instruction.md"


@pytest.mark.parametrize("text", ["C-MOSER-17", "(c-moser-17)", "c-moser-17."])
def test_case_and_punctuation_hide_nothing(text):
    assert outcome(told(text)).result.reason == "BOUNDARY_LEAK"


def test_a_longer_value_that_contains_the_fact_is_another_value():
    assert outcome(told("Not c-moser-170 and not xc-moser-17.")).result.verdict == "pass"


def test_a_hidden_fact_in_a_tool_schema_blames_the_environment():
    def change(documents):
        documents["package.json"]["tools"][0]["description"] = "For instance c-moser-17."

    assert verdict(outcome(change)) == ("fail", "BOUNDARY_LEAK", "environment")


def test_a_hidden_fact_in_a_boundary_file_blames_the_environment():
    def change(documents):
        documents["package.json"]["boundary"] = ["files/list.csv"]

    failed = outcome(change, **{"files/list.csv": b"id\nc-moser-17\n"})
    assert verdict(failed) == ("fail", "BOUNDARY_LEAK", "environment")


def test_a_workspace_fact_may_stand_in_a_boundary_file_and_not_in_the_instruction():
    def change(documents):
        documents["package.json"]["boundary"] = ["files/list.csv"]
        documents["blueprint.json"]["facts"][0]["visibility"] = "workspace"

    listed = {"files/list.csv": b"id\nc-moser-17\n"}
    assert outcome(change, **listed).result.verdict == "pass"

    def said(documents):
        change(documents)
        documents["instruction.md"] += "c-moser-17"

    assert outcome(said, **listed).result.reason == "BOUNDARY_LEAK"


def test_a_boundary_rule_replaces_what_the_visibility_allows():
    rules = [{"fact_id": "f", "may_appear_in": ["instruction.md"]}]
    text = f"{INSTRUCTION} It is in Villach."
    allowed = facts(fact("Villach"), instruction=text, rules=rules)
    assert outcome(allowed).result.verdict == "pass"
    rules[0]["may_appear_in"] = ["files/list.csv"]
    refused = facts(fact("Villach", "prompt"), instruction=text, rules=rules)
    assert outcome(refused).result.reason == "BOUNDARY_LEAK"


def test_a_hidden_value_that_the_prompt_may_say_is_no_leak():
    added = [fact("Moser"), fact("Ada Moser", "prompt", id="g")]
    assert outcome(facts(*added)).result.verdict == "pass"


def test_values_inside_objects_and_numbers_are_looked_for():
    text = f"{INSTRUCTION} It costs 1054.5."
    assert outcome(facts(fact({"price": [1054.5]}), instruction=text)).result.reason == (
        "BOUNDARY_LEAK"
    )


@pytest.mark.parametrize("value", [True, None, 42, "yes", [], {"a": 1}])
def test_values_that_identify_nothing_are_named_as_not_looked_for(value):
    text = f"{INSTRUCTION} yes 42 true"
    passed = outcome(facts(fact(value), instruction=text))
    assert passed.result.verdict == "pass"
    assert passed.evidence["not_looked_for"] == ["f"]


def test_a_canary_in_a_boundary_file_is_found():
    def change(documents):
        documents["package.json"]["boundary"] = ["files/a.md"]

    failed = outcome(change, **{"files/a.md": b"ENVWRIGHT-CANARY-0123456789abcdef01234567"})
    assert failed.result.reason == "CANARY_LEAK"


def test_a_package_without_canaries_fails():
    failed = run_gate(gate_spec("no_leak"), Bundle(desk_files()))
    assert failed.result.reason == "CANARY_MISSING"


def test_a_hidden_document_with_a_canary_of_its_own_fails():
    files = dict(desk_bundle().files)
    files["solution/calls.json"] = files["solution/calls.json"].replace(b"CANARY-", b"CANARY-0", 1)
    assert run_gate(gate_spec("no_leak"), Bundle(files)).result.reason == "CANARY_MISSING"


@pytest.mark.parametrize("text", ["Use close_ticket.", "call `close_ticket`", "close_ticket(x)"])
def test_a_tool_name_in_the_instruction_is_found(text):
    assert verdict(outcome(told(text))) == ("fail", "TOOL_NAME_LEAK", "instruction")


@pytest.mark.parametrize("text", ["Please close ticket T-1002.", "reclose_tickets", "Find it."])
def test_plain_words_are_no_tool_names(text):
    assert outcome(told(text)).result.verdict == "pass"


@pytest.mark.parametrize(
    ("text", "reason"),
    [("Search for it.", ""), ("Use `search`.", "TOOL_NAME_LEAK"), ("search(x)", "TOOL_NAME_LEAK")],
)
def test_a_tool_named_by_a_plain_word_counts_where_it_is_written_as_code(text, reason):
    def change(documents):
        told(text)(documents)
        documents["package.json"]["tools"].append({"name": "search"})

    assert outcome(change).result.reason == reason


def test_the_expected_answer_in_the_instruction_is_found():
    def change(documents):
        told("Say that it is serviceable.")(documents)
        said = {"id": "said", "op": "contains", "expected": "serviceable"}
        documents["tests/assertions.json"]["answer"] = [said]

    assert verdict(outcome(change)) == ("fail", "SOLUTION_LEAK", "instruction")


def test_an_answer_that_nobody_asks_for_is_no_secret():
    def change(documents):
        documents["solution/calls.json"]["answer"] = "printer"

    assert outcome(change).result.verdict == "pass"


def test_the_arguments_of_a_reference_call_in_a_boundary_file_are_found():
    def change(documents):
        documents["package.json"]["boundary"] = ["files/a.json"]

    arguments = b'{"call": {"last": "Moser",\n "first": "Ada",\n "city": "Graz"}}'
    failed = outcome(change, **{"files/a.json": arguments})
    assert failed.result.reason == "SOLUTION_LEAK"
