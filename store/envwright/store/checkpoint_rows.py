"""The tables of the graph checkpoints and the rows that go in and out of them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from sqlalchemy import JSON, Column, Integer, LargeBinary, MetaData, Row, Table, Text

Packed = tuple[str, bytes]
"""A serialised value: the serialiser's name of its form, and the bytes."""

SCHEMA = MetaData()
SCHEMA_VERSION = 2
"""Stored beside the tables; those of another version are made anew: nothing depends on them."""

# Ordered by code points, as SQLite orders by itself, whatever a server's locale.
_Text = Text().with_variant(Text(collation="C"), "postgresql")

CHECKPOINTS = Table(
    "graph_checkpoints",
    SCHEMA,
    Column("thread", _Text, primary_key=True),
    Column("namespace", _Text, primary_key=True),
    Column("checkpoint", _Text, primary_key=True),
    Column("parent", _Text),
    Column("run", _Text, index=True),
    Column("versions", JSON, nullable=False),
    Column("held", JSON, nullable=False),
    Column("replayed", JSON, nullable=False),
    Column("body_form", _Text, nullable=False),
    Column("body", LargeBinary, nullable=False),
    Column("metadata_form", _Text, nullable=False),
    Column("metadata", LargeBinary, nullable=False),
)
CHANNELS = Table(
    "graph_channels",
    SCHEMA,
    Column("thread", _Text, primary_key=True),
    Column("namespace", _Text, primary_key=True),
    Column("channel", _Text, primary_key=True),
    Column("version", _Text, primary_key=True),
    Column("form", _Text, nullable=False),
    Column("value", LargeBinary, nullable=False),
)
WRITES = Table(
    "graph_writes",
    SCHEMA,
    Column("thread", _Text, primary_key=True),
    Column("namespace", _Text, primary_key=True),
    Column("checkpoint", _Text, primary_key=True),
    Column("task", _Text, primary_key=True),
    Column("idx", Integer, primary_key=True),
    Column("path", _Text, nullable=False),
    Column("channel", _Text, nullable=False),
    Column("form", _Text, nullable=False),
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
