"""Epochs: traces that saw one state of the world, where a log spans several.

Two traces whose first sights of one row differ cannot have begun in one state. A trace that
contradicts nobody belongs to every epoch.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

Spot = tuple[str, str]
"""Table and key."""

Sights = Mapping[Spot, bytes]
"""What a trace saw before anything was written: rows in canonical form."""


class Epochs(NamedTuple):
    """How many states a log has shown, and the traces that saw the one that is used."""

    shown: int
    used: frozenset[int]


def split_epochs(sights: Sequence[Sights], tasks: Sequence[str]) -> Epochs:
    """Put traces that differ in different epochs; the one that most tasks saw is used.

    Traces are taken in their one order, each into the first epoch that it does not contradict.
    """
    rows: dict[Spot, set[bytes]] = defaultdict(set)
    for seen in sights:
        for spot, row in seen.items():
            rows[spot].add(row)
    contested = {spot for spot, found in rows.items() if len(found) > 1}
    epochs: list[dict[Spot, bytes]] = []
    members: list[list[int]] = []
    neutral: list[int] = []
    for trace, seen in enumerate(sights):
        claims = {spot: row for spot, row in seen.items() if spot in contested}
        if not claims:
            neutral.append(trace)
            continue
        number = next((n for n, held in enumerate(epochs) if _agree(held, claims)), len(epochs))
        if number == len(epochs):
            epochs.append({})
            members.append([])
        epochs[number].update(claims)
        members[number].append(trace)
    if not epochs:
        return Epochs(1, frozenset(neutral))
    sizes = Counter({n: len({tasks[t] for t in traces}) for n, traces in enumerate(members)})
    best = min(sizes, key=lambda number: (-sizes[number], number))
    return Epochs(len(epochs), frozenset((*neutral, *members[best])))


def _agree(held: Sights, claims: Sights) -> bool:
    return all(held.get(spot, row) == row for spot, row in claims.items())
