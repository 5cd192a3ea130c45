"""Binding: the arguments of a write, from rows that the walk has seen or from what users say."""

from collections.abc import Iterator, Mapping
from string import ascii_letters, digits

from envwright.events.canonical import Json, encode
from envwright.recipes.toolspace.induction.arguments import Domain
from envwright.recipes.toolspace.induction.guards import passes
from envwright.recipes.toolspace.profile import ToolProfile
from envwright.recipes.toolspace.values import (
    ABSENT,
    ANY,
    Leaf,
    at,
    identity,
    is_key_value,
    is_scalar,
    key_text,
)
from envwright.recipes.toolspace.walks.story import Bound, Member, Request
from envwright.recipes.toolspace.walks.traits import Trait, tell_apart, tellable
from envwright.recipes.toolspace.walks.walk import DeadEndError, Walk
from envwright.sandbox.worlds import Argument, Update

_FEWEST_COMBINATIONS = 5
_MOST_MEMBERS = 3
_MINTS = 50

_ORDER = ("target", "fresh", "key", "choice", "member", "free")
"""Members may be of rows that keys name, so they come after them."""


def request(walk: Walk, tool: str, fresh: bool = False) -> Request:
    """Lead the walk to a row that the tool can write, bind its arguments and call it.

    Raises:
        DeadEndError: some argument cannot be bound, or the call changes nothing.
    """
    return _Binder(walk, tool, fresh).run()


class _Binder:
    """Binds the arguments of one call."""

    def __init__(self, walk: Walk, tool: str, fresh: bool) -> None:
        self._walk = walk
        self._tool = tool
        self._profile: ToolProfile = walk.knowledge.tool(tool)
        self._bound: dict[str, Bound] = {}
        self._place: int | None = None
        self._fresh = fresh

    def run(self) -> Request:
        """Bind, call, and return what the user asks for."""
        table = self._walk.knowledge.written_table(self._tool)
        if table:
            self._place = self._walk.reach(table, self._admits, self._fresh)
        domains = self._profile.domains
        for name in sorted(domains, key=lambda n: (_ORDER.index(domains[n].kind), n)):
            if domains[name].kind != "free":
                self._bound[name] = self._bind(name, domains[name])
        self._bind_free([name for name in sorted(domains) if domains[name].kind == "free"])
        bound = tuple(self._bound[name] for name in sorted(self._bound))
        self._walk.write(self._tool, {one.argument: one.value for one in bound})
        return Request(tool=self._tool, place=self._place, bound=bound)

    def _admits(self, key: str, row: dict[str, Json]) -> bool:
        program = self._profile.program
        guards = program.guards if isinstance(program, Update) else ()
        return passes(guards, row) and self._profile.terms.admit_row(row)

    def _bind(self, name: str, domain: Domain) -> Bound:
        if domain.kind == "target":
            return self._key(name, "target", self._place)
        if domain.kind == "fresh":
            key = self._mint(domain.table)
            return Bound(argument=name, kind="fresh", value=self._typed(name, key))
        if domain.kind == "key":
            written = self._walk.knowledge.written_table(self._tool)
            taken = self._place if domain.table == written else None
            own = "" if taken is None else self._walk.places[taken].key
            place = self._walk.reach(domain.table, lambda key, _row: key != own)
            return self._key(name, "key", place)
        if domain.kind == "choice":
            values = [value for value in domain.values if self._admits_argument(name, value)]
            if not values:
                raise DeadEndError(f"no value for {name} differs from what is there")
            return Bound(argument=name, kind="choice", value=self._walk.rng.choice(values))
        return self._member(name, domain)

    def _key(self, name: str, kind: str, number: int | None) -> Bound:
        assert number is not None
        place = self._walk.places[number]
        value = self._typed(name, place.key)
        as_kind = "target" if kind == "target" else "key"
        return Bound(argument=name, kind=as_kind, value=value, place=number)

    def _typed(self, name: str, key: str) -> Json:
        return self._walk.knowledge.typed_key(self._tool, name, key)

    def _admits_argument(self, name: str, value: Json) -> bool:
        if self._place is None:
            return True
        row = self._walk.row(self._place)
        return self._profile.terms.admit_argument(row, name, value)

    def _mint(self, table: str) -> str:
        """Return a new key that looks like the others."""
        rows = self._walk.knowledge.table(table).rows
        model = self._walk.rng.choice(sorted(rows))
        for _ in range(_MINTS):
            letters = not any(c in digits for c in model)
            key = "".join(self._turned(character, letters) for character in model)
            if key not in rows and self._walk.live(table, key) is None:
                return key
        raise DeadEndError(f"no new key of {table} was found")

    def _turned(self, character: str, letters: bool) -> str:
        rng = self._walk.rng
        if character in digits:
            return rng.choice(digits[1:])
        if letters and character in ascii_letters:
            turned = rng.choice(ascii_letters[:26])
            return turned.upper() if character.isupper() else turned
        return character

    def _member(self, name: str, domain: Domain) -> Bound:
        number = self._member_place(domain)
        row = self._walk.read(number)
        table = self._walk.places[number].table
        places = [
            leaf
            for leaf in self._walk.knowledge.leaves(table, row)
            if leaf.pattern == domain.pattern and self._admits_argument(name, leaf.value)
        ]
        every = [x for x in self._walk.knowledge.leaves(table, row) if x.pattern == domain.pattern]
        chosen = self._choose(places, every, domain.many)
        members = tuple(self._told(table, row, leaf, every) for leaf in chosen)
        values = [member.value for member in members]
        return Bound(
            argument=name,
            kind="member",
            value=values if domain.many else values[0],
            place=number,
            members=members,
        )

    def _choose(self, places: list[Leaf], every: list[Leaf], many: bool) -> list[Leaf]:
        counts = [identity(leaf.value) for leaf in every]
        # A value that stands twice cannot be told apart from itself.
        single = [leaf for leaf in places if counts.count(identity(leaf.value)) == 1]
        if not single:
            raise DeadEndError("the row holds no value of its own for an argument")
        rng = self._walk.rng
        count = rng.randrange(1, min(_MOST_MEMBERS, len(single)) + 1) if many else 1
        return rng.sample(single, count)

    def _member_place(self, domain: Domain) -> int:
        if domain.origin == "row":
            assert self._place is not None
            return self._place
        if domain.origin == "argument":
            number = self._bound[domain.through[0]].place
            assert number is not None
            return number
        assert self._place is not None
        walk, table = self._walk, self._walk.places[self._place].table
        link = next(
            link
            for link in walk.knowledge.links_from(table)
            if link.pattern == domain.through and link.target == domain.table
        )
        keys = {hop.key for hop in walk.knowledge.hops(link, walk.row(self._place))}
        for number, place in enumerate(walk.places):
            if place.table == domain.table and place.key in keys:
                return number
        return walk.hop(self._place, link, lambda _key, _row: True)

    def _told(self, table: str, row: Json, leaf: Leaf, every: list[Leaf]) -> Member:
        others = [one for one in every if identity(one.value) != identity(leaf.value)]
        if not others or ANY not in leaf.pattern:
            return Member(value=leaf.value, path=leaf.path)
        hidden = self._walk.hidden() | {key_text(x.value) for x in every if is_key_value(x.value)}
        element = self._walk.element
        traits = tell_apart(
            element(table, row, leaf.path[:-1]) if leaf.pattern[-1] != ANY else [],
            [element(table, row, one.path[:-1]) for one in others],
            hidden,
            self._walk.rng,
        )
        if traits is None and tellable(leaf, self._walk.hidden()):
            traits = (Trait(pattern=leaf.pattern, path=leaf.path, value=leaf.value),)
        if traits is None:
            raise DeadEndError(f"nothing tells {leaf.pattern} from its like")
        return Member(value=leaf.value, path=leaf.path, traits=traits, only=False)

    def _bind_free(self, names: list[str]) -> None:
        if not names:
            return
        combinations = self._combinations(names)
        fitting = [
            values
            for values in combinations
            if all(self._admits_argument(name, values[name]) for name in names)
        ]
        if not fitting:
            raise DeadEndError(f"no values for {', '.join(names)}")
        values = self._walk.rng.choice(fitting)
        for name in names:
            if not _sayable(values[name]):
                raise DeadEndError(f"{name} is more than a person would say")
            self._bound[name] = Bound(argument=name, kind="free", value=values[name])

    def _combinations(self, names: list[str]) -> list[Mapping[str, Json]]:
        pool: list[Mapping[str, Json]] = list(self._profile.pool)
        if len(pool) >= _FEWEST_COMBINATIONS:
            return pool
        found = {encode(values): values for values in (*pool, *self._from_rows(names))}
        return [found[key] for key in sorted(found)]

    def _from_rows(self, names: list[str]) -> Iterator[Mapping[str, Json]]:
        """Yield what other rows hold where the arguments go, all of one row together."""
        program = self._profile.program
        if not isinstance(program, Update):
            return
        paths = {
            str(a.value.path[0]): a.path
            for a in program.set
            if isinstance(a.value, Argument) and len(a.value.path) == 1
        }
        if not set(names) <= paths.keys():
            return
        for row in self._walk.knowledge.table(program.table).rows.values():
            values = {name: at(row, paths[name]) for name in names}
            if not any(value in (ABSENT, None, "") for value in values.values()):
                yield values


def _sayable(value: Json) -> bool:
    items = value if isinstance(value, list) else [value]
    return bool(items) and all(is_scalar(item) and item is not None for item in items)
