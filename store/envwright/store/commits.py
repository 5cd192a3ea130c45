"""Commits: everything that one commit does inside a write transaction, all of it or nothing."""

import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

from envwright.events import GENESIS, encode
from envwright.events.errors import ConcurrencyError, FencedError, IdempotencyError, LogError
from envwright.events.ports import (
    Append,
    ArtifactStore,
    Commit,
    Committed,
    CursorMove,
    Fence,
    InboxEntry,
    ProjectionWrite,
)
from envwright.store.records import Placed, PreparedEvent, place, prepare
from envwright.store.transaction import TIMESTAMP, Transaction

_RECORDED = """
    SELECT idempotency_key, position, sequence, stream, type, payload_hash FROM events
    WHERE idempotency_key IN
"""
_HEAD = "SELECT sequence, hash FROM events WHERE stream = ? ORDER BY sequence DESC LIMIT 1"
_TAKE = f"""
    UPDATE log_head SET position = position + ? WHERE id = 1 RETURNING position, {TIMESTAMP}
"""
_INSERT_EVENT = "INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_INSERT_PAYLOAD = "INSERT INTO payloads VALUES (?, ?)"
_LEASE = "SELECT token, state FROM leases WHERE work = ?"
_FINISH = "UPDATE leases SET state = 'done' WHERE work = ?"
_HANDLED = "SELECT work FROM inbox WHERE group_name = ? AND event_id = ?"
_HANDLE = "INSERT INTO inbox (group_name, event_id, work, basis) VALUES (?, ?, ?, ?)"
_CURSOR = "SELECT position FROM cursors WHERE name = ?"
_MOVE = "INSERT OR REPLACE INTO cursors (name, position) VALUES (?, ?)"
_PROJECT = "INSERT OR REPLACE INTO projections (projection, key, value) VALUES (?, ?, ?)"
_UNPROJECT = "DELETE FROM projections WHERE projection = ? AND key = ?"

# SQLite binds at most 32,766 values in one statement.
_KEYS = 1000


class Recorded(NamedTuple):
    """Where and as what an idempotency key was recorded."""

    position: int
    sequence: int
    stream: str
    type: str
    payload_hash: str


@dataclass(frozen=True, slots=True)
class PreparedCommit:
    """A commit whose events are encoded, outside any transaction."""

    commit: Commit
    events: tuple[tuple[PreparedEvent, ...], ...]
    """Parallel to the commit's appends."""
    keys: tuple[str, ...]
    """Idempotency keys of all events in the order of the appends."""


def prepare_commit(commit: Commit, artifacts: ArtifactStore) -> PreparedCommit:
    """Check and encode a commit, outside any transaction.

    Raises:
        LogError: an event is not on its own stream, or inbox and fence name different work.
        IdempotencyError: two of its events share an idempotency key.
    """
    for append in commit.appends:
        for event in append.events:
            if event.fact.stream != append.stream:
                raise LogError(
                    f"{event.type!r} belongs on {event.fact.stream!r}, not on {append.stream!r}"
                )
    keys = tuple(event.idempotency_key for append in commit.appends for event in append.events)
    if len(set(keys)) != len(keys):
        twice = sorted({key for key in keys if keys.count(key) > 1})
        raise IdempotencyError(f"idempotency keys used twice in one commit: {twice}")
    if commit.inbox and commit.fence and commit.inbox.work != commit.fence.work:
        raise LogError(
            f"the inbox entry is for work {commit.inbox.work!r}, the fence for "
            f"{commit.fence.work!r}; one commit finishes one piece of work"
        )
    events = tuple(
        tuple(prepare(event, append.stream, artifacts) for event in append.events)
        for append in commit.appends
    )
    return PreparedCommit(commit, events, keys)


def apply(transaction: Transaction, prepared: PreparedCommit) -> Committed:
    """Apply a commit inside a write transaction; positions are taken last.

    The raised errors are those of `Log.commit`; the caller undoes what was done before one.
    """
    raw, commit = transaction.raw, prepared.commit
    finished = _check_fence(raw, commit.fence)
    recorded = _recorded(raw, prepared)
    if _is_repeat(raw, prepared, recorded, finished):
        return _committed(prepared, recorded, {})
    if finished:
        assert commit.fence is not None
        raise FencedError(
            f"work {commit.fence.work!r} is done already; this commit would add to it: drop it"
        )
    placed = _place_all(raw, prepared, recorded)
    _handle(raw, commit.inbox, commit.fence)
    _move(raw, commit.cursor)
    _project(raw, commit.projections)
    return _committed(prepared, recorded, _insert(transaction, placed))


def _check_fence(raw: sqlite3.Connection, fence: Fence | None) -> bool:
    """Raise where the token is stale; return whether the fenced work is done under this token."""
    if fence is None:
        return False
    row = raw.execute(_LEASE, (fence.work,)).fetchone()
    if row is None:
        raise FencedError(f"work {fence.work!r} was never claimed; claim it first")
    token, state = row
    if token != fence.token or state not in ("held", "done"):
        raise FencedError(
            f"work {fence.work!r} is {state} under token {token}, this commit carries token "
            f"{fence.token}: drop the work"
        )
    return bool(state == "done")


def _recorded(raw: sqlite3.Connection, prepared: PreparedCommit) -> dict[str, Recorded]:
    known = dict(_look_up(raw, prepared.keys))
    for event in chain.from_iterable(prepared.events) if known else ():
        found = known.get(event.event.idempotency_key)
        if found and found[2:] != (event.stream, event.event.type, event.payload_hash):
            raise IdempotencyError(
                f"idempotency key {event.event.idempotency_key!r} stands for {found.type!r} on "
                f"{found.stream!r} at position {found.position}; {event.event.type!r} on "
                f"{event.stream!r} has another payload"
            )
    return known


def _look_up(raw: sqlite3.Connection, keys: tuple[str, ...]) -> Iterator[tuple[str, Recorded]]:
    for start in range(0, len(keys), _KEYS):
        some = keys[start : start + _KEYS]
        query = f"{_RECORDED} ({', '.join('?' * len(some))})"
        for key, *found in raw.execute(query, some):
            yield key, Recorded(*found)


def _is_repeat(
    raw: sqlite3.Connection,
    prepared: PreparedCommit,
    recorded: Mapping[str, Recorded],
    finished: bool,
) -> bool:
    """Say whether the whole commit happened before, so that only its answer was lost.

    A commit without events is told from a second handling of the same cause by its fence alone.
    """
    commit = prepared.commit
    if len(recorded) != len(prepared.keys):
        return False
    if commit.inbox is not None and _handled_by(raw, commit.inbox) != commit.inbox.work:
        return False
    if commit.cursor is not None and _cursor(raw, commit.cursor.name) != commit.cursor.position:
        return False
    return bool(prepared.keys) or (finished and commit.inbox is not None)


def _place_all(
    raw: sqlite3.Connection, prepared: PreparedCommit, recorded: Mapping[str, Recorded]
) -> list[tuple[Placed, bytes]]:
    heads: dict[str, tuple[int, str]] = {}
    placed: list[tuple[Placed, bytes]] = []
    for append, events in zip(prepared.commit.appends, prepared.events, strict=True):
        stream = append.stream
        if stream not in heads:
            heads[stream] = raw.execute(_HEAD, (stream,)).fetchone() or (0, GENESIS)
        sequence, previous = heads[stream]
        _check_expected(append, sequence, recorded)
        for event in events:
            if event.event.idempotency_key in recorded:
                continue
            sequence += 1
            row = place(event, sequence, previous)
            previous = row.hash
            placed.append((row, event.payload))
        heads[stream] = (sequence, previous)
    return placed


def _check_expected(append: Append, version: int, recorded: Mapping[str, Recorded]) -> None:
    """Compare versions, not counting what this very append had recorded past `expected` before."""
    if append.expected is None:
        return
    known = [
        recorded[event.idempotency_key]
        for event in append.events
        if event.idempotency_key in recorded
    ]
    if append.events and len(known) == len(append.events):
        return
    mine = sum(1 for found in known if found.sequence > append.expected)
    if version - mine != append.expected:
        raise ConcurrencyError(
            f"stream {append.stream!r} is at version {version}, not at the expected "
            f"{append.expected}; read it again and retry"
        )


def _handled_by(raw: sqlite3.Connection, entry: InboxEntry) -> str | None:
    row = raw.execute(_HANDLED, (entry.group, entry.event_id)).fetchone()
    return None if row is None else str(row[0])


def _handle(raw: sqlite3.Connection, entry: InboxEntry | None, fence: Fence | None) -> None:
    if entry is None:
        return
    if _handled_by(raw, entry) is not None:
        raise ConcurrencyError(
            f"group {entry.group!r} has handled event {entry.event_id!r} already; drop the work"
        )
    basis = encode(entry.basis).decode("ascii")
    raw.execute(_HANDLE, (entry.group, entry.event_id, entry.work, basis))
    if fence is not None:
        raw.execute(_FINISH, (fence.work,))


def _cursor(raw: sqlite3.Connection, name: str) -> int:
    row = raw.execute(_CURSOR, (name,)).fetchone()
    return 0 if row is None else int(row[0])


def _move(raw: sqlite3.Connection, move: CursorMove | None) -> None:
    if move is None:
        return
    position = _cursor(raw, move.name)
    if position != move.expected:
        raise ConcurrencyError(
            f"cursor {move.name!r} is at {position}, not at the expected {move.expected}; "
            "read it again and retry"
        )
    raw.execute(_MOVE, (move.name, move.position))


def _project(raw: sqlite3.Connection, writes: tuple[ProjectionWrite, ...]) -> None:
    for write in writes:
        if write.value is None:
            raw.execute(_UNPROJECT, (write.projection, write.key))
        else:
            raw.execute(_PROJECT, (write.projection, write.key, write.value))


def _insert(transaction: Transaction, placed: list[tuple[Placed, bytes]]) -> dict[str, int]:
    """Take positions from the head row and insert; returns them by idempotency key."""
    if not placed:
        return {}
    raw, count = transaction.raw, len(placed)
    last, recorded_at = raw.execute(_TAKE, (count, transaction.shift())).fetchone()
    numbered = list(enumerate(placed, start=last - count + 1))
    try:
        raw.executemany(
            _INSERT_EVENT, [(position, *row, recorded_at) for position, (row, _) in numbered]
        )
    except sqlite3.IntegrityError as error:
        raise IdempotencyError(f"an event id of this commit is taken: {error}") from error
    raw.executemany(_INSERT_PAYLOAD, [(position, body) for position, (_, body) in numbered])
    return {row.idempotency_key: position for position, (row, _) in numbered}


def _committed(
    prepared: PreparedCommit, recorded: Mapping[str, Recorded], inserted: Mapping[str, int]
) -> Committed:
    positions = tuple(
        inserted[key] if key in inserted else recorded[key].position for key in prepared.keys
    )
    return Committed(positions=positions, repeated=len(recorded))
