"""The prover: makes the small files that prove an event, or that a log only grew, to anyone."""

from typing import Any

from envwright.events.errors import BadInputError, IntegrityError
from envwright.store.database import Database
from envwright.store.sealing.records import kept_checkpoints, leaf_rows
from envwright.store.sealing.tree import Frontier, consistency_path, inclusion_path
from envwright.store.sealing.verify import Record, leaf_hash

_EVENT = """
    SELECT e.position, e.recorded_at, e.previous_hash, e.hash, e.header, p.body
    FROM events e JOIN payloads p ON p.position = e.position
"""


class Prover:
    """Makes proofs from a log; each reads the hashes of all events, and is log n long."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def inclusion(self, event: str) -> Record:
        """Prove that an event, named by id or position, is under the newest checkpoint.

        Raises:
            BadInputError: there is no such event, or no checkpoint covers it yet.
        """
        row = self._event(event)
        position = row["position"]
        kept = kept_checkpoints(self._database)
        if not kept or kept[-1].record["to"] < position:
            raise BadInputError(
                f"no checkpoint covers event {event} at position {position} yet; "
                "`envwright audit seal` makes one"
            )
        checkpoint = kept[-1].record
        path = inclusion_path(position - 1, checkpoint["to"], self._root)
        return {
            "kind": "inclusion",
            "event": row,
            "checkpoint": dict(checkpoint),
            "path": [step.hex() for step in path],
        }

    def consistency(self, first: int, second: int) -> Record:
        """Prove that the log at one checkpoint begins with all that it held at an earlier one.

        Raises:
            BadInputError: there are no such checkpoints, or they are in the wrong order.
        """
        known = {kept.record["number"]: kept.record for kept in kept_checkpoints(self._database)}
        for number in (first, second):
            if number not in known:
                had = f"1 to {max(known)}" if known else "none"
                raise BadInputError(f"no checkpoint {number}; the log has {had}")
        if first > second:
            raise BadInputError(f"checkpoint {first} comes after {second}; give the earlier first")
        earlier, later = known[first], known[second]
        path = consistency_path(earlier["to"], later["to"], self._root)
        return {
            "kind": "consistency",
            "first": dict(earlier),
            "second": dict(later),
            "path": [step.hex() for step in path],
        }

    def _event(self, event: str) -> dict[str, Any]:
        by, value = ("position", int(event)) if event.isdecimal() else ("id", event)
        query = f"{_EVENT} WHERE e.{by} = ?"
        row = self._database.query(lambda tx: tx.raw.execute(query, (value,)).fetchone())
        if row is None:
            raise BadInputError(f"no event {event!r}; expected the id of one, or its position")
        position, recorded_at, previous, hashed, header, body = row
        try:
            texts = {"header": header.decode("ascii"), "payload": body.decode("ascii")}
        except (AttributeError, UnicodeDecodeError) as error:
            raise IntegrityError(
                f"event {event} at position {position} is unreadable: {error}; `envwright audit` "
                "says what else is"
            ) from error
        return {
            "position": position,
            "recorded_at": recorded_at,
            "previous_hash": previous,
            "hash": hashed,
            **texts,
        }

    def _root(self, start: int, end: int) -> bytes:
        tree = Frontier()
        for row in leaf_rows(self._database, start, end):
            tree.add(leaf_hash(row.position, row.recorded_at, row.hash))
        if tree.size != end - start:
            raise IntegrityError(
                f"positions {start + 1} to {end} are not complete; `envwright audit` says why"
            )
        return tree.root()
