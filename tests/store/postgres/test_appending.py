"""Appending: one event and many end up alike, at positions that follow the head."""

import pytest

from support.postgres_adapters import OnPostgres, PostgresAdapters
from support.store_conformance_log import verify
from support.store_events import commit, gate


class TestAppending(OnPostgres):
    @pytest.mark.parametrize("numbers", [(1, 1, 1), (1, 3, 1), (5, 1, 200), (2, 2, 2)])
    def test_positions_follow_the_head_however_many_come_at_once(
        self, adapters: PostgresAdapters, numbers
    ):
        head = 0
        for batch, count in enumerate(numbers):
            new = [gate(f"{batch}/{n}", detail="a\x00\x01ä") for n in range(count)]
            positions = adapters.log.commit(commit(*new)).positions
            assert positions == tuple(range(head + 1, head + 1 + count))
            head += count
        assert verify(adapters.log) == adapters.log.head() == head

    @pytest.mark.parametrize("count", [1, 4])
    def test_names_with_a_nul_survive(self, adapters: PostgresAdapters, count):
        new = [gate(f"k\x00{n}", "p\x00\x01") for n in range(count)]
        adapters.log.commit(commit(*new))
        found = [each.idempotency_key for each in adapters.log.read("package/p\x00\x01")]
        assert found == [each.idempotency_key for each in new]
