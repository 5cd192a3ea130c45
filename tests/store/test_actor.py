"""The actor of the machinery."""

import os

from envwright.store.actor import system_actor


def test_the_machinery_signs_for_a_holder_or_for_its_process():
    assert system_actor("worker-1").instance == "worker-1"
    assert system_actor().instance == f"process-{os.getpid()}"
    assert system_actor().role == "system" and system_actor().code_version
