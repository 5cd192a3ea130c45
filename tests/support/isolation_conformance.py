"""The conformance suite of the isolation backends: what each must do, and attacks on it."""

import os
import sys
import tempfile
import threading
import time
from pathlib import Path

import pytest

from envwright.events.errors import BadInputError, InfrastructureError
from envwright.sandbox.isolation import Completed, Isolation, Job, Limits

PROMPT = 10
"""Seconds that a killed job may take at most on a busy machine; far below what it would sleep."""


def alive(process: int) -> bool:
    """Say whether a process runs; a zombie does not."""
    try:
        status = Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return False
    return status.rsplit(")", 1)[1].split()[0] != "Z"


def gone(process: int) -> bool:
    """Wait a moment for a killed process to be gone."""
    deadline = time.monotonic() + PROMPT
    while alive(process) and time.monotonic() < deadline:
        time.sleep(0.01)
    return not alive(process)


class IsolationConformance:
    """Subclass it and give it a fixture `isolation`; the tests run small commands."""

    def shell(self, isolation: Isolation, script: str, **limits: float) -> Completed:
        return isolation.run(Job(command=("sh", "-c", script)), Limits(**{"seconds": 30, **limits}))

    def python(self, isolation: Isolation, script: str, **limits: float) -> Completed:
        job = Job(command=(sys.executable, "-c", script))
        return isolation.run(job, Limits(**{"seconds": 30, **limits}))

    def test_a_job_gives_back_its_exit_code_and_both_streams(self, isolation):
        completed = self.shell(isolation, "echo out; echo err >&2; exit 7")
        assert completed == Completed(exit_code=7, stdout="out\n", stderr="err\n")

    def test_a_job_that_kills_itself_ends_with_a_negative_code(self, isolation):
        assert self.shell(isolation, "kill -9 $$").exit_code == -9

    def test_files_are_there_with_their_modes_and_nothing_else_is(self, isolation):
        job = Job(
            command=("sh", "-c", "./run.sh; find . -type f | sort"),
            files={"run.sh": b"#!/bin/sh\ncat data/a.txt\n", "data/a.txt": b"hello\n"},
            executable=frozenset({"run.sh"}),
        )
        completed = isolation.run(job, Limits(seconds=30))
        assert completed.stdout == "hello\n./data/a.txt\n./run.sh\n"

    @pytest.mark.parametrize("path", ["/etc/evil", "../evil", "a/../../evil", "a\\b", "a\0b"])
    def test_an_unsafe_file_name_is_refused(self, isolation, path):
        with pytest.raises(BadInputError, match="unsafe path"):
            isolation.run(Job(command=("true",), files={path: b""}), Limits())

    def test_standard_input_is_what_was_given_and_otherwise_empty(self, isolation):
        given = isolation.run(Job(command=("cat",), stdin=b"x" * 200_000), Limits(output_bytes=10))
        assert (given.stdout, given.stdout_cut) == ("x" * 10, True)
        assert self.shell(isolation, "cat").stdout == ""

    def test_no_secret_of_this_process_is_inherited(self, isolation, monkeypatch):
        monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
        monkeypatch.setenv("PYTHONPATH", "/somewhere")
        monkeypatch.setenv("LD_PRELOAD_OF_OURS", "x")
        names = {line.split("=")[0] for line in self.shell(isolation, "env").stdout.splitlines()}
        assert not names & {"OPENAI_API_KEY", "PYTHONPATH", "LD_PRELOAD_OF_OURS"}

    def test_the_environment_holds_what_was_given_and_a_home_of_its_own(self, isolation):
        job = Job(
            command=("sh", "-c", 'echo "$GREETING"; touch "$HOME/a" "$TMPDIR/b"; echo "$HOME"'),
            environment={"GREETING": "hallo"},
        )
        greeting, home = isolation.run(job, Limits(seconds=30)).stdout.splitlines()
        assert greeting == "hallo"
        assert home != os.environ.get("HOME")
        assert not Path(home).exists()

    def test_two_jobs_do_not_share_a_folder(self, isolation):
        self.shell(isolation, "touch left-behind")
        assert self.shell(isolation, "ls").stdout == ""

    def test_jobs_run_side_by_side_without_seeing_each_other(self, isolation):
        results: dict[int, str] = {}

        def run(number: int) -> None:
            script = f"echo {number} > mine; sleep 0.1; cat mine; ls | wc -l"
            results[number] = self.shell(isolation, script).stdout

        threads = [threading.Thread(target=run, args=(number,)) for number in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert {n: text.split() for n, text in results.items()} == {
            n: [str(n), "1"] for n in range(6)
        }

    def test_a_job_that_runs_out_of_time_is_killed_and_says_so(self, isolation):
        started = time.monotonic()
        completed = self.shell(isolation, "echo early; sleep 60", seconds=0.3)
        assert completed.timed_out
        assert completed.stdout == "early\n"
        assert time.monotonic() - started < PROMPT

    def test_a_job_that_ignores_polite_signals_is_killed_all_the_same(self, isolation):
        assert self.shell(isolation, "trap '' TERM INT HUP; sleep 60", seconds=0.3).timed_out

    def test_the_whole_tree_dies_with_a_late_job(self, isolation):
        script = "(sleep 60 & echo $!; sleep 60 & echo $!; wait) & wait"
        completed = self.shell(isolation, script, seconds=0.5)
        processes = [int(line) for line in completed.stdout.split()]
        assert completed.timed_out
        assert len(processes) == 2
        assert all(gone(process) for process in processes)

    def test_what_a_finished_job_left_running_dies_too(self, isolation):
        completed = self.shell(isolation, "sleep 60 & echo $!")
        assert not completed.timed_out
        assert gone(int(completed.stdout))

    def test_a_process_that_left_the_session_dies_too(self, isolation):
        if not isolation.capabilities().kills_detached:
            pytest.skip("this machine has no way to find detached processes")
        script = (
            "import os, sys, time\n"
            "if os.fork(): os.wait(); sys.exit()\n"
            "os.setsid()\n"
            "if os.fork(): sys.exit()\n"
            "print(os.getpid(), flush=True)\n"
            "time.sleep(60)\n"
        )
        completed = self.python(isolation, script)
        assert gone(int(completed.stdout))

    def test_a_flood_of_output_is_cut_and_does_not_block(self, isolation):
        completed = self.python(
            isolation, "print('x' * 20_000_000); print('done')", output_bytes=1000
        )
        assert completed.exit_code == 0
        assert completed.stdout == "x" * 1000
        assert (completed.stdout_cut, completed.stderr_cut) == (True, False)

    def test_output_is_cut_between_characters(self, isolation):
        completed = self.shell(isolation, "printf 'ab€€'", output_bytes=7)
        assert (completed.stdout, completed.stdout_cut) == ("ab€", True)

    def test_output_of_just_the_limit_is_whole(self, isolation):
        completed = self.shell(isolation, "printf 'ab€'", output_bytes=5)
        assert (completed.stdout, completed.stdout_cut) == ("ab€", False)

    def test_output_that_is_no_text_is_shown_and_breaks_nothing(self, isolation):
        assert self.shell(isolation, r"printf 'a\377b'").stdout == "a\ufffdb"

    def test_a_command_that_does_not_exist_is_an_infrastructure_error(self, isolation):
        with pytest.raises(InfrastructureError, match="no-such-command"):
            isolation.run(Job(command=("no-such-command",)), Limits())

    def test_memory_is_limited_where_the_backend_says_so(self, isolation):
        if not isolation.capabilities().limits_memory:
            pytest.skip("this machine cannot limit memory")
        script = "import time; time.sleep(0.2); bytearray(600_000_000)"
        completed = self.python(isolation, script, memory_bytes=300_000_000)
        assert completed.exit_code != 0
        assert "MemoryError" in completed.stderr

    def test_capabilities_are_the_same_when_asked_again(self, isolation):
        assert isolation.capabilities() == isolation.capabilities()

    def test_what_runs_under_a_key_is_reaped_by_it_and_nothing_else_is(self, isolation):
        if not isolation.capabilities().kills_detached:
            pytest.skip("this machine has no way to find processes by their key")
        outcomes: dict[str, Completed] = {}

        def run(key: str, script: str) -> None:
            job = Job(command=("sh", "-c", script), key=key)
            outcomes[key] = isolation.run(job, Limits(seconds=60))

        lost = threading.Thread(target=run, args=("effect-lost", "sleep 60"))
        other = threading.Thread(target=run, args=("effect-other", "sleep 2"))
        lost.start()
        other.start()
        # What is reaped was lost with its holder a while ago: it is not just about to start.
        time.sleep(0.7)
        reaped = isolation.reap("effect-lost")
        lost.join(PROMPT)
        other.join(PROMPT)
        assert reaped
        assert outcomes["effect-lost"].exit_code == -9
        assert outcomes["effect-other"].exit_code == 0

    def test_reaping_an_unknown_or_empty_key_does_nothing(self, isolation):
        assert isolation.reap("effect-unknown") == 0
        assert isolation.reap("") == 0

    def test_no_folder_is_left_behind(self, isolation, tmp_path, monkeypatch):
        monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
        self.shell(isolation, "mkdir -p locked/in; touch locked/in/a; chmod 0 locked")
        self.shell(isolation, "sleep 60", seconds=0.1)
        with pytest.raises(InfrastructureError):
            isolation.run(Job(command=("no-such-command",)), Limits())
        assert not list(tmp_path.iterdir())
