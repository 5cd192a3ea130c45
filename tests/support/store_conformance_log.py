"""Conformance suite of what a log reads: order, filters, bytes and hashes."""

from collections.abc import Iterable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from envwright.events import GENESIS, PAYLOAD_LIMIT, Envelope, verify_hashes
from envwright.events.catalog import EffectCompleted
from envwright.events.ports import Commit, Log, ProjectionWrite
from support.any_fact import facts
from support.store_adapters import Adapters
from support.store_events import append, commit, drafted, event, gate, recorded

MANY = 1300
"""More events than any adapter reads at once."""

HARD = {
    "characters": "äöü \u4e2d\u6587 \U0001f600 e\u0301",
    "lone surrogate": "\ud800",
    "NUL": "a\x00b",
    "\ud83d": ["\x7f", 25.0, -0.0, 1e300, 2**60, {"": None}],
}


HEADER = (
    "id",
    "idempotency_key",
    "type",
    "run_id",
    "causation_id",
    "correlation_id",
    "actor",
    "occurred_at",
    "traceparent",
    "basis",
    "metrics",
)
"""What an envelope keeps of the header that its writer gave."""


def completed(key: str, result: object) -> EffectCompleted:
    return EffectCompleted(work="w", key=key, ok=True, result=result)


# One suite runs on several engines, each example on the log of its engine.
SHARED = [HealthCheck.function_scoped_fixture, HealthCheck.differing_executors]


def verify(log: Log) -> int:
    """Verify every hash and link of a log; returns how many events it has."""
    heads: dict[str, str] = {}
    count = 0
    for envelope in log.read_all():
        verify_hashes(envelope, heads.get(envelope.stream, GENESIS))
        heads[envelope.stream] = envelope.hash
        count += 1
    return count


def keys(envelopes: Iterable[Envelope]) -> list[str]:
    return [envelope.idempotency_key for envelope in envelopes]


class LogConformance:
    """What every log gives back."""

    def test_an_empty_log_has_nothing(self, adapters: Adapters):
        log = adapters.log
        assert log.head() == log.version("package/p") == log.cursor("c") == 0
        assert list(log.read("package/p")) == list(log.read_all()) == []
        assert log.get("none") is None and log.inbox("group", "none") is None

    def test_an_event_comes_back_as_it_was_written(self, adapters: Adapters):
        new = gate("1").model_copy(
            update={
                "causation_id": "cause",
                "traceparent": "00-1-2-03",
                "basis": "b",
                "metrics": {"seconds": 0.5, "whole": 25.0, "text": "\ud800"},
            }
        )
        envelope = recorded(adapters.log, new)
        assert envelope.fact == new.fact
        for name in HEADER:
            assert getattr(envelope, name) == getattr(new, name), name
        assert (envelope.position, envelope.sequence) == (1, 1)
        assert envelope.payload == envelope.body == new.body
        assert envelope.recorded_at.endswith("Z")

    @given(fact=facts())
    @settings(suppress_health_check=SHARED, max_examples=40)
    def test_every_fact_survives_with_its_hashes(self, adapters: Adapters, fact):
        new = event(fact, f"key-{adapters.log.head()}")
        previous = list(adapters.log.read(fact.stream))
        envelope = recorded(adapters.log, new)
        assert envelope.fact == fact
        verify_hashes(envelope, previous[-1].hash if previous else GENESIS)

    @pytest.mark.parametrize("result", HARD.values(), ids=repr)
    def test_hard_values_survive(self, adapters: Adapters, result):
        envelope = recorded(adapters.log, event(completed("k", {"value": result}), "1"))
        assert envelope.data["result"] == {"value": result}
        assert verify(adapters.log) == 1

    @given(result=st.recursive(st.text() | st.floats(allow_nan=False), st.lists, max_leaves=4))
    @settings(suppress_health_check=SHARED, max_examples=30)
    def test_any_text_and_number_survives(self, adapters: Adapters, result):
        head = adapters.log.head()
        envelope = recorded(adapters.log, event(completed("k", result), f"key-{head}"))
        assert envelope.data["result"] == result

    def test_a_large_payload_travels_as_a_reference(self, adapters: Adapters):
        text = "five megabytes " * 350_000
        envelope = recorded(adapters.log, event(completed("k", text), "1"))
        assert len(envelope.payload) < 500 and len(envelope.body) > 5_000_000
        assert envelope.data["result"] == text
        assert verify(adapters.log) == 1
        again = commit(event(completed("k", text), "1"))
        assert adapters.log.commit(again).repeated == 1

    def test_the_limit_decides_what_is_large(self, adapters: Adapters):
        room = PAYLOAD_LIMIT - len(event(completed("k", ""), "0").body)
        fits = recorded(adapters.log, event(completed("k", "x" * room), "1"))
        over = recorded(adapters.log, event(completed("k", "x" * (room + 1)), "2"))
        assert fits.payload == fits.body and over.payload != over.body

    def test_chains_run_per_stream(self, adapters: Adapters):
        for key in ("1", "2", "3"):
            adapters.log.commit(
                Commit(appends=(append(gate(f"a{key}", "a")), append(gate(f"b{key}", "b"))))
            )
        assert verify(adapters.log) == 6
        a, b = list(adapters.log.read("package/a")), list(adapters.log.read("package/b"))
        assert [envelope.sequence for envelope in a] == [1, 2, 3]
        assert [envelope.position for envelope in b] == [2, 4, 6]
        assert a[1].previous_hash == a[0].hash

    def test_a_stream_is_read_between_versions(self, adapters: Adapters):
        adapters.log.commit(commit(*[gate(str(number)) for number in range(1, 8)]))
        read = adapters.log.read
        assert keys(read("package/p", after=2, up_to=5)) == ["3", "4", "5"]
        assert keys(read("package/p", after=7)) == keys(read("package/p", up_to=0)) == []
        assert adapters.log.version("package/p") == 7

    def test_the_log_is_read_filtered_and_in_order(self, adapters: Adapters):
        for number in range(1, 7):
            run = f"run-{number % 2}"
            new = (drafted if number > 3 else gate)(str(number), f"p{number}", run=run)
            adapters.log.commit(commit(new))
        read = adapters.log.read_all
        types = ["package.drafted", "gate.evaluated"]
        assert keys(read(after=1, up_to=5)) == ["2", "3", "4", "5"]
        assert keys(read(run_id="run-1")) == ["1", "3", "5"]
        assert keys(read(types=["package.drafted"])) == ["4", "5", "6"]
        assert keys(read(types=types, after=2)) == ["3", "4", "5", "6"]
        assert keys(read(run_id="run-1", types=["package.drafted"])) == ["5"]
        assert keys(read(run_id="run-1", types=types, up_to=3)) == ["1", "3"]
        assert keys(read(limit=2)) == ["1", "2"] and keys(read(limit=0)) == []
        assert keys(read(run_id="run-0", types=types, limit=2)) == ["2", "4"]
        assert keys(read(types=[])) == []

    def test_many_events_are_read_completely(self, adapters: Adapters):
        adapters.log.commit(commit(*[gate(str(number)) for number in range(MANY)]))
        expected = [str(number) for number in range(MANY)]
        assert keys(adapters.log.read("package/p")) == expected
        assert keys(adapters.log.read_all()) == expected
        assert keys(adapters.log.read_all(types=["gate.evaluated"])) == expected
        assert keys(adapters.log.read_all(run_id="run-1", limit=MANY - 1)) == expected[:-1]

    def test_a_reader_does_not_hold_up_a_writer(self, adapters: Adapters):
        adapters.log.commit(commit(*[gate(str(number)) for number in range(MANY)]))
        reading = adapters.log.read_all()
        assert next(reading).position == 1
        adapters.log.commit(commit(gate("while reading")))
        assert keys(reading)[-1] == "while reading"

    def test_what_one_process_commits_another_reads(self, adapters: Adapters):
        other = adapters.again()
        envelope: Envelope = recorded(adapters.log, gate("1"))
        assert other.log.get(envelope.id) == envelope
        recorded(other.log, gate("2"))
        assert keys(adapters.log.read("package/p")) == ["1", "2"]

    def test_projection_rows_come_in_the_order_of_their_keys(self, adapters: Adapters):
        names = ["b", "a", "ä", "\U0001f600", "\uffff", "B", "", "a\x00"]
        writes = tuple(ProjectionWrite(projection="p", key=name, value=b"x") for name in names)
        adapters.log.commit(Commit(projections=writes))
        assert [key for key, _ in adapters.log.projection("p")] == sorted(names)

    def test_rows_of_a_projection_are_read_by_the_beginning_of_their_keys(self, adapters: Adapters):
        names = ["run-1/a", "run-1/\uffff", "run-10/a", "run-1", "RUN-1/a", "run-1_/a"]
        writes = tuple(ProjectionWrite(projection="p", key=name, value=b"x") for name in names)
        adapters.log.commit(Commit(projections=writes))
        found = [key for key, _ in adapters.log.projection("p", prefix="run-1/")]
        assert found == ["run-1/a", "run-1/\uffff"]
        assert list(adapters.log.projection("p", prefix="run-2/")) == []
        assert list(adapters.log.projection("q", prefix="run-1/")) == []

    def test_more_rows_than_a_page_holds_all_come(self, adapters: Adapters):
        keys = [f"k{number:04d}" for number in range(1100)]
        writes = tuple(ProjectionWrite(projection="p", key=key, value=b"x") for key in keys)
        adapters.log.commit(Commit(projections=writes))
        assert [key for key, _ in adapters.log.projection("p")] == keys
        assert len(list(adapters.log.projection("p", prefix="k0"))) == 1000

    def test_one_row_of_a_projection_is_read_by_its_key(self, adapters: Adapters):
        write = ProjectionWrite(projection="p", key="a", value=b"\x00x")
        adapters.log.commit(Commit(projections=(write,)))
        assert adapters.log.projection_row("p", "a") == b"\x00x"
        assert adapters.log.projection_row("p", "b") is None
        assert adapters.log.projection_row("q", "a") is None
