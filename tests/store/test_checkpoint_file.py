"""The disposable file survives what people and disks do to it."""

import sqlite3
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from sqlalchemy import Column, Connection, Integer, MetaData, Table, func, insert, select

from envwright.events.errors import BadInputError, InfrastructureError
from envwright.store.checkpoint_file import DisposableFile

SCHEMA = MetaData()
NUMBERS = Table("numbers", SCHEMA, Column("number", Integer))


def add(connection: Connection) -> None:
    connection.execute(insert(NUMBERS).values(number=1))


def count(connection: Connection) -> int:
    return connection.execute(select(func.count()).select_from(NUMBERS)).scalar_one()


def open_file(path: Path | str, *, version: int = 1, patience: float = 5.0) -> DisposableFile:
    return DisposableFile(path, SCHEMA, version=version, patience=patience)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "home" / "checkpoints.sqlite"


def test_rows_outlive_the_process_that_wrote_them(path: Path) -> None:
    first = open_file(path)
    first.write(add)
    first.close()
    second = open_file(f"sqlite:///{path}")
    assert second.read(count) == 1
    second.close()


def test_a_closed_file_opens_again_on_use(path: Path) -> None:
    file = open_file(path)
    file.write(add)
    file.close()
    assert file.read(count) == 1
    file.close()


@pytest.mark.parametrize("with_companions", [True, False])
def test_a_file_deleted_between_two_transactions_is_created_anew(
    path: Path, with_companions: bool
) -> None:
    file = open_file(path)
    file.write(add)
    for found in list(path.parent.iterdir()):
        if with_companions or found == path:
            found.unlink()
    assert file.read(count) == 0
    file.write(add)
    assert file.read(count) == 1
    file.close()


def test_a_file_that_another_process_replaced_is_noticed(path: Path, tmp_path: Path) -> None:
    other = open_file(tmp_path / "other.sqlite")
    other.write(add)
    other.write(add)
    other.close()
    file = open_file(path)
    file.write(add)
    for suffix in ("-wal", "-shm"):
        path.with_name(path.name + suffix).unlink()
    (tmp_path / "other.sqlite").replace(path)
    assert file.read(count) == 2
    file.close()


GARBAGE = [b"not a database" * 1000, b"SQLite format 3\0" + b"\7" * 9000]


@pytest.mark.parametrize("content", GARBAGE)
def test_a_damaged_file_is_set_aside(path: Path, content: bytes) -> None:
    file = open_file(path)
    file.write(add)
    file.close()
    path.write_bytes(content)
    file.write(add)
    assert file.read(count) == 1
    file.close()
    assert path.with_name(path.name + ".damaged").read_bytes() == content


@pytest.mark.parametrize("content", GARBAGE)
def test_damage_to_an_open_file_stops_neither_it_nor_the_next_one(
    path: Path, content: bytes
) -> None:
    file = open_file(path)
    file.write(add)
    path.write_bytes(content)
    path.with_name(path.name + "-wal").unlink()
    file.write(add)
    file.close()
    after = open_file(path)
    before = after.read(count)
    after.write(add)
    assert after.read(count) == before + 1
    after.close()


def test_a_file_cut_to_nothing_is_filled_again(path: Path) -> None:
    file = open_file(path)
    file.write(add)
    file.close()
    path.write_bytes(b"")
    assert file.read(count) == 0
    file.close()


def test_a_dropped_table_is_created_anew(path: Path) -> None:
    file = open_file(path)
    file.write(add)
    with sqlite3.connect(path) as intruder:
        intruder.execute("DROP TABLE numbers")
    intruder.close()
    assert file.read(count) == 0
    file.write(add)
    assert file.read(count) == 1
    file.close()


def test_a_file_of_another_schema_version_is_emptied(path: Path) -> None:
    old = open_file(path, version=1)
    old.write(add)
    old.close()
    new = open_file(path, version=2)
    assert new.read(count) == 0
    new.close()


def test_a_failed_transaction_leaves_nothing_behind(path: Path) -> None:
    file = open_file(path)

    def fail(connection: Connection) -> None:
        add(connection)
        raise RuntimeError("stop")

    with pytest.raises(RuntimeError, match="stop"):
        file.write(fail)
    assert file.read(count) == 0
    file.close()


@pytest.mark.parametrize(
    "location", ["postgresql://host/base", "sqlite://", "sqlite:///:memory:", "::://"]
)
def test_only_a_sqlite_file_is_accepted(location: str) -> None:
    with pytest.raises(BadInputError, match="give a path or a URL"):
        open_file(location)


def test_a_place_that_cannot_hold_a_file_is_an_infrastructure_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(InfrastructureError, match="check free space and permissions"):
        open_file(tmp_path / "file" / "checkpoints.sqlite").write(add)


def test_a_file_that_stays_locked_is_an_infrastructure_error(path: Path) -> None:
    file = open_file(path, patience=0.1)
    file.write(add)
    holder = sqlite3.connect(path, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    with pytest.raises(InfrastructureError, match="locked"):
        file.write(add)
    holder.execute("ROLLBACK")
    holder.close()
    file.write(add)
    assert file.read(count) == 2
    file.close()


def test_threads_share_one_file(path: Path) -> None:
    file = open_file(path)
    threads = [
        threading.Thread(target=lambda: [file.write(add) for _ in range(25)]) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert file.read(count) == 100
    file.close()


PREAMBLE = """
import sys
from sqlalchemy import Column, Integer, MetaData, Table, insert
from envwright.store.checkpoint_file import DisposableFile
schema = MetaData()
numbers = Table("numbers", schema, Column("number", Integer))
file = DisposableFile(sys.argv[1], schema, version=1)
def add(connection):
    connection.execute(insert(numbers).values(number=1))
"""
WRITER = """
for _ in range(int(sys.argv[2])):
    file.write(add)
file.close()
"""


def start_writer(path: Path, times: int) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", PREAMBLE + WRITER, str(path), str(times)]
    return subprocess.Popen(command, stderr=subprocess.PIPE, text=True)


def finish(writer: subprocess.Popen[str]) -> tuple[int, str]:
    errors = writer.communicate(timeout=60)[1]
    return writer.returncode, errors


def test_processes_share_one_file(path: Path) -> None:
    writers = [start_writer(path, 50) for _ in range(3)]
    assert [finish(writer) for writer in writers] == [(0, "")] * 3
    file = open_file(path)
    assert file.read(count) == 150
    file.close()


def test_processes_survive_the_deletion_of_the_file_under_them(path: Path) -> None:
    writers = [start_writer(path, 300) for _ in range(2)]
    deleted = 0
    while any(writer.poll() is None for writer in writers):
        if path.exists():
            path.unlink(missing_ok=True)
            deleted += 1
        time.sleep(0.05)
    assert [finish(writer)[0] for writer in writers] == [0, 0]
    assert deleted > 1
