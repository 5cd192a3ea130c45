"""The spine: every position, every signed root and every anchor of a log, in one pass over it.

It reads no headers and no payloads: that the hashes in the leaves are those of the events is for
the chains to check.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from envwright.events.errors import IntegrityError
from envwright.store.chains import END
from envwright.store.database import Database
from envwright.store.findings import Checked
from envwright.store.sealing.anchors import Found
from envwright.store.sealing.records import (
    KeptCheckpoint,
    LeafRow,
    chained,
    head,
    kept_checkpoints,
    leaf_rows,
    log_id,
)
from envwright.store.sealing.tree import Frontier
from envwright.store.sealing.verify import (
    FalseProofError,
    PublicKeys,
    Record,
    check_signature,
    leaf_hash,
)

_MISSING = b"\x00" * 32
"""Stands for the leaf of a position that is missing or unreadable: no leaf hashes to it."""


@dataclass
class Spine:
    """What the positions, checkpoints and anchors of a log say."""

    home: str = ""
    """The log's id; empty where it is empty."""
    head: int = 0
    """Position of the last event."""
    anchored_to: int = 0
    """Up to here the log is what anchors outside of it say."""
    checkpoints: int = 0
    anchors: list[Record] = field(default_factory=list)
    """The anchors that agree with the log, oldest first."""
    checks: dict[str, Checked] = field(default_factory=dict)
    """`positions`, `checkpoints` and `anchors`."""


def check_spine(database: Database, keys: PublicKeys, anchors: Sequence[Found]) -> Spine:
    """Walk a log's leaves and compare every signed root on the way.

    Raises:
        InfrastructureError: the database cannot be read.
    """
    spine = Spine(checks={name: Checked() for name in ("positions", "checkpoints", "anchors")})
    kept = kept_checkpoints(database)
    derived = log_id(database)
    spine.home = kept[-1].record["home"] if kept else derived or ""
    spine.checkpoints = len(kept)
    sound = _signed_checkpoints(kept, keys, derived, spine.checks["checkpoints"])
    believed = _signed_anchors(anchors, keys, spine.home, kept, spine.checks["anchors"])
    walk = _Walk(spine, sound, believed)
    for row in leaf_rows(database, 0, END):
        walk.take(row)
    walk.end(head(database))
    return spine


def _signed_checkpoints(
    kept: Sequence[KeptCheckpoint], keys: PublicKeys, home: str | None, checked: Checked
) -> list[KeptCheckpoint]:
    """Check signatures and the chain of the checkpoints; return those that may be believed."""
    sound: list[KeptCheckpoint] = []
    before: Record | None = None
    for each in kept:
        record = each.record
        checked.checked += 1
        name = f"checkpoint {record['number']}"
        wanted = {
            "number": before["number"] + 1 if before else 1,
            "from": before["to"] if before else 0,
            "previous": chained(before),
            "home": home,
        }
        for part, value in wanted.items():
            if record[part] != value:
                checked.fail(name, record["to"], f"{part} {value}", f"{part} {record[part]}")
        try:
            check_signature(record, keys)
            each.tree()
            sound.append(each)
        except (FalseProofError, IntegrityError) as error:
            checked.fail(name, record["to"], "a checkpoint as it was signed", error)
        before = record
    return sound


def _signed_anchors(
    found: Sequence[Found],
    keys: PublicKeys,
    home: str,
    kept: Sequence[KeptCheckpoint],
    checked: Checked,
) -> list[Record]:
    """Check what can be checked of the anchors alone; return those that may be believed."""
    believed: list[Record] = []
    known = {each.record["number"]: each.record for each in kept}
    foreign: set[str] = set()
    for line in found:
        record = line.record
        if record is not None and record.get("home") != home:
            foreign.add(str(record.get("home")))
            continue
        checked.checked += 1
        try:
            if record is None:
                raise FalseProofError("the line is no JSON object")
            check_signature(record, keys)
        except FalseProofError as error:
            checked.fail(f"anchor in line {line.line}", 0, "an anchor as it was signed", error)
            continue
        believed.append(record)
        _compare_with_kept(record, known.get(record["number"]), checked)
    if foreign and not checked.checked:
        names = ", ".join(sorted(foreign))
        checked.fail("the log", 0, f"anchors of log {home or '(empty)'}", f"anchors of {names}")
    _check_chain(believed, checked)
    return believed


def _compare_with_kept(anchor: Record, kept: Record | None, checked: Checked) -> None:
    if kept is None:
        checked.fail(
            f"checkpoint {anchor['number']}",
            anchor["to"],
            f"the log's own checkpoint {anchor['number']}, which is anchored",
            "it is gone: the log was rolled back or its checkpoints were deleted",
        )
    elif chained(kept) != chained(anchor):
        checked.fail(
            f"checkpoint {anchor['number']}",
            anchor["to"],
            f"root {anchor['root']} up to position {anchor['to']}, as anchored",
            f"root {kept['root']} up to position {kept['to']}",
        )


def _check_chain(anchors: Sequence[Record], checked: Checked) -> None:
    """Check that the anchors are links of one chain."""
    by_number: dict[int, Record] = {}
    for anchor in anchors:
        number = anchor["number"]
        name = f"anchor {number}"
        twin, before = by_number.setdefault(number, anchor), by_number.get(number - 1)
        if chained(twin) != chained(anchor):
            checked.fail(name, anchor["to"], f"root {twin['root']}", f"root {anchor['root']}")
        elif before is not None and anchor["previous"] != chained(before):
            checked.fail(name, anchor["to"], f"previous {chained(before)}", anchor["previous"])


class _Walk:
    """One pass over the leaves, with the tree as it grows."""

    def __init__(
        self, spine: Spine, kept: Sequence[KeptCheckpoint], anchors: Sequence[Record]
    ) -> None:
        self._spine = spine
        self._kept = {each.record["to"]: each for each in kept}
        self._anchors: defaultdict[int, list[Record]] = defaultdict(list)
        for anchor in anchors:
            self._anchors[anchor["to"]].append(anchor)
        self._last = max([*self._kept, *self._anchors], default=0)
        self._tree = Frontier()
        self._broken = False
        self._head = 0

    def take(self, row: LeafRow) -> None:
        """Add the next row of the log."""
        positions = self._spine.checks["positions"]
        positions.checked += 1
        if row.position != self._head + 1:
            positions.fail(
                row.id, row.position, f"position {self._head + 1}", f"position {row.position}"
            )
            self._fill(row.position - 1)
        self._head = row.position
        try:
            leaf = leaf_hash(row.position, row.recorded_at, row.hash)
        except (ValueError, TypeError, AttributeError, OverflowError) as error:
            positions.fail(row.id, row.position, "a readable position, time and hash", error)
            leaf = _MISSING
        self._grow(leaf)

    def end(self, head_row: int) -> None:
        """Compare the end of the log with its head row and with what was signed."""
        spine = self._spine
        spine.head = self._head
        if head_row != self._head:
            place = f"position {self._head + 1}"
            found = f"its last event is at position {self._head}"
            spine.checks["positions"].fail(
                place, self._head + 1, f"a log up to position {head_row}", found
            )
        missing = f"the log ends at position {self._head}"
        for name, checkpoint in self._beyond():
            spine.checks[name].fail(
                f"{name[:-1]} {checkpoint['number']}",
                checkpoint["to"],
                f"events up to position {checkpoint['to']}, as signed",
                missing,
            )

    def _beyond(self) -> Iterator[tuple[str, Record]]:
        for size, each in self._kept.items():
            if size > self._head:
                yield "checkpoints", each.record
        for size, anchors in self._anchors.items():
            if size > self._head:
                yield from (("anchors", anchor) for anchor in anchors)

    def _fill(self, up_to: int) -> None:
        for _ in range(self._tree.size, min(up_to, self._last)):
            self._grow(_MISSING)

    def _grow(self, leaf: bytes) -> None:
        tree = self._tree
        if tree.size >= self._last:
            return
        tree.add(leaf)
        size = tree.size
        if size in self._anchors or size in self._kept:
            self._compare(size)

    def _compare(self, size: int) -> None:
        root = self._tree.root().hex()
        kept = self._kept.get(size)
        where = self._damage(kept) if kept is not None else (1, size)
        for anchor in self._anchors.get(size, ()):
            if anchor["root"] == root:
                self._agrees(anchor)
            else:
                self._broken = True
                self._differs("anchors", anchor, root, where)
        if kept is not None and kept.record["root"] != root:
            self._differs("checkpoints", kept.record, root, where)
            self._tree = kept.tree()  # As signed, so that what comes later is judged by itself.

    def _agrees(self, anchor: Record) -> None:
        if not self._broken:
            self._spine.anchored_to = anchor["to"]
            self._spine.anchors.append(anchor)

    def _differs(self, name: str, signed: Record, root: str, where: tuple[int, int]) -> None:
        first, last = where
        place = f"position {first}" if first == last else f"positions {first} to {last}"
        self._spine.checks[name].fail(
            place,
            first,
            f"root {signed['root']} up to position {signed['to']}, as signed in checkpoint "
            f"{signed['number']}",
            f"root {root}: an event at {place} is not the one that was sealed",
        )

    def _damage(self, kept: KeptCheckpoint) -> tuple[int, int]:
        """Return between which positions the tree differs from what was sealed."""
        signed = kept.tree()
        spans = [
            span
            for span, mine, theirs in zip(
                signed.spans(), self._tree.peaks, signed.peaks, strict=True
            )
            if mine != theirs
        ]
        first, last = kept.record["from"] + 1, kept.record["to"]
        if not spans:
            return first, last
        return max(first, spans[0][0] + 1), min(last, spans[-1][1])
