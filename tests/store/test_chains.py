"""Chains: every altered, missing or moved row is found and named."""

import pytest

from envwright.events import chain_hash
from envwright.store.chains import (
    ChainCheck,
    Divergence,
    chain_pages,
    chain_rows,
    check_positions,
    earlier_hash,
)
from support.store_adapters import OnSqlite, SqliteAdapters
from support.store_events import commit, gate
from support.store_tampering import flip, rechain, tampering


def first(adapters: SqliteAdapters, run_id: str | None = None) -> Divergence | None:
    database = adapters.store.database
    check = ChainCheck(earlier_hash(database))
    failures = map(check.check, chain_rows(database, run_id))
    return check_positions(database) or next(filter(None, failures), None)


COLUMNS = ["id", "stream", "idempotency_key", "type", "run_id", "correlation_id"]
COLUMNS += ["header", "payload_hash", "previous_hash", "hash"]


class TestChains(OnSqlite):
    @pytest.fixture
    def ids(self, adapters: SqliteAdapters) -> list[str]:
        for number in range(6):
            adapters.log.commit(
                commit(gate(str(number), f"p{number % 2}", run=f"run-{number % 2}"))
            )
        return [envelope.id for envelope in adapters.log.read_all()]

    def test_an_untouched_log_has_no_divergence(self, adapters: SqliteAdapters, ids):
        assert first(adapters) is None
        assert first(adapters, "run-0") is first(adapters, "run-1") is None

    @pytest.mark.parametrize("at", [0, 5, 40, -1])
    @pytest.mark.parametrize("column", COLUMNS)
    def test_one_flipped_bit_is_found_and_named(self, adapters: SqliteAdapters, ids, column, at):
        with tampering(adapters.home) as raw:
            flip(raw, "events", column, 3, at)
            (named,) = raw.execute("SELECT id FROM events WHERE position = 3").fetchone()
        divergence = first(adapters)
        assert divergence is not None and divergence.event == named
        assert divergence.expected != divergence.actual

    @pytest.mark.parametrize("at", [0, 30, -1])
    def test_one_flipped_bit_of_a_payload_is_found(self, adapters: SqliteAdapters, ids, at):
        with tampering(adapters.home) as raw:
            flip(raw, "payloads", "body", 4, at)
        divergence = first(adapters)
        assert divergence is not None and divergence.event == ids[3]
        assert divergence.expected.startswith("payload ")
        assert first(adapters, "run-0") is None and first(adapters, "run-1") == divergence

    def test_a_missing_payload_is_named(self, adapters: SqliteAdapters, ids):
        with tampering(adapters.home) as raw:
            raw.execute("DELETE FROM payloads WHERE position = 2")
        assert first(adapters) == Divergence(
            event=ids[1], expected="a payload", actual="its row is missing"
        )

    @pytest.mark.parametrize("position", [1, 3, 5])
    def test_a_missing_event_is_named_by_its_successor(
        self, adapters: SqliteAdapters, ids, position
    ):
        with tampering(adapters.home) as raw:
            raw.execute("DELETE FROM events WHERE position = ?", (position,))
        divergence = first(adapters)
        assert divergence is not None
        assert divergence.event == ids[position]
        assert divergence.expected == f"position {position}"

    def test_a_missing_tail_is_named_by_its_position(self, adapters: SqliteAdapters, ids):
        with tampering(adapters.home) as raw:
            raw.execute("DELETE FROM events WHERE position > 4")
        divergence = first(adapters)
        assert divergence is not None and divergence.event == "position 5"
        assert "4" in divergence.actual

    def test_a_log_emptied_but_for_its_head_is_found(self, adapters: SqliteAdapters, ids):
        with tampering(adapters.home) as raw:
            raw.execute("DELETE FROM events")
        divergence = first(adapters)
        assert divergence is not None and divergence.event == "position 1"

    def test_two_events_that_changed_places_are_found(self, adapters: SqliteAdapters, ids):
        with tampering(adapters.home) as raw:
            for table in ("events", "payloads"):
                for before, after in ((1, 99), (3, 1), (99, 3)):
                    change = f"UPDATE {table} SET position = ? WHERE position = ?"
                    raw.execute(change, (after, before))
        divergence = first(adapters)
        assert divergence is not None and divergence.event == ids[2]

    def test_an_event_taken_from_the_middle_of_a_stream_is_found(
        self, adapters: SqliteAdapters, ids
    ):
        with tampering(adapters.home) as raw:
            for table in ("payloads", "events"):
                raw.execute(f"DELETE FROM {table} WHERE position = 3")
                raw.execute(f"UPDATE {table} SET position = -position WHERE position > 3")
                raw.execute(f"UPDATE {table} SET position = -position - 1 WHERE position < 0")
            raw.execute("UPDATE log_head SET position = 5")
        divergence = first(adapters)
        assert divergence is not None and divergence.event == ids[4]
        assert "hash of package/p0 #2" in divergence.expected

    def test_a_page_is_checked_as_its_rows_are(self, adapters: SqliteAdapters, ids):
        check = ChainCheck(earlier_hash(adapters.store.database))
        (page,) = chain_pages(adapters.store.database)
        assert check.check_page(page[:3]) == check.check_page(page[3:]) == []
        # A part of the log that begins in the middle of its streams is linked to what is before.
        later = ChainCheck(earlier_hash(adapters.store.database))
        assert later.check_page(page[2:]) == []
        assert ChainCheck(lambda row: None).check_page(page[2:]) != []

    @pytest.mark.parametrize("at", [0, 5, 40, -1])
    @pytest.mark.parametrize("column", COLUMNS)
    def test_a_page_names_one_wrong_event_and_goes_on_behind_it(
        self, adapters: SqliteAdapters, ids, column, at
    ):
        with tampering(adapters.home) as raw:
            flip(raw, "events", column, 3, at)
        (page,) = chain_pages(adapters.store.database)
        found = ChainCheck(earlier_hash(adapters.store.database)).check_page(page)
        assert [row.position for row, _ in found][:1] == [3]
        if column not in ("stream", "previous_hash"):
            assert [row.position for row, _ in found] == [3]
        assert found[0][1] == first(adapters)

    def test_every_wrong_event_of_a_page_is_named(self, adapters: SqliteAdapters, ids):
        with tampering(adapters.home) as raw:
            flip(raw, "payloads", "body", 2, 9)
            flip(raw, "events", "header", 4, 9)
            raw.execute("DELETE FROM payloads WHERE position = 5")
        (page,) = chain_pages(adapters.store.database)
        found = ChainCheck(earlier_hash(adapters.store.database)).check_page(page)
        assert [row.position for row, _ in found] == [2, 4, 5]

    def test_a_stream_whose_chain_was_made_anew_passes(self, adapters: SqliteAdapters, ids):
        """What only the seals find."""
        rechain(adapters.home, "package/p0")
        assert first(adapters) is None

    @pytest.mark.parametrize("header", [b"nonsense", b"[]", b'{"id":1}', b"\xff"])
    def test_an_unreadable_header_is_named_though_its_hash_is_right(
        self, adapters: SqliteAdapters, ids, header
    ):
        with tampering(adapters.home) as raw:
            query = "SELECT previous_hash, payload_hash FROM events WHERE position = 6"
            previous, payload_hash = raw.execute(query).fetchone()
            hashed = chain_hash(previous, header, payload_hash)
            raw.execute(
                "UPDATE events SET header = ?, hash = ? WHERE position = 6", (header, hashed)
            )
        divergence = first(adapters)
        assert divergence is not None and divergence.event == ids[5]
        assert divergence.expected == "a readable header"

    @pytest.mark.parametrize("value", ["text", b"bytes", 7, 2.5])
    @pytest.mark.parametrize("column", [*COLUMNS, "sequence"])
    def test_a_value_of_another_type_is_named_and_stops_nothing(
        self, adapters: SqliteAdapters, ids, column, value
    ):
        with tampering(adapters.home) as raw:
            raw.execute(f"UPDATE events SET {column} = ? WHERE position = 3", (value,))
        (page,) = chain_pages(adapters.store.database)
        found = ChainCheck(earlier_hash(adapters.store.database)).check_page(page)
        assert 3 in [row.position for row, _ in found]

    @pytest.mark.parametrize("body", ["text", 7])
    def test_a_payload_of_another_type_is_named(self, adapters: SqliteAdapters, ids, body):
        with tampering(adapters.home) as raw:
            raw.execute("UPDATE payloads SET body = ? WHERE position = 3", (body,))
        divergence = first(adapters)
        assert divergence is not None and divergence.event == ids[2]
