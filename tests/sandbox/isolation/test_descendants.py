"""Finding and killing what a job started."""

import os
import subprocess
import sys

import pytest

from envwright.sandbox.isolation.descendants import kill_group, kill_marked

if not os.path.isdir("/proc/self"):
    pytest.skip("processes are found through /proc", allow_module_level=True)


def sleeper(**environment):
    return subprocess.Popen(
        ["/bin/sleep", "60"], env={"PATH": "/usr/bin:/bin", **environment}, start_new_session=True
    )


def test_only_marked_processes_are_killed():
    marked, other = sleeper(MARK="ours"), sleeper(MARK="ours-too")
    try:
        assert kill_marked("MARK", "ours") >= 1
        assert marked.wait(10) == -9
        assert other.poll() is None
    finally:
        other.kill()
        other.wait()


def test_a_mark_that_nobody_carries_kills_nobody():
    assert kill_marked("MARK", "nobody") == 0


def test_this_process_is_never_killed_for_its_own_mark():
    script = (
        "from envwright.sandbox.isolation.descendants import kill_marked\n"
        "print(kill_marked('MARK', 'self'))\n"
    )
    command = [sys.executable, "-c", script]
    environment = {**os.environ, "MARK": "self"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == "0\n"


def test_a_group_that_is_gone_is_fine():
    process = sleeper()
    kill_group(process.pid)
    assert process.wait(10) == -9
    kill_group(process.pid)
