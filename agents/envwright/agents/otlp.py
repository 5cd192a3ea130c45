"""OTLP: spans for a collector that the user names; without a name nothing is sent anywhere.

A collector that is away costs spans, never time: what is queued is bounded, and so is the wait for
it at the end of the process.
"""

import logging
import time
from collections.abc import Sequence
from urllib.parse import urlsplit

from opentelemetry.metrics import NoOpMeterProvider
from opentelemetry.sdk.trace import ReadableSpan, SpanProcessor
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter, SpanExportResult

from envwright.events.errors import BadInputError
from envwright.events.extras import require

_PATH = "/v1/traces"
_QUEUE = 2048
_BATCH = 256
_DELAY_MILLISECONDS = 1000
_TIMEOUT_SECONDS = 2.0
"""How long one batch may take, retries included; the end of a process waits for one."""
_AWAY_SECONDS = 5.0
"""For how long a collector that failed is not asked again; spans are dropped meanwhile."""

_log = logging.getLogger(__name__)


def collector_url(endpoint: str) -> str:
    """Return where a collector takes spans: `/v1/traces` below what was named, unless it is named.

    Raises:
        BadInputError: the endpoint is no HTTP URL.
    """
    parts = urlsplit(endpoint)
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise BadInputError(
            f"the OTLP endpoint {endpoint!r} is no HTTP URL; expected one such as "
            "http://localhost:4318 in ENVWRIGHT_OTLP_ENDPOINT or OTEL_EXPORTER_OTLP_ENDPOINT"
        )
    base = endpoint.rstrip("/")
    return base if base.endswith(_PATH) else base + _PATH


class Unhurried(SpanExporter):
    """Sends through another exporter, but not to a collector that has just failed."""

    def __init__(
        self, exporter: SpanExporter, url: str, *, away_seconds: float = _AWAY_SECONDS
    ) -> None:
        self._exporter = exporter
        self._url = url
        self._away_seconds = away_seconds
        self._away_until = 0.0
        self._is_away = False

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        """Send the spans, or drop them where the collector has been away a moment ago."""
        if time.monotonic() < self._away_until:
            return SpanExportResult.FAILURE
        result = self._exporter.export(spans)
        if result is SpanExportResult.SUCCESS:
            self._is_away = False
            return result
        self._away_until = time.monotonic() + self._away_seconds
        if not self._is_away:
            self._is_away = True
            _log.warning("no collector takes spans at %s; the home keeps them", self._url)
        return result

    def shutdown(self) -> None:
        """Close the connection."""
        self._exporter.shutdown()

    def force_flush(self, timeout_millis: int = 30000) -> bool:
        """Say that nothing is held back."""
        return True


def otlp_processor(endpoint: str) -> SpanProcessor:
    """Return what sends spans to a collector, from a thread of its own.

    Raises:
        MissingExtraError: the extra `otlp` is not installed.
        BadInputError: the endpoint is no HTTP URL.
    """
    url = collector_url(endpoint)
    require("otlp", "opentelemetry.exporter.otlp.proto.http")
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter

    # It would say at every try that nobody listens; one warning of ours is enough.
    logging.getLogger("opentelemetry.exporter.otlp.proto.http.trace_exporter").setLevel(
        logging.CRITICAL
    )
    return BatchSpanProcessor(
        Unhurried(OTLPSpanExporter(endpoint=url, timeout=_TIMEOUT_SECONDS), url),
        max_queue_size=_QUEUE,
        schedule_delay_millis=_DELAY_MILLISECONDS,
        max_export_batch_size=_BATCH,
        meter_provider=NoOpMeterProvider(),
    )
