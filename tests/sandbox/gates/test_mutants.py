"""Gate `mutants_fail`."""

from envwright.sandbox.gates import gate_spec, run_gate
from support.packages import TEXT, arg, desk_bundle, frame, tool


def outcome(change=None):
    return run_gate(gate_spec("mutants_fail"), desk_bundle(change))


def mutants(evidence):
    return {(mutant["index"], *mutant["path"]): mutant for mutant in evidence["mutants"]}


def test_every_argument_of_every_write_is_mutated_and_every_mutant_is_killed():
    passed = outcome()
    assert passed.result.verdict == "pass"
    assert set(mutants(passed.evidence)) == {
        (1, "outcome"),
        (1, "ticket_id"),
        (2, "customer_id"),
        (2, "subject"),
        (2, "ticket_id"),
    }
    assert {mutant["outcome"] for mutant in passed.evidence["mutants"]} == {"killed"}


def test_mutants_are_valid_calls_that_do_something_else_where_there_are_any():
    evidence = outcome().evidence
    assert all(mutant["accepted"] for mutant in evidence["mutants"])
    # T-1003 stands next to T-1002 and is closed already: the world would refuse it.
    chosen = mutants(evidence)[1, "ticket_id"]
    assert chosen["value"] == "T-1004"
    assert chosen["failed"] == ["closed", "outcome", "tickets"]


def test_a_verifier_that_overlooks_an_argument_lets_a_mutant_survive():
    def change(documents):
        del documents["tests/assertions.json"]["state"][1]

    failed = outcome(change)
    assert (failed.result.verdict, failed.result.reason) == ("fail", "SURVIVING_MUTANT")
    assert failed.result.blames == "verifier"
    assert failed.result.detail == "call 1 close_ticket with outcome = 'replaced'"
    assert mutants(failed.evidence)[1, "outcome"]["outcome"] == "survived"


def test_a_verifier_without_frames_lets_a_write_to_another_row_survive():
    def change(documents):
        documents["tests/assertions.json"].update(frames=[], state=[])
        state = {"id": "filed", "path": ["tables", "tickets"], "op": "count_delta", "expected": 1}
        documents["tests/assertions.json"]["state"] = [state]

    survived = {
        place
        for place, mutant in mutants(outcome(change).evidence).items()
        if mutant["outcome"] == "survived"
    }
    assert (1, "ticket_id") in survived
    assert (2, "ticket_id") in survived


def test_a_refused_mutant_is_taken_where_no_valid_one_is_left():
    def change(documents):
        tickets = documents["environment/tables.json"]["tickets"]["rows"]
        for ticket in ("T-1001", "T-1004"):
            tickets[ticket]["status"] = "closed"

    mutant = mutants(outcome(change).evidence)[1, "ticket_id"]
    assert not mutant["accepted"]
    assert mutant["outcome"] == "killed"


def test_an_argument_that_the_world_ignores_is_idle_and_fails_since_any_value_passes():
    def change(documents):
        documents["package.json"]["tools"][2] = tool(
            "close_ticket",
            ticket_id=TEXT,
            outcome={"enum": ["repaired", "replaced", "refused"]},
            mood={"enum": ["fine", "happy"]},
        )
        documents["solution/calls.json"]["calls"][1]["arguments"]["mood"] = "fine"

    failed = outcome(change)
    assert (failed.result.verdict, failed.result.reason) == ("fail", "IDLE_ARGUMENT")
    assert failed.result.blames == "solution"
    assert failed.result.detail == "call 1 close_ticket with mood = 'happy'"


def test_a_write_of_what_is_there_already_pins_nothing():
    def change(documents):
        mark = {
            "op": "update",
            "table": "customers",
            "key": arg("customer_id"),
            "missing": "Error: no such customer",
            "guards": [],
            "set": [{"path": ["tier"], "value": {"op": "const", "value": "gold"}}],
            "append": [],
            "returns": {"op": "row"},
        }
        documents["environment/programs.json"]["promote"] = mark
        documents["package.json"]["tools"].append(tool("promote", customer_id=TEXT))
        call = {"name": "promote", "arguments": {"customer_id": "c-moser-17"}}
        documents["solution/calls.json"]["calls"].append(call)
        customers = documents["environment/tables.json"]["customers"]["rows"]
        del customers["c-novak-04"], customers["c-novak-09"]
        whole = frame("customers", "customers", customers)
        documents["tests/assertions.json"]["frames"][0] = whole

    failed = outcome(change)
    assert (failed.result.verdict, failed.result.reason) == ("fail", "UNPINNED_WRITE")
    assert failed.result.blames == "solution"
    assert failed.result.detail.startswith("call 3 promote with customer_id = ")


def test_a_write_without_arguments_is_left_out_instead():
    def change(documents):
        sweep = {
            "op": "create",
            "table": "tickets",
            "key": {"op": "const", "value": "T-2001"},
            "exists": "Error: the ticket exists",
            "row": {"op": "const", "value": {"status": "swept"}},
            "returns": {"op": "row"},
        }
        documents["environment/programs.json"]["sweep"] = sweep
        documents["package.json"]["tools"].append(tool("sweep"))
        documents["solution/calls.json"]["calls"][2] = {"name": "sweep", "arguments": {}}
        documents["tests/assertions.json"]["state"][2]["expected"] = {"status": "swept"}

    passed = outcome(change)
    assert passed.result.verdict == "pass"
    left_out = mutants(passed.evidence)[2,]
    assert left_out["path"] == []
    assert left_out["failed"] == ["filed"]


def test_a_task_without_writes_has_no_mutants():
    def change(documents):
        del documents["solution/calls.json"]["calls"][1:]

    assert outcome(change).evidence["mutants"] == []
