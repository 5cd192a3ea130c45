"""The LangGraph checkpointer over the checkpoint tables: for inspection and shorter restarts."""

import asyncio
import logging
import secrets
from collections.abc import AsyncIterator, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Self

import ormsgpack
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    WRITES_IDX_MAP,
    BaseCheckpointSaver,
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
    DeltaChannelHistory,
    PendingWrite,
    get_checkpoint_id,
    get_checkpoint_metadata,
)

from envwright.agents.checkpoint_serializer import StrictSerializer
from envwright.store.checkpoint_rows import CheckpointKey, CheckpointRow, SavedCheckpoint, WriteRow
from envwright.store.checkpoints import CheckpointTables

_log = logging.getLogger(__name__)


class Checkpointer(BaseCheckpointSaver[str]):
    """Saves graph state in a file of its own; losing the file at any moment changes no outcome."""

    def __init__(self, location: str | Path, *, allowed: Collection[type] = ()) -> None:
        """Take a path or a `sqlite:///` URL, and the classes that graph state may hold."""
        super().__init__(serde=StrictSerializer(allowed))
        self._tables = CheckpointTables(location)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._tables.close()

    def get_next_version(self, current: str | float | None, channel: None) -> str:
        """Return a version above `current`, unlike that of any fork from the same checkpoint."""
        number = 0 if current is None else int(str(current).split(".")[0])
        return f"{number + 1:032}.{secrets.token_hex(8)}"

    def put(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Store a checkpoint with the channels that changed."""
        parent = get_checkpoint_id(config)
        key = _key(config)._replace(checkpoint=checkpoint["id"])
        values = checkpoint["channel_values"]
        versions = {name: str(version) for name, version in checkpoint["channel_versions"].items()}
        versions |= {name: str(version) for name, version in new_versions.items()}
        details = get_checkpoint_metadata(config, metadata)
        run = details.get("run_id")
        row = CheckpointRow(
            key=key,
            parent=parent,
            run=None if run is None else str(run),
            versions=versions,
            held=tuple(sorted(values.keys() & versions.keys())),
            replayed=tuple(
                sorted(details.get("counters_since_delta_snapshot", {}).keys() & versions.keys())
            ),
            body=self.serde.dumps_typed({**checkpoint, "channel_values": {}}),
            metadata=self.serde.dumps_typed(details),
        )
        changed = {
            name: self.serde.dumps_typed(values[name]) for name in new_versions if name in values
        }
        self._tables.put(row, changed, lambda name: self.serde.dumps_typed(values[name]))
        return _config(key)

    def put_writes(
        self,
        config: RunnableConfig,
        writes: Sequence[tuple[str, Any]],
        task_id: str,
        task_path: str = "",
    ) -> None:
        """Store a task's writes; the first of each place stays, but special channels overwrite."""
        rows = [
            WriteRow(
                task=task_id,
                index=WRITES_IDX_MAP.get(channel, index),
                path=task_path,
                channel=channel,
                value=self.serde.dumps_typed(value),
            )
            for index, (channel, value) in enumerate(writes)
        ]
        self._tables.put_writes(_key(config), rows)

    def get_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """Return the checkpoint that `config` names, or the latest; None if there is none.

        A checkpoint that lost rows, or does not decode, counts as none: nothing needs it.

        Raises:
            UnknownSchemaError: it names a type that is not on the allow-list.
        """
        key = _key(config)
        saved = self._tables.get(key.thread, key.namespace, key.checkpoint or None)
        return None if saved is None else self._unpack(saved)

    def list(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> Iterator[CheckpointTuple]:
        """Yield the matching checkpoints, newest first; damaged ones are left out."""
        places = (config or {}).get("configurable", {})
        rows = self._tables.rows(
            thread=None if config is None else str(places["thread_id"]),
            namespace=places.get("checkpoint_ns"),
            checkpoint=places.get("checkpoint_id"),
            before=get_checkpoint_id(before) if before else None,
        )
        left = len(rows) if limit is None else limit
        for row in rows:
            if left <= 0:
                return
            saved = self._tables.get(*row.key)
            found = None if saved is None else self._unpack(saved)
            if found is not None and _matches(found.metadata, filter or {}):
                left -= 1
                yield found

    def get_delta_channel_history(
        self, *, config: RunnableConfig, channels: Sequence[str]
    ) -> Mapping[str, DeltaChannelHistory]:
        """Return each channel's nearest stored value above `config`, and the writes since."""
        key = _key(config)
        checkpoint = key.checkpoint or None
        found = self._tables.history(key.thread, key.namespace, checkpoint, channels)
        result: dict[str, DeltaChannelHistory] = {}
        for name, history in found.items():
            result[name] = {"writes": self._writes(history.writes)}
            if history.seed is not None:
                result[name]["seed"] = self.serde.loads_typed(history.seed)
        return result

    def delete_thread(self, thread_id: str) -> None:
        """Delete everything about a thread."""
        self._tables.delete_thread(thread_id)

    def delete_for_runs(self, run_ids: Sequence[str]) -> None:
        """Delete the checkpoints that these runs made."""
        self._tables.delete_runs(run_ids)

    def copy_thread(self, source_thread_id: str, target_thread_id: str) -> None:
        """Copy all checkpoints and writes of a thread."""
        self._tables.copy_thread(source_thread_id, target_thread_id)

    def prune(self, thread_ids: Sequence[str], *, strategy: str = "keep_latest") -> None:
        """Keep the latest checkpoint of each namespace with what it rests on, or `delete` all."""
        if strategy == "keep_latest":
            self._tables.keep_latest(thread_ids)
        elif strategy == "delete":
            for thread in thread_ids:
                self._tables.delete_thread(thread)
        else:
            raise ValueError(f"unknown strategy {strategy!r}; known are 'keep_latest', 'delete'")

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """Do `get_tuple` in a thread."""
        return await asyncio.to_thread(self.get_tuple, config)

    async def alist(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[CheckpointTuple]:
        """Do `list` in threads, one step at a time."""
        found = self.list(config, filter=filter, before=before, limit=limit)
        while (item := await asyncio.to_thread(next, found, None)) is not None:
            yield item

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Do `put` in a thread."""
        return await asyncio.to_thread(self.put, config, checkpoint, metadata, new_versions)

    async def aput_writes(
        self,
        config: RunnableConfig,
        writes: Sequence[tuple[str, Any]],
        task_id: str,
        task_path: str = "",
    ) -> None:
        """Do `put_writes` in a thread."""
        await asyncio.to_thread(self.put_writes, config, writes, task_id, task_path)

    async def aget_delta_channel_history(
        self, *, config: RunnableConfig, channels: Sequence[str]
    ) -> Mapping[str, DeltaChannelHistory]:
        """Do `get_delta_channel_history` in a thread."""
        return await asyncio.to_thread(
            self.get_delta_channel_history, config=config, channels=channels
        )

    async def adelete_thread(self, thread_id: str) -> None:
        """Do `delete_thread` in a thread."""
        await asyncio.to_thread(self.delete_thread, thread_id)

    async def adelete_for_runs(self, run_ids: Sequence[str]) -> None:
        """Do `delete_for_runs` in a thread."""
        await asyncio.to_thread(self.delete_for_runs, run_ids)

    async def acopy_thread(self, source_thread_id: str, target_thread_id: str) -> None:
        """Do `copy_thread` in a thread."""
        await asyncio.to_thread(self.copy_thread, source_thread_id, target_thread_id)

    async def aprune(self, thread_ids: Sequence[str], *, strategy: str = "keep_latest") -> None:
        """Do `prune` in a thread."""
        await asyncio.to_thread(self.prune, thread_ids, strategy=strategy)

    def _writes(self, rows: Iterable[WriteRow]) -> Any:
        return [(row.task, row.channel, self.serde.loads_typed(row.value)) for row in rows]

    def _unpack(self, saved: SavedCheckpoint) -> CheckpointTuple | None:
        key = saved.row.key
        try:
            checkpoint = self.serde.loads_typed(saved.row.body)
            metadata = self.serde.loads_typed(saved.row.metadata)
            values = {name: self.serde.loads_typed(value) for name, value in saved.values.items()}
            writes: list[PendingWrite] = self._writes(saved.writes)
            sound = saved.whole and checkpoint["id"] == key.checkpoint
        except (ormsgpack.MsgpackDecodeError, LookupError, TypeError) as error:
            _log.debug("checkpoint %s does not decode: %s", key, error)
            sound = False
        if not sound:
            _log.warning("checkpoint %s of thread %s is damaged: left out", key[2], key[0])
            return None
        parent = saved.row.parent
        return CheckpointTuple(
            config=_config(key),
            checkpoint=checkpoint | {"channel_values": values},
            metadata=metadata,
            parent_config=_config(key._replace(checkpoint=parent)) if parent else None,
            pending_writes=writes,
        )


def _matches(metadata: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    return all(metadata.get(name) == value for name, value in wanted.items())


def _key(config: RunnableConfig) -> CheckpointKey:
    places = config["configurable"]
    namespace = places.get("checkpoint_ns", "")
    return CheckpointKey(str(places["thread_id"]), namespace, get_checkpoint_id(config) or "")


def _config(key: CheckpointKey) -> RunnableConfig:
    return {
        "configurable": {
            "thread_id": key.thread,
            "checkpoint_ns": key.namespace,
            "checkpoint_id": key.checkpoint,
        }
    }
