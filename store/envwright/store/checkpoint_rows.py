"""The tables of the checkpoint file and the rows that go in and out of them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from sqlalchemy import JSON, Column, Integer, LargeBinary, MetaData, Row, Table, Text

Packed = tuple[str, bytes]
"""A serialised value: the serialiser's name of its form, and the bytes."""

SCHEMA = MetaData()
SCHEMA_VERSION = 1
"""Stored in the file; a file of another version is emptied, for nothing depends on it."""

CHECKPOINTS = Table(
    "checkpoints",
    SCHEMA,
    Column("thread", Text, primary_key=True),
    Column("namespace", Text, primary_key=True),
    Column("checkpoint", Text, primary_key=True),
    Column("parent", Text),
    Column("run", Text, index=True),
    Column("versions", JSON, nullable=False),
    Column("held", JSON, nullable=False),
    Column("replayed", JSON, nullable=False),
    Column("body_form", Text, nullable=False),
    Column("body", LargeBinary, nullable=False),
    Column("metadata_form", Text, nullable=False),
    Column("metadata", LargeBinary, nullable=False),
)
CHANNELS = Table(
    "channels",
    SCHEMA,
    Column("thread", Text, primary_key=True),
    Column("namespace", Text, primary_key=True),
    Column("channel", Text, primary_key=True),
    Column("version", Text, primary_key=True),
    Column("form", Text, nullable=False),
    Column("value", LargeBinary, nullable=False),
)
WRITES = Table(
    "writes",
    SCHEMA,
    Column("thread", Text, primary_key=True),
    Column("namespace", Text, primary_key=True),
    Column("checkpoint", Text, primary_key=True),
    Column("task", Text, primary_key=True),
    Column("idx", Integer, primary_key=True),
    Column("path", Text, nullable=False),
    Column("channel", Text, nullable=False),
    Column("form", Text, nullable=False),
    Column("value", LargeBinary, nullable=False),
)


class CheckpointKey(NamedTuple):
    """Names one checkpoint."""

    thread: str
    namespace: str
    checkpoint: str


@dataclass(frozen=True, slots=True)
class CheckpointRow:
    """One checkpoint without the values of its channels."""

    key: CheckpointKey
    parent: str | None
    run: str | None
    versions: Mapping[str, str]
    """Channel to version; a value is kept once per (thread, namespace, channel, version)."""
    held: tuple[str, ...]
    """Channels that have a value here: without every one of them the checkpoint is useless."""
    replayed: tuple[str, ...]
    """Channels that are rebuilt from the writes of ancestors where they have no value here."""
    body: Packed
    metadata: Packed


@dataclass(frozen=True, slots=True)
class WriteRow:
    """One pending write of a task."""

    task: str
    index: int
    """Place in the task's list of writes; a negative one overwrites, others are first-wins."""
    path: str
    channel: str
    value: Packed


@dataclass(frozen=True, slots=True)
class SavedCheckpoint:
    """A checkpoint with all that is stored about it."""

    row: CheckpointRow
    values: Mapping[str, Packed]
    writes: tuple[WriteRow, ...]
    whole: bool
    """False where rows that it needs are gone; it must not be resumed from."""


@dataclass(slots=True)
class ChannelHistory:
    """How one channel came about: the nearest stored value and the writes since, oldest first."""

    seed: Packed | None = None
    writes: list[WriteRow] = field(default_factory=list)
    ancestors: list[str] = field(default_factory=list)
    """Checkpoints that the history needs, nearest first."""
    whole: bool = True
    """False where an ancestor on the way is gone."""


def checkpoint_fields(row: CheckpointRow) -> dict[str, Any]:
    """Return the columns of a checkpoint."""
    return {
        **row.key._asdict(),
        "parent": row.parent,
        "run": row.run,
        "versions": dict(row.versions),
        "held": list(row.held),
        "replayed": list(row.replayed),
        "body_form": row.body[0],
        "body": row.body[1],
        "metadata_form": row.metadata[0],
        "metadata": row.metadata[1],
    }


def checkpoint_row(found: Row[Any]) -> CheckpointRow:
    """Read a checkpoint from its columns."""
    return CheckpointRow(
        key=CheckpointKey(found.thread, found.namespace, found.checkpoint),
        parent=found.parent,
        run=found.run,
        versions=found.versions,
        held=tuple(found.held),
        replayed=tuple(found.replayed),
        body=(found.body_form, found.body),
        metadata=(found.metadata_form, found.metadata),
    )


def channel_fields(row: CheckpointRow, channel: str, packed: Packed) -> dict[str, Any]:
    """Return the columns of the value that a channel has at a checkpoint."""
    return {
        "thread": row.key.thread,
        "namespace": row.key.namespace,
        "channel": channel,
        "version": row.versions[channel],
        "form": packed[0],
        "value": packed[1],
    }


def write_fields(key: CheckpointKey, write: WriteRow) -> dict[str, Any]:
    """Return the columns of a pending write."""
    return {
        **key._asdict(),
        "task": write.task,
        "idx": write.index,
        "path": write.path,
        "channel": write.channel,
        "form": write.value[0],
        "value": write.value[1],
    }


def write_row(found: Row[Any]) -> WriteRow:
    """Read a pending write from its columns."""
    value = (found.form, found.value)
    return WriteRow(found.task, found.idx, found.path, found.channel, value)
