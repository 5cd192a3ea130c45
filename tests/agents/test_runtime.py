"""Processes of this machine and whether they live, runs as one sees them, facts of its own."""

import os
import subprocess
import sys

import pytest

from envwright.agents import runtime as running
from envwright.agents.runtime import is_dead, machine_name, process_name, start_ticks
from envwright.events import derive_id
from envwright.events.catalog import PackageAbandoned, RunPaused, RunResumed
from support.office import Office

MACHINE = machine_name()


def test_this_process_is_alive() -> None:
    assert not is_dead(process_name())


def test_a_process_that_ended_is_dead_even_if_its_number_is_used_again() -> None:
    child = subprocess.Popen([sys.executable, "-c", "import sys; sys.stdin.read()"], stdin=-1)
    name = f"{MACHINE}:{child.pid}:{start_ticks(child.pid)}"
    assert not is_dead(name)
    assert is_dead(f"{MACHINE}:{child.pid}:1")
    child.communicate(b"")
    assert is_dead(name)


def test_a_process_that_nobody_waited_for_is_dead() -> None:
    child = subprocess.Popen([sys.executable, "-c", "import sys; sys.stdin.read()"], stdin=-1)
    name = f"{MACHINE}:{child.pid}:{start_ticks(child.pid)}"
    assert child.stdin is not None
    child.stdin.close()
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
    assert is_dead(name)
    child.wait()


def test_a_process_whose_details_are_hidden_is_not_called_dead(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(running, "start_ticks", lambda pid: "")
    assert not is_dead(f"{MACHINE}:{os.getpid()}:1")
    assert not is_dead(f"{MACHINE}:1:1")
    assert is_dead(f"{MACHINE}:{2**22 + 1}:1")


def test_a_process_of_another_machine_is_never_called_dead() -> None:
    assert not is_dead(f"elsewhere:{os.getpid()}:1")
    assert not is_dead("a name of another form")
    host, namespace = MACHINE.split("@")
    assert not is_dead(f"{host}@{int(namespace) + 1}:{os.getpid()}:1")


def test_only_the_dead_lose_their_leases(office: Office) -> None:
    runs = [office.request() for _ in range(3)]
    dead = f"{MACHINE}:{os.getpid()}:1"
    for run, holder in zip(runs, [process_name(), dead, "elsewhere:1:1"], strict=True):
        [cause] = office.runtime.log.read(f"run/{run}")
        work = office.delivery(cause).work
        assert office.runtime.leases.claim(work, holder=holder, ttl=600)
    assert office.runtime.reap() == 1
    assert office.runtime.leases.holders() == ("elsewhere:1:1", process_name())


def test_the_state_of_a_run_follows_its_stream_and_what_was_returned_stays(office: Office) -> None:
    run = office.request()
    asked = office.runtime.run_state(run)
    assert asked is office.runtime.run_state(run)
    office.runtime.record(RunPaused(run=run, cause="user"))
    assert office.runtime.run_state(run).status == "paused"
    office.runtime.record(RunResumed(run=run))
    assert office.runtime.run_state(run).status == "requested"
    assert asked.status == "requested" and asked.paused is None
    assert office.runtime.run_state("unknown").status == "unknown"


def test_a_fact_with_a_key_is_recorded_once_and_without_one_each_time(office: Office) -> None:
    run = office.request()
    for _ in range(2):
        office.runtime.record(RunPaused(run=run, cause="user"), key=["pause", "once"])
        office.runtime.record(RunResumed(run=run), role="operator", causation="some-event")
    assert len(office.events("run.paused")) == 1
    resumed = office.events("run.resumed")
    assert [event.actor.role for event in resumed] == ["operator"] * 2
    assert resumed[0].causation_id == "some-event"
    assert resumed[0].correlation_id == resumed[0].run_id == run


def test_facts_of_several_streams_are_recorded_together(office: Office) -> None:
    run = office.request()
    package = derive_id("package", run)
    office.runtime.record(
        PackageAbandoned(package=package, round=1, ordinal=1, reason="x"),
        RunPaused(run=run, cause="user"),
        run_id=run,
    )
    abandoned, paused = office.events("package.abandoned", "run.paused")
    assert (abandoned.run_id, abandoned.correlation_id) == (run, package)
    assert paused.position == abandoned.position + 1
