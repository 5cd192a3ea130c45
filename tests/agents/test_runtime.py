"""Which processes of this machine are alive."""

import os
import subprocess
import sys

from envwright.agents.runtime import is_dead, process_name, start_ticks


def test_this_process_is_alive() -> None:
    assert not is_dead(process_name())


def test_a_process_that_ended_is_dead_even_if_its_number_is_used_again() -> None:
    child = subprocess.Popen([sys.executable, "-c", "import sys; sys.stdin.read()"], stdin=-1)
    host = process_name().split(":")[0]
    name = f"{host}:{child.pid}:{start_ticks(child.pid)}"
    assert not is_dead(name)
    assert is_dead(f"{host}:{child.pid}:1")
    child.communicate(b"")
    assert is_dead(name)


def test_a_process_of_another_machine_is_never_called_dead() -> None:
    assert not is_dead(f"elsewhere:{os.getpid()}:1")
    assert not is_dead("a name of another form")
