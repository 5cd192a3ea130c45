"""The crew of a run: how it ends, and what becomes of what it holds."""

import threading

import pytest

from envwright.agents import processes
from envwright.agents.context import Context
from envwright.agents.crew import WorkerThread, start_crew
from envwright.agents.handlers import Handler
from envwright.agents.processes import WorkerProcesses
from envwright.events.errors import InfrastructureError
from support.office import Office
from support.waiting import PATIENCE, waited


def test_one_worker_is_a_thread_and_more_are_processes(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "ENTRY", "import sys; sys.stdin.read()")
    run = office.request()
    for workers, kind in ((1, WorkerThread), (2, WorkerProcesses)):
        crew = start_crew(office.runtime, run, workers)
        try:
            assert isinstance(crew, kind)
            assert crew.alive() and crew.ending() == ""
        finally:
            crew.stop()


def test_no_workers_are_left_to_themselves(office: Office) -> None:
    crew = start_crew(office.runtime, office.request(), 0)
    assert crew.alive() and crew.ending() == ""
    crew.stop()
    assert office.events("work.claimed") == []


def test_a_thread_that_failed_says_with_what(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    def poll(*_: object, **__: object) -> None:
        raise InfrastructureError("gone")

    monkeypatch.setattr("envwright.store.bus.StoreSubscription.poll", poll)
    crew = WorkerThread(office.runtime, office.request())
    waited(crew.alive, lambda at_work: not at_work)
    assert crew.ending() == "InfrastructureError: gone"
    crew.stop()


def test_a_handler_that_outlasts_the_draining_loses_its_work(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    office.runtime.config = office.runtime.config.model_copy(update={"drain_seconds": 0.05})
    held, go_on = threading.Event(), threading.Event()
    handle = Handler.handle

    def slow(self: Handler, ctx: Context) -> None:
        held.set()
        assert go_on.wait(PATIENCE)
        handle(self, ctx)

    monkeypatch.setattr(Handler, "handle", slow)
    run = office.request()
    crew = WorkerThread(office.runtime, run)
    assert held.wait(PATIENCE)
    assert office.runtime.leases.held(run) == 1
    crew.stop()
    assert office.runtime.leases.held(run) == 0
    go_on.set()
    waited(crew.alive, lambda at_work: not at_work)
    assert crew.ending() == ""
    assert not office.events("run.started")
