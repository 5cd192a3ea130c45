"""The profile: all that was mined from the sources, as one JSON value that a build starts from."""

from collections.abc import Sequence
from typing import Any, ClassVar, Literal

from pydantic import ConfigDict, Field, ValidationError

from envwright.events.canonical import Json, digest, normalise
from envwright.events.errors import BadInputError
from envwright.events.values import ToolSchema, Value
from envwright.recipes.recipe import Ingested
from envwright.recipes.toolspace.calls import CallLog, Manifest
from envwright.recipes.toolspace.induction.arguments import Domain, Surroundings
from envwright.recipes.toolspace.induction.grounding import Grounder, Grounding, Status
from envwright.recipes.toolspace.induction.samples import bind_writers, gather
from envwright.recipes.toolspace.induction.terms import Terms
from envwright.recipes.toolspace.mining.effects import Effect, mine_effects
from envwright.recipes.toolspace.mining.entities import find_entities
from envwright.recipes.toolspace.mining.entries import Entry, mine_entries
from envwright.recipes.toolspace.mining.history import History, tasks_of
from envwright.recipes.toolspace.mining.links import Link, mappings, mine_links
from envwright.recipes.toolspace.mining.namespaces import settle
from envwright.recipes.toolspace.mining.schemas import schema_of
from envwright.recipes.toolspace.mining.tables import Table, mine_tables
from envwright.recipes.toolspace.values import Pattern
from envwright.sandbox.worlds import Find, Program


class ToolProfile(Value):
    """What is known of one tool."""

    schema_: ToolSchema = Field(alias="schema")
    effect: Effect
    status: Status
    reason: str = ""
    """Why the tool is not grounded."""
    calls: int
    successes: int
    compared: int
    """Observations that the program was tried on; the program was fitted on them too."""
    exact: int
    program: Program | None = None
    domains: dict[str, Domain] = {}
    pool: tuple[dict[str, Any], ...] = ()
    """Made-up arguments that were given together."""
    terms: Terms = Terms()

    model_config: ClassVar[ConfigDict] = ConfigDict(populate_by_name=True, serialize_by_alias=True)

    @property
    def grounded(self) -> bool:
        """Whether the tool can be part of an environment."""
        return self.status == "grounded"


class TableProfile(Value):
    """The rows of one entity."""

    namespace: str
    key: str
    """The argument, and often the field, that holds the key."""
    reader: str
    """The tool that gives back whole rows."""
    rows: dict[str, dict[str, Any]]
    maps: tuple[Pattern, ...] = ()
    """Where rows hold objects that go by id."""
    conflicts: int = 0
    """Keys whose first observations differ between traces."""


class Profile(Value):
    """All that was mined."""

    schema_version: Literal[1] = 1
    traces: int
    tasks: int
    calls: int
    tools: dict[str, ToolProfile]
    """By tool key, `namespace.tool`."""
    tables: dict[str, TableProfile]
    links: tuple[Link, ...]
    entries: tuple[Entry, ...]
    digest: str = ""
    """Digest of all the rest."""


def mine(sources: Sequence[Ingested]) -> Json:
    """Mine the sources into a profile.

    Raises:
        BadInputError: there is no call log among them.
    """
    logs = [s.material for s in sources if isinstance(s.material, CallLog)]
    manifests = [s.material for s in sources if isinstance(s.material, Manifest)]
    if not logs:
        names = ", ".join(sorted(source.name for source in sources)) or "none"
        raise BadInputError(f"no tool calls in the sources ({names}); give at least one call log")
    settled = settle(logs, manifests)
    history = History(settled.traces, settled.declared)
    entities = find_entities(history)
    effects = mine_effects(history, entities)
    tables = mine_tables(history, entities, effects)
    maps = {name: mappings(table) for name, table in tables.items()}
    around = Surroundings(tables, maps, mine_links(tables, maps))
    groundings = _ground(history, effects, around)
    finders = {
        g.tool: g.program.table
        for g in groundings
        if g.status == "grounded" and isinstance(g.program, Find)
    }
    profile = Profile(
        traces=len(history.traces),
        tasks=tasks_of(list(history.calls())),
        calls=sum(len(trace.calls) for trace in history.traces),
        tools={g.tool: _tool(g) for g in groundings},
        tables={name: _table(table, maps[name]) for name, table in sorted(tables.items())},
        links=around.links,
        entries=mine_entries(history, tables, finders, around.links),
    )
    value = normalise(profile.model_dump(mode="json", exclude={"digest"}), nfc=True)
    return {**value, "digest": digest(value)}


def read_profile(value: Json) -> Profile:
    """Return the profile that a JSON value holds.

    Raises:
        BadInputError: it is no profile of this recipe.
    """
    try:
        return Profile.model_validate(value)
    except ValidationError as error:
        problem = error.errors(include_url=False, include_context=False)[0]
        place = ".".join(str(step) for step in problem["loc"])
        raise BadInputError(
            f"no profile of this version of toolspace: {place}: {problem['msg']}; mine it again"
        ) from error


def _ground(history: History, effects: dict[str, Effect], around: Surroundings) -> list[Grounding]:
    evidence = gather(
        history, around.tables, effects, bind_writers(history, around.tables, effects)
    )
    schemas = {
        tool: schema_of(tool, [m.call for m in history.moments(tool)], history.declared.get(tool))
        for tool in history.tools
    }
    grounder = Grounder(history, effects, schemas, around)
    return [grounder.ground(tool, evidence.get(tool)) for tool in history.tools]


def _tool(found: Grounding) -> ToolProfile:
    return ToolProfile(
        schema_=found.schema,
        effect=found.effect,
        status=found.status,
        reason=found.reason,
        calls=found.calls,
        successes=found.successes,
        compared=found.fidelity.calls,
        exact=found.fidelity.exact,
        program=found.program,
        domains=found.domains,
        pool=tuple(found.pool),
        terms=found.terms,
    )


def _table(table: Table, maps: frozenset[Pattern]) -> TableProfile:
    return TableProfile(
        namespace=table.entity.namespace,
        key=table.entity.key_field or table.entity.argument,
        reader=table.reader,
        rows=table.rows,
        maps=tuple(sorted(maps)),
        conflicts=table.conflicts,
    )
