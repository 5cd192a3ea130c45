"""The page of a trace: one line a span, a delivery and its agent on one."""

from envwright.console.pages.trace import trace_page
from envwright.console.terminal import print_page
from support.trace_views import agent, call, span, trace_view

EVENT = {"event": "e1", "type": "gate.evaluated", "position": 7}


def drawn(capsys, *roots, every_span=False, **changes) -> list[str]:
    print_page(*trace_page(trace_view(*roots, **changes), every_span=every_span))
    return capsys.readouterr().out.splitlines()


def line(lines: list[str], text: str) -> str:
    [found] = [each for each in lines if text in each]
    return found


def test_a_delivery_and_its_agent_are_one_line_with_the_events_written(capsys) -> None:
    events = [EVENT, {**EVENT, "event": "e2", "position": 8}]
    handler = span("process package.drafted", agent("tester", events=events), answers="e0")
    [shown] = [text for text in drawn(capsys, handler) if "tester" in text]
    assert "tester: process package.drafted" in shown and "250.0 ms" in shown
    assert "gate.evaluated #7 (+1)" in shown


def test_calls_of_a_world_are_one_line_unless_all_are_asked_for(capsys) -> None:
    calls = [call("get"), call("get"), call("put", state="error", error="tool_error")]
    solver = agent("solver", *calls)
    assert "3 calls of 2 tools, 1 refused" in line(drawn(capsys, solver), "calls of")
    every = drawn(capsys, solver, every_span=True)
    assert len([text for text in every if "execute_tool" in text]) == 3
    assert "tool_error" in line(every, "execute_tool put")


def test_verdicts_tokens_and_states_stand_beside_the_name(capsys) -> None:
    gate = span(
        "execute_tool gate no_leak",
        about={"envwright.gate.id": "no_leak", "gen_ai.evaluation.score.label": "fail"},
    )
    model = span("chat m", input_tokens=12, output_tokens=3)
    lost = span("process x", state="killed", seconds=None, answers="e")
    lines = drawn(capsys, gate, model, lost, input_tokens=12, output_tokens=3)
    assert "fail" in line(lines, "no_leak") and "12+3 tokens" in line(lines, "chat m")
    assert "killed" in line(lines, "process x") and "?" in line(lines, "process x")
    assert "12 in, 3 out" in line(lines, "  tokens  ")


def test_a_try_that_took_over_names_the_one_before_it(capsys) -> None:
    again = span(
        "process x",
        answers="e",
        about={"envwright.claim.token": 2},
        links=[{"why": "earlier try", "span": "aa"}, {"why": "cause", "span": "bb"}],
    )
    shown = line(drawn(capsys, again), "process x")
    assert "claim 2, after aa" in shown and "bb" not in shown


def test_what_is_missing_is_said(capsys) -> None:
    lines = drawn(capsys, skipped_lines=2, unrecorded=1, killed=1)
    assert "2 torn lines" in line(lines, "skipped") and "1 tries" in line(lines, "killed")
    assert line(lines, "of 1 deliveries")


def test_a_name_cannot_steer_the_terminal(capsys) -> None:
    assert "\x1b" not in "".join(drawn(capsys, span("evil \x1b[2J")))
