"""Metrics: what Prometheus' own parser reads of a worker and of a relay."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from envwright.agents import RelayThread, WorkCounts
from envwright.console.service.metrics import relay_metrics, worker_metrics
from support.office import Office

Samples = dict[tuple[str, ...], float]


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Office]:
    """A process on a home of its own."""
    opened = Office(tmp_path / "home")
    yield opened
    opened.close()


def parsed(text: bytes) -> Samples:
    """Return each sample by its name and the values of its labels."""
    return {
        (sample.name, *(value for _, value in sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(text.decode())
        for sample in family.samples
    }


def test_a_worker_tells_its_lag_claims_and_their_ends(office: Office) -> None:
    office.request()
    counts = WorkCounts()
    tell = worker_metrics(office.runtime, counts)
    before = parsed(tell()[0])
    assert before["envwright_lag", "planner"] == 1 and before["envwright_lag", "judge"] == 0
    assert before["envwright_claims_total", "planner"] == 0
    with counts.working("planner") as ending:
        ending.outcome = "retried"
        assert parsed(tell()[0])["envwright_in_flight", "planner"] == 1
    after = parsed(tell()[0])
    assert after["envwright_claims_total", "planner"] == 1
    assert after["envwright_in_flight", "planner"] == 0
    assert after["envwright_deliveries_total", "retried", "planner"] == 1
    assert after["envwright_working_seconds_total", "planner"] > 0


def test_the_lag_of_handled_work_is_none(office: Office) -> None:
    run = office.request()
    office.advance(run, "brief.planned")
    found = parsed(worker_metrics(office.runtime, WorkCounts())()[0])
    assert found["envwright_lag", "planner"] == 0 and found["envwright_lag", "builder"] > 0


class Carrier:
    published, leads = 42, True

    def lag(self) -> int:
        return 5

    def run(self, stop: threading.Event) -> None: ...


def test_a_relay_tells_its_lag_and_whether_it_leads() -> None:
    thread = RelayThread(Carrier(), prepare=lambda: None, close=lambda: None)
    text, kind = relay_metrics(thread)()
    assert kind.startswith("text/plain")
    assert parsed(text) == {
        ("envwright_relay_lag",): 5,
        ("envwright_relay_leads",): 1,
        ("envwright_relay_published_total",): 42,
    }


def test_without_its_extra_it_says_what_to_install(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("envwright.events.extras.find_spec", lambda name: None)
    with pytest.raises(Exception, match=r"envwright\[metrics\]"):
        worker_metrics(office.runtime, WorkCounts())
