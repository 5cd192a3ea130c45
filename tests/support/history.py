"""Recorded histories: a log and its artifacts as files, loaded byte for byte into a new home."""

import base64
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from sqlalchemy import insert, update

from envwright.events import Envelope, header_bytes
from envwright.store import Store, open_store
from envwright.store.schema import events, log_head, payloads
from envwright.store.transaction import Transaction

HISTORIES = Path(__file__).parents[1] / "histories"

Row = dict[str, Any]

_HEADER = (
    *("id", "idempotency_key", "type", "schema_version", "stream", "sequence", "run_id"),
    *("causation_id", "correlation_id", "actor", "occurred_at", "traceparent", "basis", "metrics"),
)
_COLUMNS = ("id", "stream", "sequence", "idempotency_key", "type", "run_id", "correlation_id")


@dataclass(frozen=True)
class History:
    """A folder with `events.jsonl`, `artifacts.jsonl` and `expected.json`."""

    folder: Path

    def rows(self) -> Iterator[Row]:
        """Yield the events in position order: header and payload are the exact texts."""
        with (self.folder / "events.jsonl").open(encoding="utf-8") as lines:
            yield from map(json.loads, lines)

    def artifacts(self) -> Iterator[bytes]:
        """Yield the artifacts."""
        with (self.folder / "artifacts.jsonl").open(encoding="utf-8") as lines:
            for line in lines:
                yield base64.b64decode(json.loads(line)["base64"])

    @property
    def expected(self) -> Row:
        """What today's code must find in it."""
        return dict(json.loads((self.folder / "expected.json").read_text(encoding="utf-8")))

    def load(self, home: Path) -> Store:
        """Put the events, as they are, into a home that has none."""
        store = open_store(home)
        for data in self.artifacts():
            store.artifacts.put(data)
        rows = list(self.rows())
        store.database.write(lambda transaction: _insert(transaction, rows))
        return store


def write_history(folder: Path, store: Store) -> None:
    """Write the log of a home, with every artifact that it names, as a history."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "events.jsonl").open("w", encoding="utf-8", newline="\n") as lines:
        for envelope in store.log.read_all():
            lines.write(json.dumps(_row(envelope)) + "\n")
    kept = sorted(path for path in (store.home / "artifacts").rglob("*") if path.is_file())
    _write_artifacts(folder, (path.read_bytes() for path in kept))


def write_rows(folder: Path, rows: Sequence[Row], origin: History) -> None:
    """Write some rows of a history as one of its own, with the artifacts that they lead to."""
    folder.mkdir(exist_ok=True)
    text = "".join(json.dumps(row) + "\n" for row in rows)
    (folder / "events.jsonl").write_text(text, encoding="utf-8")
    known = {sha256(data).hexdigest(): data for data in origin.artifacts()}
    wanted: dict[str, bytes] = {}
    seen = text
    while found := {name for name in known if name in seen and name not in wanted}:
        wanted |= {name: known[name] for name in found}
        seen = "".join(known[name].decode("utf-8", "replace") for name in found)
    _write_artifacts(folder, [wanted[name] for name in sorted(wanted)])


def _write_artifacts(folder: Path, artifacts: Iterable[bytes]) -> None:
    with (folder / "artifacts.jsonl").open("w", encoding="utf-8", newline="\n") as lines:
        for data in artifacts:
            row = {
                "sha256": sha256(data).hexdigest(),
                "base64": base64.b64encode(data).decode("ascii"),
            }
            lines.write(json.dumps(row) + "\n")


def findings(store: Store) -> Row:
    """Return what a history must give for ever: its size, its end, and what it folds to."""
    replayed = store.replay()
    assert replayed.diverged is None, replayed.diverged
    last = list(store.log.read_all())[-1]
    return {"events": replayed.compared, "last_hash": last.hash, "projections": replayed.digests}


def _row(envelope: Envelope) -> Row:
    fields = envelope.model_dump(mode="json", include=set(_HEADER))
    return {
        "position": envelope.position,
        "recorded_at": envelope.recorded_at,
        "header": header_bytes(fields).decode("ascii"),
        "payload_hash": envelope.payload_hash,
        "previous_hash": envelope.previous_hash,
        "hash": envelope.hash,
        "payload": envelope.payload.decode("utf-8"),
    }


def _insert(transaction: Transaction, rows: Iterable[Row]) -> None:
    position = 0
    for row in rows:
        header, position = json.loads(row["header"]), row["position"]
        columns = {name: header[name] for name in _COLUMNS}
        hashes = {name: row[name] for name in ("payload_hash", "previous_hash", "hash")}
        transaction.connection.execute(
            insert(events).values(
                position=position,
                header=row["header"].encode("ascii"),
                recorded_at=row["recorded_at"],
                **columns,
                **hashes,
            )
        )
        body = row["payload"].encode("utf-8")
        transaction.connection.execute(insert(payloads).values(position=position, body=body))
    transaction.connection.execute(update(log_head).values(position=position))
