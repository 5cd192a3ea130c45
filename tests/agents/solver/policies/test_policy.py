"""Tests of the policy port: what decides an attempt, in this process and in others."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from pydantic import ValidationError

from envwright.agents.solver.policies.policy import Action, seeded
from envwright.events.values import ToolCall
from support.storefront import view

TESTS = Path(__file__).parents[3]

TRANSCRIPT = """
import hashlib
from envwright.agents.solver.policies import get_policy
from support.storefront import Storefront, play, view
from support.storefront_graph import KNOWLEDGE
told = "I am Ada Low, zip 10117. Cancel a pending order of mine. What is the price of the Tea Pot?"
turns = [
    action.model_dump_json()
    for name in ("random", "searcher", "searcher+graph")
    for action in play(get_policy(name, {}, knowledge=KNOWLEDGE), view(told), Storefront(), seed=5)
]
print(hashlib.sha256("".join(turns).encode()).hexdigest())
"""


def transcript(hash_seed: str) -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(TESTS)}
    command = [sys.executable, "-c", TRANSCRIPT]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)


@pytest.mark.slow
def test_processes_with_other_hash_seeds_take_equal_turns():
    processes = [transcript("1"), transcript("2")]
    first, second = (process.communicate()[0] for process in processes)
    assert first == second != ""


def test_chance_follows_from_policy_view_and_seed_and_from_nothing_else():
    first = seeded("searcher/1", view("Do it."), 7).random()
    assert seeded("searcher/1", view("Do it."), 7).random() == first
    others = [
        ("searcher/2", "Do it.", 7),
        ("searcher/1", "Do that.", 7),
        ("searcher/1", "Do it.", 8),
    ]
    assert first not in {seeded(name, view(told), seed).random() for name, told, seed in others}


def test_an_action_cannot_be_changed():
    action = Action(calls=(ToolCall(name="get_it"),))
    assert action.answer is None
    with pytest.raises(ValidationError, match="frozen"):
        action.thought = "another"
