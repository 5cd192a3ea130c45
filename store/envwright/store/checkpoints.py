"""LangGraph checkpoints as rows: mutable tables beside the log that nothing depends on."""

from collections.abc import Callable, Collection, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    Table,
    bindparam,
    delete,
    literal,
    select,
    tuple_,
)

from envwright.store.checkpoint_file import DisposableFile
from envwright.store.checkpoint_rows import (
    CHANNELS,
    CHECKPOINTS,
    SCHEMA,
    SCHEMA_VERSION,
    WRITES,
    ChannelHistory,
    CheckpointKey,
    CheckpointRow,
    Packed,
    SavedCheckpoint,
    WriteRow,
    channel_fields,
    checkpoint_fields,
    checkpoint_row,
    write_fields,
    write_row,
)
from envwright.store.checkpoint_upserts import UPSERTS, replacing

if TYPE_CHECKING:
    from envwright.store.postgres.disposable import DisposableTables


class CheckpointTables:
    """Row operations on the checkpoint tables, each one transaction."""

    def __init__(self, location: str | Path) -> None:
        """Take a path, a `sqlite:///` URL or the URL of a database on a PostgreSQL server."""
        self._file = _open_place(location)
        self._upserts = UPSERTS[self._file.dialect]

    def close(self) -> None:
        """Close file or connections; the next operation opens them again."""
        self._file.close()

    def put(
        self, row: CheckpointRow, changed: Mapping[str, Packed], pack: Callable[[str], Packed]
    ) -> None:
        """Store a checkpoint with its changed channels.

        A held channel that did not change and is no longer stored (its rows were deleted in
        mid-run) is packed and stored again, so that every checkpoint stands on its own.
        """

        def store(connection: Connection) -> None:
            unchanged = [channel for channel in row.held if channel not in changed]
            kept = _stored_channels(connection, row, unchanged)
            lost = {channel: pack(channel) for channel in unchanged if channel not in kept}
            values = [
                channel_fields(row, channel, packed)
                for channel, packed in {**lost, **changed}.items()
            ]
            if values:
                connection.execute(self._upserts.channel, values)
            connection.execute(self._upserts.checkpoint, checkpoint_fields(row))

        self._file.write(store)

    def put_writes(self, key: CheckpointKey, writes: Iterable[WriteRow]) -> None:
        """Store pending writes; the checkpoint itself may not be stored yet."""
        replacing: list[dict[str, Any]] = []
        first_wins: list[dict[str, Any]] = []
        for write in writes:
            (replacing if write.index < 0 else first_wins).append(write_fields(key, write))

        def store(connection: Connection) -> None:
            if replacing:
                connection.execute(self._upserts.write, replacing)
            if first_wins:
                connection.execute(self._upserts.first_write, first_wins)

        self._file.write(store)

    def get(self, thread: str, namespace: str, checkpoint: str | None) -> SavedCheckpoint | None:
        """Return a checkpoint, or the latest of its namespace where none is named."""

        def load(connection: Connection) -> SavedCheckpoint | None:
            row = _find(connection, thread, namespace, checkpoint)
            return None if row is None else _load(connection, row)

        return self._file.read(load)

    def rows(
        self,
        *,
        thread: str | None = None,
        namespace: str | None = None,
        checkpoint: str | None = None,
        before: str | None = None,
    ) -> list[CheckpointRow]:
        """Return the matching checkpoints, newest first."""
        columns = CHECKPOINTS.c
        wanted = ((columns.thread, thread), (columns.namespace, namespace))
        conditions = [column == value for column, value in wanted if value is not None]
        if checkpoint is not None:
            conditions.append(columns.checkpoint == checkpoint)
        if before is not None:
            conditions.append(columns.checkpoint < before)
        query = select(CHECKPOINTS).where(*conditions).order_by(columns.checkpoint.desc())
        return self._file.read(lambda connection: _rows(connection, query))

    def history(
        self, thread: str, namespace: str, checkpoint: str | None, channels: Collection[str]
    ) -> dict[str, ChannelHistory]:
        """Return how `channels` came about before a checkpoint, or before the latest one."""

        def load(connection: Connection) -> dict[str, ChannelHistory]:
            row = _find(connection, thread, namespace, checkpoint)
            if row is None:
                return {channel: ChannelHistory() for channel in channels}
            histories = _trace(connection, row, channels)
            _add_writes(connection, row.key, histories)
            return histories

        return self._file.read(load)

    def delete_thread(self, thread: str) -> None:
        """Delete everything about a thread."""

        def clear(connection: Connection) -> None:
            for table in (CHECKPOINTS, CHANNELS, WRITES):
                connection.execute(delete(table).where(table.c.thread == thread))

        self._file.write(clear)

    def delete_runs(self, runs: Collection[str]) -> None:
        """Delete the checkpoints that these runs made, with their writes."""
        query = select(CHECKPOINTS).where(CHECKPOINTS.c.run.in_(sorted(runs)))
        self._file.write(lambda connection: _drop(connection, _rows(connection, query)))

    def copy_thread(self, source: str, target: str) -> None:
        """Copy every checkpoint, value and write of a thread to another thread."""

        def copy(connection: Connection) -> None:
            for table in (CHECKPOINTS, CHANNELS, WRITES):
                names = [column.name for column in table.c]
                rows = select(literal(target), *list(table.c)[1:]).where(table.c.thread == source)
                insert = self._upserts.insert(table).from_select(names, rows)
                connection.execute(replacing(insert))

        if source != target:
            self._file.write(copy)

    def keep_latest(self, threads: Collection[str]) -> None:
        """Delete all but the newest checkpoint of each namespace, and what that one rests on."""

        def prune(connection: Connection) -> None:
            for thread in sorted(threads):
                query = select(CHECKPOINTS).where(CHECKPOINTS.c.thread == thread)
                rows = _rows(connection, query.order_by(CHECKPOINTS.c.checkpoint))
                latest = {row.key.namespace: row for row in rows}
                kept = {key for row in latest.values() for key in _needed(connection, row)}
                _drop(connection, [row for row in rows if row.key not in kept])

        self._file.write(prune)


def _same(table: Table, *names: str) -> list[ColumnElement[bool]]:
    return [table.c[name] == bindparam(name) for name in names]


_KEY = CheckpointKey._fields
_LATEST = CHECKPOINTS.c.checkpoint.desc()
_GET_LATEST = select(CHECKPOINTS).where(*_same(CHECKPOINTS, *_KEY[:2])).order_by(_LATEST).limit(1)
_GET_ONE = select(CHECKPOINTS).where(*_same(CHECKPOINTS, *_KEY))
_GET_WRITES = (
    select(WRITES).where(*_same(WRITES, *_KEY)).order_by(WRITES.c.path, WRITES.c.task, WRITES.c.idx)
)
_AT_VERSIONS = (
    *_same(CHANNELS, *_KEY[:2]),
    tuple_(CHANNELS.c.channel, CHANNELS.c.version).in_(bindparam("pairs", expanding=True)),
)
_GET_STORED = select(CHANNELS.c.channel).where(*_AT_VERSIONS)
_GET_VALUES = select(CHANNELS.c.channel, CHANNELS.c.form, CHANNELS.c.value).where(*_AT_VERSIONS)


def _open_place(location: str | Path) -> "DisposableFile | DisposableTables":
    if not str(location).startswith("postgres"):
        return DisposableFile(location, SCHEMA, version=SCHEMA_VERSION)
    # Whoever has no server need not have its driver.
    from envwright.store.postgres.disposable import DisposableTables

    return DisposableTables(str(location), SCHEMA, version=SCHEMA_VERSION)


def _rows(connection: Connection, query: Select[Any]) -> list[CheckpointRow]:
    return [checkpoint_row(found) for found in connection.execute(query)]


def _find(
    connection: Connection, thread: str, namespace: str, checkpoint: str | None
) -> CheckpointRow | None:
    parameters = {"thread": thread, "namespace": namespace}
    query = _GET_LATEST
    if checkpoint is not None:
        query, parameters["checkpoint"] = _GET_ONE, checkpoint
    found = connection.execute(query, parameters).one_or_none()
    return None if found is None else checkpoint_row(found)


def _stored(
    connection: Connection, query: Select[Any], row: CheckpointRow, channels: Iterable[str]
) -> Iterable[Any]:
    """Run a query on the values that `channels` have at a checkpoint."""
    pairs = [(name, row.versions[name]) for name in channels if name in row.versions]
    if not pairs:
        return ()
    place = {"thread": row.key.thread, "namespace": row.key.namespace}
    return connection.execute(query, {**place, "pairs": pairs})


def _stored_channels(
    connection: Connection, row: CheckpointRow, channels: Iterable[str]
) -> set[str]:
    return {channel for (channel,) in _stored(connection, _GET_STORED, row, channels)}


def _values(
    connection: Connection, row: CheckpointRow, channels: Iterable[str]
) -> dict[str, Packed]:
    found = _stored(connection, _GET_VALUES, row, channels)
    return {channel: (form, value) for channel, form, value in found}


def _writes_of(connection: Connection, key: CheckpointKey) -> tuple[WriteRow, ...]:
    return tuple(map(write_row, connection.execute(_GET_WRITES, key._asdict())))


def _load(connection: Connection, row: CheckpointRow) -> SavedCheckpoint:
    values = _values(connection, row, row.versions)
    rebuilt = [channel for channel in row.replayed if channel not in values]
    whole = values.keys() >= set(row.held) and all(
        history.whole for history in _trace(connection, row, rebuilt).values()
    )
    return SavedCheckpoint(row, values, _writes_of(connection, row.key), whole)


def _trace(
    connection: Connection, row: CheckpointRow, channels: Collection[str]
) -> dict[str, ChannelHistory]:
    """Walk the parents until each channel meets a stored value or the root."""
    histories = {channel: ChannelHistory() for channel in channels}
    seeking, parent = set(channels), row.parent
    seen = {row.key.checkpoint}
    while parent is not None and parent not in seen and seeking:
        seen.add(parent)
        ancestor = _find(connection, row.key.thread, row.key.namespace, parent)
        if ancestor is None:
            break
        values = _values(connection, ancestor, seeking)
        for channel in seeking:
            histories[channel].ancestors.append(parent)
            histories[channel].seed = values.get(channel)
        seeking -= values.keys()
        parent = ancestor.parent
    for channel in seeking:
        histories[channel].whole = parent is None
    return histories


def _add_writes(
    connection: Connection, key: CheckpointKey, histories: Mapping[str, ChannelHistory]
) -> None:
    longest = max((history.ancestors for history in histories.values()), key=len, default=[])
    for depth in reversed(range(len(longest))):
        for write in _writes_of(connection, key._replace(checkpoint=longest[depth])):
            history = histories.get(write.channel)
            if history is not None and depth < len(history.ancestors):
                history.writes.append(write)


def _needed(connection: Connection, row: CheckpointRow) -> set[CheckpointKey]:
    """Return the checkpoint and the ancestors that its replayed channels are rebuilt from."""
    stored = _stored_channels(connection, row, row.replayed)
    rebuilt = [channel for channel in row.replayed if channel not in stored]
    histories = _trace(connection, row, rebuilt)
    ancestors = {name for history in histories.values() for name in history.ancestors}
    return {row.key, *(row.key._replace(checkpoint=name) for name in ancestors)}


def _drop(connection: Connection, rows: Collection[CheckpointRow]) -> None:
    if not rows:
        return
    keys = [row.key._asdict() for row in rows]
    for table in (CHECKPOINTS, WRITES):
        connection.execute(delete(table).where(*_same(table, *_KEY)), keys)
    for thread in sorted({row.key.thread for row in rows}):
        _drop_unused_channels(connection, thread)


def _drop_unused_channels(connection: Connection, thread: str) -> None:
    left = select(CHECKPOINTS).where(CHECKPOINTS.c.thread == thread)
    used = {
        (row.key.namespace, channel, version)
        for row in _rows(connection, left)
        for channel, version in row.versions.items()
    }
    names = ("thread", "namespace", "channel", "version")
    stored = connection.execute(
        select(*[CHANNELS.c[name] for name in names]).where(CHANNELS.c.thread == thread)
    )
    unused = [found._asdict() for found in stored if tuple(found)[1:] not in used]
    if unused:
        connection.execute(delete(CHANNELS).where(*_same(CHANNELS, *names)), unused)
