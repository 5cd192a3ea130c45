"""Metrics: what workers and a relay have done and have before them, as Prometheus reads it."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from envwright.agents import RelayThread, Runtime, WorkCounts
from envwright.events.extras import require

Exposition = Callable[[], tuple[bytes, str]]
"""Returns the metrics as text, and its content type."""


def worker_metrics(runtime: Runtime, counts: WorkCounts) -> Exposition:
    """Return what tells of a worker: lag of its roles, claims, their ends, working time."""
    require("metrics", "prometheus_client")
    from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily

    def collect() -> Iterator[Any]:
        roles = runtime.config.roles
        found = counts.tallied()
        lag = runtime.open_work.lag(runtime.config.group, roles)
        yield _by_role(
            GaugeMetricFamily(
                "envwright_lag", "Deliveries that nobody has handled, by role.", labels=["role"]
            ),
            lag,
        )
        yield _by_role(
            GaugeMetricFamily("envwright_in_flight", "Handlers that run here.", labels=["role"]),
            {role: found.in_flight.get(role, 0) for role in roles},
        )
        yield _by_role(
            CounterMetricFamily("envwright_claims", "Deliveries claimed here.", labels=["role"]),
            {role: found.claims.get(role, 0) for role in roles},
        )
        yield _by_role(
            CounterMetricFamily(
                "envwright_working_seconds", "Time spent in handlers here.", labels=["role"]
            ),
            {role: found.seconds.get(role, 0.0) for role in roles},
        )
        ends = CounterMetricFamily(
            "envwright_deliveries",
            "Claims that ended here: handled, conflict, retried, parked, lost, broken.",
            labels=["role", "outcome"],
        )
        for (role, outcome), number in sorted(found.outcomes.items()):
            ends.add_metric([role, outcome], number)
        yield ends

    return _exposition(collect)


def relay_metrics(relay: RelayThread) -> Exposition:
    """Return what tells of a relay: how far behind it is, whether it leads, what it published."""
    require("metrics", "prometheus_client")
    from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily

    def collect() -> Iterator[Any]:
        yield GaugeMetricFamily(
            "envwright_relay_lag", "Events of the log not published yet.", value=relay.relay.lag()
        )
        yield GaugeMetricFamily(
            "envwright_relay_leads", "1 where this relay publishes.", value=relay.relay.leads
        )
        yield CounterMetricFamily(
            "envwright_relay_published", "Events published here.", value=relay.relay.published
        )

    return _exposition(collect)


def _by_role(family: Any, numbers: dict[str, Any]) -> Any:
    for role, number in numbers.items():
        family.add_metric([role], number)
    return family


def _exposition(collect: Callable[[], Iterable[Any]]) -> Exposition:
    from prometheus_client import CollectorRegistry
    from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4, generate_latest

    class Collector:
        def collect(self) -> Iterable[Any]:
            return collect()

        def describe(self) -> Iterable[Any]:
            return ()

    registry = CollectorRegistry()
    registry.register(Collector())
    return lambda: (generate_latest(registry), CONTENT_TYPE_PLAIN_0_0_4)
