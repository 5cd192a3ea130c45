"""The `process` backend."""

import subprocess
import sys
import time

import pytest

from envwright.sandbox.isolation import ProcessIsolation
from support.isolation_conformance import PROMPT, IsolationConformance, gone

HOLDER = """
import sys
from envwright.sandbox.isolation import Job, Limits, ProcessIsolation
script = 'echo $$ > "$PLACE.new"; mv "$PLACE.new" "$PLACE"; sleep 60'
job = Job(command=("sh", "-c", script), environment={"PLACE": sys.argv[1]}, key="effect-held")
ProcessIsolation().run(job, Limits(seconds=60))
"""


@pytest.fixture(scope="module")
def isolation():
    return ProcessIsolation()


class TestProcessIsolation(IsolationConformance):
    def test_it_says_that_it_keeps_nobody_out(self, isolation):
        capabilities = isolation.capabilities()
        assert capabilities.trusted_only
        assert not capabilities.no_network
        assert not capabilities.private_files

    def test_a_job_outlives_a_killed_holder_until_its_key_is_reaped(self, isolation, tmp_path):
        place = tmp_path / "process"
        holder = subprocess.Popen([sys.executable, "-c", HOLDER, str(place)])
        deadline = time.monotonic() + PROMPT
        while not place.exists() and time.monotonic() < deadline:
            time.sleep(0.02)
        holder.kill()
        holder.wait()
        left = int(place.read_text())
        # The shell, its sleep and their folder.
        assert isolation.reap("effect-held") == 3
        assert gone(left)
        assert isolation.reap("effect-held") == 0
