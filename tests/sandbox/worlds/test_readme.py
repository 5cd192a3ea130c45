"""Tests of the README of the worlds: every example is valid, and every primitive has one."""

import json
import re
from collections.abc import Iterator
from typing import Any, get_args

import pytest
from pydantic import TypeAdapter

from envwright.sandbox.worlds import Effect, Expr, ProcedureStep, Program
from envwright.sandbox.worlds.opening import TABLES_FILE, WORLD_FILE
from support.rooms import ROOT

README = ROOT / "sandbox/envwright/sandbox/worlds/README.md"

READERS: dict[str, TypeAdapter[Any]] = {
    "program": TypeAdapter(Program),
    "step": TypeAdapter(ProcedureStep),
    "effect": TypeAdapter(Effect),
    "expression": TypeAdapter(Expr),
    "tables": TABLES_FILE,
    "world": WORLD_FILE,
}

UNIONS = {"program": Program, "step": ProcedureStep, "effect": Effect, "expression": Expr}


def examples() -> list[tuple[str, str]]:
    return re.findall(r"```json ?(\w*)\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)


def ops(union: Any) -> Iterator[str]:
    for primitive in get_args(get_args(union)[0]):
        yield primitive.model_fields["op"].default


@pytest.mark.parametrize(("kind", "text"), examples())
def test_the_example_is_valid(kind, text):
    READERS[kind].validate_python(json.loads(text))


@pytest.mark.parametrize(
    ("kind", "op"),
    [(kind, op) for kind, union in UNIONS.items() for op in ops(union)],
)
def test_the_primitive_has_an_example(kind, op):
    assert op in [json.loads(text)["op"] for what, text in examples() if what == kind]


def test_every_module_is_named():
    text = README.read_text(encoding="utf-8")
    named = set(re.findall(r"^\| `([\w/]+\.py)` \|", text, re.MULTILINE))
    modules = {path.relative_to(README.parent) for path in README.parent.rglob("*.py")}
    plain = {"__init__.py", "refusal.py"}
    assert named == {path.as_posix() for path in modules if path.name not in plain}
