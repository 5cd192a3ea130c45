"""The walk: from what a user knows, over links between rows, to a write or a question.

It goes on in a live world of all mined rows. A step that leads nowhere raises `DeadEndError`; the
caller goes back to a `mark` and nothing of the step remains.
"""

from collections.abc import Callable, Iterator
from random import Random
from typing import NamedTuple

from envwright.events.canonical import Json
from envwright.events.values import ToolCall
from envwright.recipes.toolspace.mining.entries import Entry
from envwright.recipes.toolspace.mining.links import Link
from envwright.recipes.toolspace.values import ABSENT, Leaf, at
from envwright.recipes.toolspace.walks.knowledge import Hop, Knowledge
from envwright.recipes.toolspace.walks.story import Place
from envwright.recipes.toolspace.walks.telling import Teller
from envwright.sandbox.worlds import Argument, Find, World

_MOST_HOPS = 3

Accept = Callable[[str, dict[str, Json]], bool]
"""Says whether the row under a key will do."""


class DeadEndError(Exception):
    """The walk cannot go on from here; the drawing starts again."""


class Mark(NamedTuple):
    """A point to go back to."""

    places: int
    made: int
    read: frozenset[int]
    epoch: int
    world: bytes


class Made(NamedTuple):
    """A call that the walk has made, and what came of it."""

    tool: str
    call: ToolCall
    value: Json
    wrote: bool


class Walk:
    """One walk: the places it has come by and the calls it has made, `most` of them at most."""

    def __init__(self, knowledge: Knowledge, world: World, rng: Random, most: int = 20) -> None:
        self.knowledge = knowledge
        self.rng = rng
        self.places: list[Place] = []
        self.made: list[Made] = []
        self.given: dict[str, Json] = {}
        self._most = most
        self._world = world
        self._read: set[int] = set()
        self._epoch = self._epochs = 0
        self._seen: dict[tuple[str, str], dict[str, Json] | None] = {}
        self._told_in: dict[int, int] = {}
        self._teller = Teller(knowledge, self.live, rng)

    def mark(self) -> Mark:
        """Return where the walk is, so that it can come back exactly."""
        read, world = frozenset(self._read), self._world.snapshot()
        return Mark(len(self.places), len(self.made), read, self._epoch, world)

    def return_to(self, mark: Mark) -> None:
        """Go back to a mark; the world too."""
        del self.places[mark.places :]
        del self.made[mark.made :]
        self._read = set(mark.read)
        self._told_in = {n: epoch for n, epoch in self._told_in.items() if n < mark.places}
        self._world.restore(mark.world)
        if mark.epoch != self._epoch:
            self._epoch = mark.epoch
            self._seen.clear()

    def enter(self, entry: Entry) -> None:
        """Start at a row that a user can lead to."""
        rows = self.knowledge.table(entry.table).rows
        key = self.rng.choice(sorted(rows))
        self.places.append(Place(table=entry.table, key=key))
        program = self.knowledge.tool(entry.tool).program
        if not isinstance(program, Find):
            argument = self.knowledge.reader_argument(entry.table)
            self.given = {argument: self.knowledge.key_value(entry.table, key)}
            return
        for condition in program.where:
            value = at(rows[key], condition.path)
            if value in (ABSENT, None, "") or not isinstance(condition.equals, Argument):
                raise DeadEndError(f"{key} has no {condition.path}")
            self.given[str(condition.equals.path[0])] = value
        found = self.call(entry.tool, self.given)
        # The world gives the first of several rows that match; the user means this one.
        if key not in (found, *(found.values() if isinstance(found, dict) else ())):
            raise DeadEndError(f"{self.given} leads to another row than {key}")

    def call(self, tool: str, arguments: dict[str, Json]) -> Json:
        """Call a tool and keep the call; return its result."""
        call = ToolCall(name=self.knowledge.names[tool], arguments=arguments)
        if len(self.made) >= self._most or any(made.call == call for made in self.made):
            raise DeadEndError("the walk is too long, or goes in circles")
        result = self._world.call(call.name, arguments)
        if not result.ok:
            raise DeadEndError(f"{tool}: {result.value}")
        self.made.append(Made(tool, call, result.value, bool(result.writes)))
        if result.writes:
            self._epochs += 1
            self._epoch = self._epochs
            self._seen.clear()
        return result.value

    def write(self, tool: str, arguments: dict[str, Json]) -> None:
        """Call a tool that must change the state."""
        before = self._world.digest()
        self.call(tool, arguments)
        if self._world.digest() == before:
            raise DeadEndError(f"{tool} changed nothing")

    def read(self, number: int) -> dict[str, Json]:
        """Read the row of a place, once; return it as it is now."""
        place = self.places[number]
        if number not in self._read:
            self._look_up(place)
            self._read.add(number)
        return self.row(number)

    def has_read(self, table: str, key: str) -> bool:
        """Say whether the walk has read a row."""
        return any(self.places[n].table == table and self.places[n].key == key for n in self._read)

    def places_read(self) -> list[int]:
        """Return the places whose rows the walk has read, in their order."""
        return sorted(self._read)

    def row(self, number: int) -> dict[str, Json]:
        """Return the row of a place as it is now, without a call of the reference."""
        place = self.places[number]
        row = self.live(place.table, place.key)
        if row is None:
            raise DeadEndError(f"{place.table} has no {place.key}")
        return row

    def live(self, table: str, key: str) -> dict[str, Json] | None:
        """Return a row as it is now; not to be changed."""
        if (table, key) not in self._seen:
            self._seen[table, key] = self._look(table, key)
        return self._seen[table, key]

    def _look(self, table: str, key: str) -> dict[str, Json] | None:
        reader = self.knowledge.reads(table)
        if reader is None:
            return None
        value = self.knowledge.key_value(table, key)
        name = self.knowledge.names[reader]
        result = self._world.call(name, {self.knowledge.reader_argument(table): value})
        return result.value if result.ok and isinstance(result.value, dict) else None

    def reach(self, table: str, accept: Accept, fresh: bool = False) -> int:
        """Return a place of the table whose row will do, going on over links if need be.

        `fresh` asks for a row that the walk has not come by.
        """
        if not fresh:
            for number, place in enumerate(self.places):
                if place.table == table and accept(place.key, self.row(number)):
                    return self.retold(number)
        chains = sorted(self._chains(table), key=lambda chain: (len(chain[1]), repr(chain)))
        while chains:
            start, links = chains.pop(self.rng.randrange(len(chains)))
            mark = self.mark()
            try:
                number = self.retold(start)
                for link in links[:-1]:
                    number = self.hop(number, link, lambda _key, _row: True)
                return self.hop(number, links[-1], accept)
            except DeadEndError:
                self.return_to(mark)
        raise DeadEndError(f"no row of {table} will do")

    def hidden(self) -> set[str]:
        """Return the keys that the walk had to find out."""
        return {place.key for place in self.places if place.parent is not None}

    def _look_up(self, place: Place) -> None:
        reader = self.knowledge.reads(place.table)
        if reader is None:
            raise DeadEndError(f"nothing reads {place.table}")
        value = self.knowledge.key_value(place.table, place.key)
        self.call(reader, {self.knowledge.reader_argument(place.table): value})

    def _chains(self, table: str) -> Iterator[tuple[int, list[Link]]]:
        for number, place in enumerate(self.places):
            for links in self._paths(place.table, table, (place.table,)):
                yield number, links

    def _paths(self, start: str, end: str, seen: tuple[str, ...]) -> Iterator[list[Link]]:
        if len(seen) > _MOST_HOPS:
            return
        for link in self.knowledge.links_from(start):
            if link.target == end:
                yield [link]
            elif link.target not in seen:
                for rest in self._paths(link.target, end, (*seen, link.target)):
                    yield [link, *rest]

    def hop(self, number: int, link: Link, accept: Accept) -> int:
        """Read the row of a place and go on over a link; return the new place."""
        row = self.read(number)
        hops = self.knowledge.hops(link, row)
        visited = {place.key for place in self.places if place.table == link.target}
        fitting = [
            hop
            for hop in hops
            if hop.key not in visited
            and (found := self.live(link.target, hop.key)) is not None
            and accept(hop.key, found)
        ]
        while fitting:
            hop = fitting.pop(self.rng.randrange(len(fitting)))
            place = self._teller.tell(number, self.places, row, hop, hops)
            if place is not None:
                return self._placed(place)
        raise DeadEndError(f"no row behind {link.pattern} will do")

    def retold(self, number: int) -> int:
        """Return a place of the same row that is told by what is true now, a new one if need be.

        What was written since may have changed what tells a row, or added rows that it fits too.

        Raises:
            DeadEndError: nothing tells the row from the others any more.
        """
        place = self.places[number]
        for other in range(number + 1, len(self.places)):
            if (self.places[other].table, self.places[other].key) == (place.table, place.key):
                return self.retold(other)
        if place.parent is None or self._told_in.get(number) == self._epoch:
            return number
        parent = self.retold(place.parent)
        row = self.row(parent)
        hops = self._beside(parent, place, row)
        hop = next((hop for hop in hops if hop.key == place.key), None)
        if hop is None:
            raise DeadEndError(f"nothing leads to {place.key} any more")
        if self._teller.holds(place, row, hop, hops):
            if parent == place.parent:
                self._told_in[number] = self._epoch
                return number
            told: Place | None = place.model_copy(update={"parent": parent})
        else:
            told = self._teller.tell(parent, self.places, row, hop, hops)
        if told is None:
            raise DeadEndError(f"nothing tells {place.key} from its like any more")
        added = self._placed(told)
        if number in self._read:
            self._read.add(added)
        return added

    def _placed(self, place: Place) -> int:
        """Add a place, told by what is true now; return its number."""
        self.places.append(place)
        self._told_in[len(self.places) - 1] = self._epoch
        return len(self.places) - 1

    def _beside(self, parent: int, place: Place, row: Json) -> list[Hop]:
        """Return where the parent of a place leads by the link that leads to the place."""
        for link in self.knowledge.links_from(self.places[parent].table):
            hops = self.knowledge.hops(link, row) if link.target == place.table else []
            if any(hop.key == place.key for hop in hops):
                return hops
        return []

    def element(self, table: str, row: Json, path: tuple[str | int, ...]) -> list[Leaf]:
        """Return the leaves of the element at a path; none where the path is the row itself."""
        return self.knowledge.leaves_at(table, row, path) if path else []
