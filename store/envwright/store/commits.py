"""Commits: everything that one commit does inside a write transaction, all of it or nothing."""

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
from envwright.store.transaction import Rows, Statement, Transaction

_RECORDED = """
    SELECT idempotency_key, position, sequence, stream, type, payload_hash FROM events
    WHERE idempotency_key
"""
_HEAD = "SELECT sequence, hash FROM events WHERE stream = ? ORDER BY sequence DESC LIMIT 1"
_LEASE = "SELECT token, state FROM leases WHERE work = ?"
_FINISH = "UPDATE leases SET state = 'done' WHERE work = ?"
_HANDLED = "SELECT work FROM inbox WHERE group_name = ? AND event_id = ?"
_HANDLE = "INSERT INTO inbox (group_name, event_id, work, basis) VALUES (?, ?, ?, ?)"
_CURSOR = "SELECT position FROM cursors WHERE name = ?"
_MOVE = """
    INSERT INTO cursors (name, position) VALUES (?, ?)
    ON CONFLICT (name) DO UPDATE SET position = excluded.position
"""
_PROJECT = """
    INSERT INTO projections (projection, key, value) VALUES (?, ?, ?)
    ON CONFLICT (projection, key) DO UPDATE SET value = excluded.value
"""
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
    commit = prepared.commit
    found = _look_up(transaction, prepared)
    finished = _check_fence(found, commit.fence)
    _check_recorded(found, prepared)
    if _is_repeat(found, prepared, finished):
        return _committed(prepared, found.recorded, {})
    if finished:
        assert commit.fence is not None
        raise FencedError(
            f"work {commit.fence.work!r} is done already; this commit would add to it: drop it"
        )
    placed = _place_all(found, prepared)
    if commit.inbox or commit.cursor or commit.projections:
        handling = _handling(found, commit.inbox, commit.fence)
        moving = _moving(found, commit.cursor)
        projecting = map(_projecting, commit.projections)
        transaction.together([*handling, *moving, *projecting])
    return _committed(prepared, found.recorded, _insert(transaction, placed))


@dataclass(slots=True)
class _Found:
    """What the log has of what a commit is about."""

    recorded: dict[str, Recorded]
    heads: dict[str, tuple[int, str]]
    """Stream to the sequence and hash of its last event."""
    lease: tuple[int, str] | None = None
    """Token and state of the fenced work."""
    handler: str | None = None
    """The work that has handled the cause of the inbox entry."""
    cursor: int = 0


def _look_up(transaction: Transaction, prepared: PreparedCommit) -> _Found:
    """Ask for all of it at once: with a server each question alone would be a round trip."""
    commit, keys = prepared.commit, prepared.keys
    streams = dict.fromkeys(append.stream for append in commit.appends)
    questions: list[Statement] = [(_HEAD, (stream,)) for stream in streams]
    for start in range(0, len(keys), _KEYS):
        among, some = transaction.dialect.among(keys[start : start + _KEYS])
        questions.append((f"{_RECORDED} {among}", some))
    if commit.fence is not None:
        questions.append((_LEASE, (commit.fence.work,)))
    if commit.inbox is not None:
        questions.append((_HANDLED, (commit.inbox.group, commit.inbox.event_id)))
    if commit.cursor is not None:
        questions.append((_CURSOR, (commit.cursor.name,)))
    answers = iter(transaction.together(questions))
    found = _Found({}, {})
    for stream in streams:
        found.heads[stream] = next(answers).fetchone() or (0, GENESIS)
    for _ in range(0, len(keys), _KEYS):
        for key, *rest in next(answers):
            found.recorded[key] = Recorded(*rest)
    _take_single(found, commit, answers)
    return found


def _take_single(found: _Found, commit: Commit, answers: Iterator[Rows]) -> None:
    """Take the answers about fence, inbox entry and cursor, each of at most one row."""
    if commit.fence is not None:
        found.lease = next(answers).fetchone()
    if commit.inbox is not None and (row := next(answers).fetchone()):
        found.handler = str(row[0])
    if commit.cursor is not None and (row := next(answers).fetchone()):
        found.cursor = int(row[0])


def _check_fence(found: _Found, fence: Fence | None) -> bool:
    """Raise where the token is stale; return whether the fenced work is done under this token."""
    if fence is None:
        return False
    if found.lease is None:
        raise FencedError(f"work {fence.work!r} was never claimed; claim it first")
    token, state = found.lease
    if token != fence.token or state not in ("held", "done"):
        raise FencedError(
            f"work {fence.work!r} is {state} under token {token}, this commit carries token "
            f"{fence.token}: drop the work"
        )
    return bool(state == "done")


def _check_recorded(found: _Found, prepared: PreparedCommit) -> None:
    known = found.recorded
    for event in chain.from_iterable(prepared.events) if known else ():
        earlier = known.get(event.event.idempotency_key)
        if earlier and earlier[2:] != (event.stream, event.event.type, event.payload_hash):
            raise IdempotencyError(
                f"idempotency key {event.event.idempotency_key!r} stands for {earlier.type!r} on "
                f"{earlier.stream!r} at position {earlier.position}; {event.event.type!r} on "
                f"{event.stream!r} has another payload"
            )


def _is_repeat(found: _Found, prepared: PreparedCommit, finished: bool) -> bool:
    """Say whether the whole commit happened before, so that only its answer was lost.

    A commit without events is told from a second handling of the same cause by its fence alone.
    """
    commit = prepared.commit
    if len(found.recorded) != len(prepared.keys):
        return False
    if commit.inbox is not None and found.handler != commit.inbox.work:
        return False
    if commit.cursor is not None and found.cursor != commit.cursor.position:
        return False
    return bool(prepared.keys) or (finished and commit.inbox is not None)


def _place_all(found: _Found, prepared: PreparedCommit) -> list[tuple[Placed, bytes]]:
    heads, recorded = found.heads, found.recorded
    placed: list[tuple[Placed, bytes]] = []
    for append, events in zip(prepared.commit.appends, prepared.events, strict=True):
        stream = append.stream
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


def _handling(found: _Found, entry: InboxEntry | None, fence: Fence | None) -> Iterator[Statement]:
    if entry is None:
        return
    if found.handler is not None:
        raise ConcurrencyError(
            f"group {entry.group!r} has handled event {entry.event_id!r} already; drop the work"
        )
    basis = encode(entry.basis).decode("ascii")
    yield _HANDLE, (entry.group, entry.event_id, entry.work, basis)
    if fence is not None:
        yield _FINISH, (fence.work,)


def _moving(found: _Found, move: CursorMove | None) -> Iterator[Statement]:
    if move is None:
        return
    if found.cursor != move.expected:
        raise ConcurrencyError(
            f"cursor {move.name!r} is at {found.cursor}, not at the expected {move.expected}; "
            "read it again and retry"
        )
    yield _MOVE, (move.name, move.position)


def _projecting(write: ProjectionWrite) -> Statement:
    if write.value is None:
        return _UNPROJECT, (write.projection, write.key)
    return _PROJECT, (write.projection, write.key, write.value)


def _insert(transaction: Transaction, placed: list[tuple[Placed, bytes]]) -> dict[str, int]:
    """Take positions from the head row and insert; returns them by idempotency key."""
    if not placed:
        return {}
    try:
        last = transaction.append(placed)
    except transaction.raw.IntegrityError as error:
        raise IdempotencyError(f"an event id of this commit is taken: {error}") from error
    first = last - len(placed) + 1
    return {row.idempotency_key: at for at, (row, _) in enumerate(placed, start=first)}


def _committed(
    prepared: PreparedCommit, recorded: Mapping[str, Recorded], inserted: Mapping[str, int]
) -> Committed:
    positions = tuple(
        inserted[key] if key in inserted else recorded[key].position for key in prepared.keys
    )
    return Committed(positions=positions, repeated=len(recorded))
