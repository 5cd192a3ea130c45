"""Tests of descriptions: every part of the language has words, and they say what it does."""

import json
import re
from typing import Any, get_args

import pytest
from pydantic import TypeAdapter

from envwright.sandbox.worlds import PRIMITIVES, Effect, ProcedureStep, Program, describe
from envwright.sandbox.worlds.descriptions import _WORDS
from support.retail_programs import RETAIL_PROGRAMS
from support.rooms import ROOT
from support.shop import PROGRAMS
from support.situations import EXPR

README = ROOT / "sandbox/envwright/sandbox/worlds/README.md"
READERS: dict[str, TypeAdapter[Any]] = {
    "program": TypeAdapter(Program),
    "step": TypeAdapter(ProcedureStep),
    "effect": TypeAdapter(Effect),
    "expression": EXPR,
}
PROGRAM = READERS["program"]


def examples() -> list[tuple[str, str]]:
    text = README.read_text(encoding="utf-8")
    blocks = re.findall(r"```json (\w+)\n(.*?)```", text, re.DOTALL)
    return [(kind, block) for kind, block in blocks if kind in READERS]


def test_every_class_has_words():
    unions = (Program, ProcedureStep, Effect)
    classes = {part for union in unions for part in get_args(get_args(union)[0])}
    assert set(PRIMITIVES) | classes <= _WORDS.keys()


@pytest.mark.parametrize(("kind", "text"), examples())
def test_every_example_is_one_line_of_words(kind, text):
    words = describe(READERS[kind].validate_python(json.loads(text)))
    assert words and "\n" not in words and "{'" not in words


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("get_order", "orders[$order_id]; gives row"),
        (
            "find_user",
            "first of users where name.first = $first_name and address.zip = $zip; gives key",
        ),
        (
            "cancel_order",
            'orders[$order_id] if status in ["pending"]: status := "cancelled"; '
            "cancel_note := $note; payments ++ [{refund: payments[0].amount, "
            "method: payments[0].method}]; gives row",
        ),
        ("list_policies", 'always {"returns": {"days": 30}}'),
    ],
)
def test_a_program_of_one_table_reads_well(name, words):
    assert describe(PROGRAM.validate_python(PROGRAMS[name])) == words


def test_a_procedure_reads_well():
    words = describe(PROGRAM.validate_python(RETAIL_PROGRAMS["cancel_pending_order"]))
    assert words.split("; ") == [
        'require exists(orders[$order_id]) else "Error: order not found"',
        "order = orders[$order_id]",
        'require order.status == "pending" else "Error: non-pending order cannot be cancelled"',
        'orders[$order_id].payment_history ++ [{transaction_type: "refund", amount: each.amount, '
        "payment_method_id: each.payment_method_id} for each of order.payment_history]",
        'orders[$order_id].status := "cancelled"',
        "orders[$order_id].cancel_reason := $reason",
        'for each of order.payment_history: (if "gift_card" in each.payment_method_id: '
        "(users[order.user_id].payment_methods[each.payment_method_id].balance += "
        "each.amount (round2)))",
        "gives new orders[$order_id]",
    ]


@pytest.mark.parametrize(
    ("expr", "words"),
    [
        ({"op": "element", "path": [0, "a"]}, "each[0].a"),
        ({"op": "clock", "form": "date"}, "today"),
        ({"op": "clock"}, "now"),
        ({"op": "keys", "table": "t"}, "[keys of t]"),
        ({"op": "const", "value": "x" * 200}, f'"{"x" * 78}…'),
    ],
)
def test_an_expression_reads_well(expr, words):
    assert describe(EXPR.validate_python(expr)) == words


def test_what_is_left_out_is_not_mentioned():
    unless: Any = {
        "op": "when",
        "holds": {"op": "const", "value": True},
        "then": [{"op": "delete", "table": "t", "key": {"op": "const", "value": "a"}}],
    }
    part = READERS["effect"].validate_python(unless)
    assert describe(part) == 'if true: (delete t["a"])'
    both = READERS["effect"].validate_python({**unless, "otherwise": unless["then"]})
    assert describe(both) == 'if true: (delete t["a"]) else (delete t["a"])'
