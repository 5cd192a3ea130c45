"""The checkpoint tables keep what LangGraph's contract asks for, and notice what is gone."""

import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from envwright.store.checkpoint_rows import CheckpointKey, CheckpointRow, WriteRow
from envwright.store.checkpoints import CheckpointTables


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "checkpoints.sqlite"


@pytest.fixture
def tables(path: Path) -> Iterator[CheckpointTables]:
    opened = CheckpointTables(path)
    yield opened
    opened.close()


def row(
    name: str,
    versions: dict[str, str],
    *,
    thread: str = "t",
    namespace: str = "",
    parent: str | None = None,
    run: str | None = None,
    held: tuple[str, ...] | None = None,
    replayed: tuple[str, ...] = (),
) -> CheckpointRow:
    return CheckpointRow(
        key=CheckpointKey(thread, namespace, name),
        parent=parent,
        run=run,
        versions=versions,
        held=tuple(versions) if held is None else held,
        replayed=replayed,
        body=("msgpack", name.encode()),
        metadata=("msgpack", b"m"),
    )


def write(task: str, index: int, value: bytes, *, path: str = "", channel: str = "c") -> WriteRow:
    return WriteRow(task, index, path, channel, ("bytes", value))


def put(tables: CheckpointTables, new: CheckpointRow, **changed: bytes) -> None:
    """Store a checkpoint; a value that is packed again says so."""
    packed = {channel: ("bytes", value) for channel, value in changed.items()}
    tables.put(new, packed, lambda channel: ("bytes", f"again {channel}".encode()))


def execute(path: Path, statement: str) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute(statement)
    connection.close()


def count(path: Path, table: str) -> int:
    connection = sqlite3.connect(path)
    found = connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
    connection.close()
    return int(found)


def test_a_checkpoint_reads_back_with_values_of_mixed_versions(tables: CheckpointTables) -> None:
    put(tables, row("1", {"a": "1", "b": "1"}), a=b"a1", b=b"b1")
    put(tables, row("2", {"a": "2", "b": "1"}, parent="1"), a=b"a2")
    latest = tables.get("t", "", None)
    assert latest is not None and latest.whole
    assert latest.row == row("2", {"a": "2", "b": "1"}, parent="1")
    assert latest.values == {"a": ("bytes", b"a2"), "b": ("bytes", b"b1")}
    first = tables.get("t", "", "1")
    assert first is not None and first.values["a"] == ("bytes", b"a1")


def test_threads_and_namespaces_do_not_see_each_other(tables: CheckpointTables) -> None:
    put(tables, row("1", {"a": "1"}), a=b"root")
    put(tables, row("2", {"a": "1"}, namespace="child"), a=b"child")
    put(tables, row("3", {"a": "1"}, thread="u"), a=b"other")
    found = tables.get("t", "", None)
    assert found is not None and found.values == {"a": ("bytes", b"root")}
    assert tables.get("t", "", "2") is None
    assert [each.key.checkpoint for each in tables.rows(thread="t")] == ["2", "1"]
    assert [each.key.checkpoint for each in tables.rows(before="3")] == ["2", "1"]
    assert [each.key.checkpoint for each in tables.rows(namespace="", checkpoint="3")] == ["3"]


def test_writes_come_in_order_of_path_task_and_place(tables: CheckpointTables) -> None:
    new = row("1", {})
    put(tables, new)
    tables.put_writes(new.key, [write("b", 1, b"4"), write("b", 0, b"3")])
    tables.put_writes(new.key, [write("z", 0, b"5", path="p1"), write("c", 0, b"6", path="p2")])
    tables.put_writes(new.key, [write("a", 0, b"2"), write("a", -1, b"1")])
    found = tables.get("t", "", None)
    assert found is not None
    assert [each.value[1] for each in found.writes] == [b"1", b"2", b"3", b"4", b"5", b"6"]


def test_the_first_ordinary_write_wins_and_the_last_special_one(tables: CheckpointTables) -> None:
    new = row("1", {})
    tables.put_writes(new.key, [write("a", 0, b"first"), write("a", -1, b"old")])
    tables.put_writes(new.key, [write("a", 0, b"second"), write("a", -1, b"new")])
    put(tables, new)
    found = tables.get("t", "", None)
    assert found is not None
    assert [each.value[1] for each in found.writes] == [b"new", b"first"]


def test_a_value_that_was_deleted_is_stored_again_by_the_next_put(
    tables: CheckpointTables, path: Path
) -> None:
    put(tables, row("1", {"a": "1", "b": "1"}), a=b"a1", b=b"b1")
    for table in ("graph_checkpoints", "graph_channels", "graph_writes"):
        execute(path, f"DELETE FROM {table}")
    put(tables, row("2", {"a": "2", "b": "1"}, parent="1"), a=b"a2")
    found = tables.get("t", "", None)
    assert found is not None and found.whole
    assert found.values == {"a": ("bytes", b"a2"), "b": ("bytes", b"again b")}


def test_a_deleted_file_is_created_anew_by_the_next_put(
    tables: CheckpointTables, path: Path
) -> None:
    put(tables, row("1", {"a": "1"}), a=b"a1")
    path.unlink()
    assert tables.get("t", "", None) is None
    path.unlink()
    put(tables, row("2", {"a": "1"}, parent="1"))
    found = tables.get("t", "", None)
    assert found is not None and found.whole


@pytest.mark.parametrize("table", ["graph_checkpoints", "graph_channels", "graph_writes"])
def test_a_dropped_table_neither_stops_reads_nor_writes(
    tables: CheckpointTables, path: Path, table: str
) -> None:
    put(tables, row("1", {"a": "1"}), a=b"a1")
    execute(path, f"DROP TABLE {table}")
    tables.get("t", "", None)
    put(tables, row("2", {"a": "1"}))
    found = tables.get("t", "", None)
    assert found is not None and found.whole


def test_a_checkpoint_that_lost_a_value_is_not_whole(tables: CheckpointTables, path: Path) -> None:
    put(tables, row("1", {"a": "1", "b": "1"}), a=b"a1", b=b"b1")
    execute(path, "DELETE FROM graph_channels WHERE channel = 'b'")
    found = tables.get("t", "", None)
    assert found is not None and not found.whole


def test_a_channel_without_a_value_is_no_loss(tables: CheckpointTables) -> None:
    put(tables, row("1", {"a": "1", "gone": "1"}, held=("a",)), a=b"a1")
    found = tables.get("t", "", None)
    assert found is not None and found.whole and set(found.values) == {"a"}


def test_deleting_runs_keeps_the_values_that_others_share(
    tables: CheckpointTables, path: Path
) -> None:
    put(tables, row("1", {"a": "1", "b": "1"}, run="one"), a=b"a1", b=b"b1")
    put(tables, row("2", {"a": "1", "b": "2"}, parent="1", run="two"), b=b"b2")
    tables.put_writes(CheckpointKey("t", "", "1"), [write("k", 0, b"w")])
    tables.delete_runs(["one", "unknown"])
    assert [each.key.checkpoint for each in tables.rows()] == ["2"]
    found = tables.get("t", "", None)
    assert found is not None and found.whole
    assert (count(path, "graph_channels"), count(path, "graph_writes")) == (2, 0)
    tables.delete_runs([])
    assert count(path, "graph_checkpoints") == 1


def test_a_deleted_thread_leaves_nothing(tables: CheckpointTables, path: Path) -> None:
    new = row("1", {"a": "1"})
    put(tables, new, a=b"a1")
    tables.put_writes(new.key, [write("k", 0, b"w")])
    put(tables, row("1", {"a": "1"}, thread="u"), a=b"a1")
    tables.delete_thread("t")
    assert [
        count(path, table) for table in ("graph_checkpoints", "graph_channels", "graph_writes")
    ] == [1, 1, 0]


def test_a_copied_thread_stands_on_its_own(tables: CheckpointTables) -> None:
    new = row("1", {"a": "1"})
    put(tables, new, a=b"a1")
    tables.put_writes(new.key, [write("k", 0, b"w")])
    tables.copy_thread("t", "u")
    tables.copy_thread("t", "t")
    tables.delete_thread("t")
    found = tables.get("u", "", None)
    assert found is not None and found.whole
    assert found.values == {"a": ("bytes", b"a1")} and len(found.writes) == 1


def chain(tables: CheckpointTables, seeds: dict[int, bytes], length: int) -> None:
    """Store checkpoints 0…length-1 whose channel `d` is kept at `seeds` and replayed elsewhere."""
    for step in range(length):
        versions = {"a": "1", "d": str(step)}
        held = ("a", "d") if step in seeds else ("a",)
        parent = str(step - 1) if step else None
        new = row(str(step), versions, parent=parent, held=held, replayed=("d",))
        put(tables, new, **({"d": seeds[step]} if step in seeds else {}))
        writes = [write("k", 0, b"w%d" % step, channel="d"), write("k", 1, b"x", channel="a")]
        tables.put_writes(new.key, writes)


def test_history_is_the_nearest_value_and_the_writes_since(tables: CheckpointTables) -> None:
    chain(tables, {0: b"s0", 2: b"s2"}, 5)
    history = tables.history("t", "", None, ["d", "e"])
    assert history["d"].seed == ("bytes", b"s2")
    assert [each.value[1] for each in history["d"].writes] == [b"w2", b"w3"]
    assert history["d"].ancestors == ["3", "2"] and history["d"].whole
    assert history["e"].seed is None and history["e"].writes == [] and history["e"].whole
    assert tables.history("t", "", "unknown", ["d"])["d"].writes == []


def test_pruning_keeps_the_ancestors_that_a_replayed_channel_needs(
    tables: CheckpointTables,
) -> None:
    chain(tables, {0: b"s0", 2: b"s2"}, 5)
    before = tables.history("t", "", None, ["d"])
    tables.keep_latest(["t", "unknown"])
    assert [each.key.checkpoint for each in tables.rows()] == ["4", "3", "2"]
    assert tables.history("t", "", None, ["d"]) == before
    found = tables.get("t", "", None)
    assert found is not None and found.whole


def test_pruning_keeps_one_checkpoint_where_nothing_is_replayed(
    tables: CheckpointTables, path: Path
) -> None:
    chain(tables, {4: b"s4"}, 5)
    put(tables, row("0", {"a": "1"}, namespace="child"), a=b"c")
    tables.keep_latest(["t"])
    assert [each.key for each in tables.rows()] == [("t", "", "4"), ("t", "child", "0")]
    assert (count(path, "graph_channels"), count(path, "graph_writes")) == (3, 2)


def test_a_checkpoint_whose_history_lost_an_ancestor_is_not_whole(
    tables: CheckpointTables, path: Path
) -> None:
    chain(tables, {0: b"s0"}, 4)
    execute(path, "DELETE FROM graph_checkpoints WHERE checkpoint = '1'")
    found = tables.get("t", "", None)
    assert found is not None and not found.whole
    assert not tables.history("t", "", None, ["d"])["d"].whole


def test_a_circle_of_parents_is_not_followed_for_ever(tables: CheckpointTables) -> None:
    put(tables, row("1", {"d": "1"}, parent="2", held=(), replayed=("d",)))
    put(tables, row("2", {"d": "2"}, parent="1", held=(), replayed=("d",)))
    found = tables.get("t", "", None)
    assert found is not None and not found.whole


def test_threads_write_at_once_without_loss(tables: CheckpointTables, path: Path) -> None:
    def work(thread: str) -> None:
        for step in range(20):
            put(tables, row(f"{step:02}", {"a": str(step)}, thread=thread), a=b"v")

    workers = [threading.Thread(target=work, args=(f"t{number}",)) for number in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert (count(path, "graph_checkpoints"), count(path, "graph_channels")) == (80, 80)
