"""Arguments: where the values of a write's arguments came from whenever it succeeded."""

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Sequence
from typing import Literal, NamedTuple

from envwright.events.canonical import Json, encode
from envwright.events.values import ToolSchema, Value
from envwright.recipes.toolspace.induction.samples import Sample
from envwright.recipes.toolspace.mining.entities import FEWEST_KEYS, MOSTLY
from envwright.recipes.toolspace.mining.links import Link
from envwright.recipes.toolspace.mining.tables import Table
from envwright.recipes.toolspace.values import (
    ANY,
    Pattern,
    alike,
    identity,
    is_key_value,
    key_text,
    leaves,
)

Origin = Literal["row", "link", "argument"]
"""The row that a value was taken from: the written one, one that it links to, or one that another
argument names."""


class Domain(Value):
    """Where an argument's values come from."""

    kind: Literal["target", "fresh", "key", "choice", "member", "free"]
    """`target`: the key of the written row; `fresh`: a new key; `key`: the key of another row;
    `choice`: one of few values; `member`: a value inside a row; `free`: what users make up."""
    table: str = ""
    """The table of the key, or of the row that holds the value."""
    origin: Origin = "row"
    through: Pattern = ()
    """The field of the written row, or the argument, that leads to the row of a `member`."""
    pattern: Pattern = ()
    """Where in the row a `member` stands."""
    many: bool = False
    """Whether the argument is a list of such values."""
    values: tuple[Json, ...] = ()
    """The values of a `choice` that were seen."""


Held = dict[Pattern, set[Hashable]]
"""The values that a row holds, by where they stand."""


class Surroundings:
    """What the miner of arguments knows of the log."""

    def __init__(
        self,
        tables: dict[str, Table],
        maps: dict[str, frozenset[Pattern]],
        links: tuple[Link, ...],
    ) -> None:
        self.tables = tables
        self.maps = maps
        self.links = links
        self._held: dict[int, tuple[Json, Held]] = {}

    def held(self, table: str, row: dict[str, Json]) -> Held:
        """Return what a row holds; many samples look into the same one."""
        if id(row) not in self._held:
            held: Held = defaultdict(set)
            for leaf in leaves(row, self.maps[table]):
                held[leaf.pattern].add(identity(leaf.value))
            # The row is kept beside it, so that its id stays its own.
            self._held[id(row)] = (row, held)
        return self._held[id(row)][1]


class Source(NamedTuple):
    """A row that a value may have come from."""

    origin: Origin
    through: Pattern
    table: str
    written: str
    """The table of the written row."""


def mine_domains(
    schema: ToolSchema,
    samples: Sequence[Sample],
    table: str,
    argument: str,
    around: Surroundings,
) -> dict[str, Domain]:
    """Return the domain of each argument that the successful calls were given."""
    creates = all(sample.before is None for sample in samples)
    domains = {argument: Domain(kind="fresh" if creates else "target", table=table)}
    given = Counter(name for sample in samples for name in sample.arguments)
    # What most calls leave out, a task leaves out too.
    usual = {name for name, count in given.items() if 2 * count >= len(samples)}
    names = sorted(usual - {argument})
    for name in names:
        domain = _key_domain(samples, name, around.tables)
        if domain is not None:
            domains[name] = domain
    keyed = {name: domains[name].table for name in names if name in domains}
    for name in names:
        if name not in domains:
            domains[name] = (
                _choice_domain(schema, samples, name)
                or _member_domain(samples, name, table, keyed, around)
                or Domain(kind="free", many=_is_list(samples, name))
            )
    return domains


def free_pool(samples: Sequence[Sample], domains: dict[str, Domain]) -> list[dict[str, Json]]:
    """Return the made-up arguments that were given together, each combination once."""
    free = [name for name in sorted(domains) if domains[name].kind == "free"]
    given = [{n: s.arguments[n] for n in free if n in s.arguments} for s in samples]
    distinct = {encode(values): values for values in given if len(values) == len(free)}
    return [distinct[key] for key in sorted(distinct)]


def _given(samples: Sequence[Sample], name: str) -> list[tuple[Sample, list[Json]]]:
    return [
        (s, s.arguments[name] if isinstance(s.arguments[name], list) else [s.arguments[name]])
        for s in samples
        if name in s.arguments
    ]


def _is_list(samples: Sequence[Sample], name: str) -> bool:
    return all(isinstance(s.arguments[name], list) for s in samples if name in s.arguments)


def _key_domain(samples: Sequence[Sample], name: str, tables: dict[str, Table]) -> Domain | None:
    given = [(sample, items[0]) for sample, items in _given(samples, name) if len(items) == 1]
    if _is_list(samples, name) or not all(is_key_value(item) for _, item in given):
        return None
    choices = []
    for table in tables.values():
        hits = [
            item
            for sample, item in given
            if key_text(item) in table.rows or (table.name, key_text(item)) in sample.known
        ]
        if len(set(hits)) >= FEWEST_KEYS and len(hits) >= MOSTLY * len(given):
            choices.append((not alike(name, table.entity.argument), table.name))
    return Domain(kind="key", table=min(choices)[1]) if choices else None


def _choice_domain(schema: ToolSchema, samples: Sequence[Sample], name: str) -> Domain | None:
    part = schema.parameters.get("properties", {}).get(name, {})
    values = {
        identity(s.arguments[name]): s.arguments[name] for s in samples if name in s.arguments
    }
    booleans = all(isinstance(value, bool) for value in values.values())
    if _is_list(samples, name) or not (booleans or isinstance(part.get("enum"), list)):
        return None
    ordered = sorted(values.values(), key=encode)
    return Domain(kind="choice", values=tuple(ordered))


def _member_domain(
    samples: Sequence[Sample],
    name: str,
    table: str,
    keyed: dict[str, str],
    around: Surroundings,
) -> Domain | None:
    given = _given(samples, name)
    linked = [(link.pattern, link.target) for link in around.links if link.table == table]
    sources = [Source("row", (), table, table)]
    sources += [Source("link", pattern, target, table) for pattern, target in linked]
    sources += [Source("argument", (key,), keyed[key], table) for key in sorted(keyed)]
    choices = []
    for order, source in enumerate(sources):
        for pattern in _shared_patterns(given, source, around):
            last = next((step for step in reversed(pattern) if step != ANY), "")
            choices.append((not alike(name, last), order, len(pattern), pattern))
    if not choices:
        return None
    _, order, _, pattern = min(choices)
    source = sources[order]
    return Domain(
        kind="member",
        table=source.table,
        origin=source.origin,
        through=source.through,
        pattern=pattern,
        many=_is_list(samples, name),
    )


def _shared_patterns(
    given: list[tuple[Sample, list[Json]]], source: Source, around: Surroundings
) -> Iterator[Pattern]:
    """Yield the places in the source's rows that hold the argument's values in nearly all calls."""
    hits: dict[Pattern, int] = defaultdict(int)
    distinct: dict[Pattern, set[object]] = defaultdict(set)
    tried = 0
    for sample, items in given:
        rows = list(rows_of(sample, source, around))
        tried += bool(rows)
        held = [around.held(source.table, row) for row in rows]
        wanted = {identity(item) for item in items}
        for pattern in {pattern for one in held for pattern in one}:
            found = set().union(*(one.get(pattern, ()) for one in held))
            if wanted <= found:
                hits[pattern] += 1
                distinct[pattern] |= wanted
    for pattern in sorted(hits):
        enough = tried >= FEWEST_KEYS and hits[pattern] >= MOSTLY * tried
        if enough and 2 * tried >= len(given) and len(distinct[pattern]) >= FEWEST_KEYS:
            yield pattern


def rows_of(sample: Sample, source: Source, around: Surroundings) -> Iterator[dict[str, Json]]:
    """Yield the rows of a source, as the trace or else the table has them."""
    keys: list[Json] = []
    if source.origin == "row":
        if sample.before is not None:
            yield sample.before
    elif source.origin == "link":
        for leaf in leaves(sample.before or {}, around.maps[source.written]):
            if leaf.pattern == source.through:
                keys.append(leaf.value)
    else:
        keys.append(sample.arguments.get(source.through[0]))
    for key in keys:
        if is_key_value(key):
            place = (source.table, key_text(key))
            row = sample.known.get(place) or around.tables[source.table].rows.get(place[1])
            if row is not None:
                yield row
