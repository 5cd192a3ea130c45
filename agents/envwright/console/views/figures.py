"""Figures that several pages draw from a run's report: histograms, and programs in lines."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from envwright.events.canonical import Json

_OPENING, _CLOSING = "([{", ")]}"


def calls_histogram(packages: Sequence[dict[str, Json]]) -> dict[int, int]:
    """Return how many packages have a reference of each length, shortest first."""
    return _sorted(Counter(row["calls"] for row in packages if isinstance(row.get("calls"), int)))


def services_histogram(packages: Sequence[dict[str, Json]]) -> dict[int, int]:
    """Return how many packages touch how many services."""
    return _sorted(
        Counter(len(row["services"]) for row in packages if isinstance(row.get("services"), list))
    )


def packages_by_service(packages: Sequence[dict[str, Json]]) -> dict[str, int]:
    """Return how many packages touch each service; a package may touch several."""
    found = Counter(
        str(name)
        for row in packages
        if isinstance(row.get("services"), list)
        for name in row["services"]
    )
    return dict(sorted(found.items()))


def packages_that_join(packages: Sequence[dict[str, Json]]) -> tuple[int, int]:
    """Return how many packages join two or more entity types by data edges, of how many that tell.

    Types are joined where a value found in a row of one goes into a call about another.
    """
    told = [row["entities"] for row in packages if isinstance(row.get("entities"), list)]
    return sum(len(entities) > 1 for entities in told), len(told)


def packages_with_faults(packages: Sequence[dict[str, Json]]) -> int:
    """Return in how many packages a tool fails and works again."""
    return sum(bool(row.get("faults")) for row in packages)


def program_lines(program: str) -> list[str]:
    """Return a program's text with a line for each of its parts, what follows its head set in."""
    places = list(_outside(program))
    cuts = [place for place in places if program[place] == ";"]
    parts = [program[a:b].strip() for a, b in pairwise([0, *(cut + 1 for cut in cuts), None])]
    first = parts[0].rstrip(";").strip()
    ends = (place for place in places if first[place : place + 2] == ": ")
    head = next(ends, None)
    lines = [first] if head is None else [first[: head + 1], f"  {first[head + 2 :]}"]
    return lines + [f"  {part.rstrip(';').strip()}" for part in parts[1:]]


def _outside(program: str) -> Iterator[int]:
    """Yield the places that are in no brackets and no quotes."""
    depth, quoted, place = 0, False, 0
    while place < len(program):
        sign = program[place]
        if quoted:
            place += sign == "\\"
            quoted = sign != '"'
        elif sign == '"':
            quoted = True
        else:
            depth += (sign in _OPENING) - (sign in _CLOSING)
            if depth == 0:
                yield place
        place += 1


def _sorted(counts: Counter[int]) -> dict[int, int]:
    return dict(sorted(counts.items()))
