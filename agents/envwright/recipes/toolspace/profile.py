"""The profile: all that was mined from the sources, as one JSON value that a build starts from."""

from collections.abc import Sequence
from typing import Any, ClassVar, Literal

from pydantic import ConfigDict, Field, ValidationError

from envwright.events.canonical import Json, digest, normalise
from envwright.events.errors import BadInputError
from envwright.events.values import ToolSchema, Value
from envwright.recipes.recipe import Ingested
from envwright.recipes.toolspace.calls import CallLog, Manifest
from envwright.recipes.toolspace.holdout import HoldoutMarks, holdout_marks
from envwright.recipes.toolspace.induction.arguments import Domain, Surroundings
from envwright.recipes.toolspace.induction.folds import Tally
from envwright.recipes.toolspace.induction.grounding import Grounder, Grounding, Status
from envwright.recipes.toolspace.induction.terms import Terms
from envwright.recipes.toolspace.mining.domains import mine_domains
from envwright.recipes.toolspace.mining.effects import Effect, mine_effects
from envwright.recipes.toolspace.mining.entities import MOSTLY, find_entities
from envwright.recipes.toolspace.mining.entries import Entry, mine_entries
from envwright.recipes.toolspace.mining.graph import Graph, draw_graph
from envwright.recipes.toolspace.mining.history import History, tasks_of
from envwright.recipes.toolspace.mining.links import Link, mappings, mine_links
from envwright.recipes.toolspace.mining.mixtures import parts_of
from envwright.recipes.toolspace.mining.namespaces import settle
from envwright.recipes.toolspace.mining.recordings import Recordings, find_stateless
from envwright.recipes.toolspace.mining.retried import mine_retried
from envwright.recipes.toolspace.mining.schemas import schema_of
from envwright.recipes.toolspace.mining.tables import Table, mine_tables
from envwright.recipes.toolspace.mining.trails import follow_trails
from envwright.recipes.toolspace.values import Pattern
from envwright.sandbox.worlds import Find, Program, Recorded, cassette_key, tape_digest

FIDELITY = MOSTLY
"""Exact share of held-out calls from which on a write is grounded, unless a run says otherwise."""


class Recording(Value):
    """One call of a stateless tool, and what it answered."""

    arguments: dict[str, Any]
    result: Any


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
    """Observations that programs were tried on. A write's are its calls in held-out tasks."""
    exact: int
    successes_compared: int = 0
    """Of a write: the held-out calls that had succeeded."""
    exact_successes: int = 0
    unpredictable: int = 0
    """Of a write: held-out calls on rows that were never observed; they count as misses."""
    program: Program | None = None
    domains: dict[str, Domain] = {}
    pool: tuple[dict[str, Any], ...] = ()
    """Made-up arguments that were given together."""
    terms: Terms = Terms()
    recordings: tuple[Recording, ...] = ()
    """All answers of a tool that is grounded by its recordings."""

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
    recorded: int = 0
    """Keys that one task alone saw: nothing confirms their rows."""


class Profile(Value):
    """All that was mined."""

    schema_version: Literal[1] = 1
    traces: int
    tasks: int
    calls: int
    epochs: int = 1
    """States of the world that the log shows; tables hold the one that most tasks saw."""
    tools: dict[str, ToolProfile]
    """By tool key, `namespace.tool`."""
    tables: dict[str, TableProfile]
    links: tuple[Link, ...]
    entries: tuple[Entry, ...]
    graph: Graph
    retried: dict[str, str] = {}
    """Tools that the log shows to be called again, each with an error that passes."""
    fidelity_threshold: float = FIDELITY
    """Exact share of held-out calls from which on a write is grounded."""
    holdout: HoldoutMarks = HoldoutMarks()
    """The tasks that were set aside for evaluation."""
    digest: str = ""
    """Digest of all the rest."""


def mine(sources: Sequence[Ingested], fidelity_threshold: float = FIDELITY) -> Json:
    """Mine the sources into a profile.

    `fidelity_threshold` is the exact share, 0 to 1, that a write needs to be grounded.

    Raises:
        BadInputError: there is no call log among them.
    """
    read = [s.material for s in sources if isinstance(s.material, CallLog)]
    logs = [CallLog(part) for log in read for part in parts_of(log.traces)]
    manifests = [s.material for s in sources if isinstance(s.material, Manifest)]
    manifests += [manifest for log in read for manifest in log.manifests]
    if not any(log.traces for log in logs):
        names = ", ".join(sorted(source.name for source in sources)) or "none"
        raise BadInputError(f"no tool calls in the sources ({names}); give at least one call log")
    settled = settle(logs, manifests)
    history = History(settled.traces, settled.declared)
    entities = find_entities(history)
    effects = mine_effects(history, entities)
    tables = mine_tables(history, entities, effects)
    maps = {name: mappings(table) for name, table in tables.items()}
    around = Surroundings(tables, maps, mine_links(tables, maps))
    groundings = _ground(history, effects, around, fidelity_threshold)
    graph = _graph(history, effects, tables, maps)
    stateless = find_stateless(history, effects)
    finders = {
        g.tool: g.program.table
        for g in groundings
        if g.status == "grounded" and isinstance(g.program, Find)
    }
    profile = Profile(
        traces=len(history.traces),
        tasks=tasks_of(list(history.calls())),
        calls=sum(len(trace.calls) for trace in history.traces),
        epochs=max((table.epochs for table in tables.values()), default=1),
        tools={g.tool: _taped(_tool(g), stateless.get(g.tool, [])) for g in groundings},
        tables={name: _table(table, maps[name]) for name, table in sorted(tables.items())},
        links=around.links,
        entries=mine_entries(history, tables, finders, around.links),
        graph=graph,
        retried=mine_retried(history, graph),
        fidelity_threshold=fidelity_threshold,
        holdout=holdout_marks(sources),
    )
    value = normalise(profile.model_dump(mode="json", exclude={"digest"}), nfc=True)
    return {**value, "digest": digest(value)}


def _graph(
    history: History,
    effects: dict[str, Effect],
    tables: dict[str, Table],
    maps: dict[str, frozenset[Pattern]],
) -> Graph:
    in_results = {tool: maps[name] for name, table in tables.items() for tool in table.entity.tools}
    domains = mine_domains(history, tables)
    return draw_graph(follow_trails(history, effects, domains, in_results))


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


def _ground(
    history: History, effects: dict[str, Effect], around: Surroundings, threshold: float
) -> list[Grounding]:
    schemas = {
        tool: schema_of(tool, [m.call for m in history.moments(tool)], history.declared.get(tool))
        for tool in history.tools
    }
    grounder = Grounder(history, effects, schemas, around, threshold)
    return [grounder.ground(tool) for tool in history.tools]


def _tool(found: Grounding) -> ToolProfile:
    calls, exact = found.fidelity
    tally = found.tally or Tally(calls, exact, successes=calls, exact_successes=exact)
    return ToolProfile(
        schema_=found.schema,
        effect=found.effect,
        status=found.status,
        reason=found.reason,
        calls=found.calls,
        successes=found.successes,
        compared=found.fidelity.calls,
        exact=found.fidelity.exact,
        successes_compared=tally.successes,
        exact_successes=tally.exact_successes,
        unpredictable=tally.unpredictable,
        program=found.program,
        domains=found.domains,
        pool=tuple(found.pool),
        terms=found.terms,
    )


def _taped(tool: ToolProfile, recordings: Recordings) -> ToolProfile:
    """Ground a stateless tool by its recordings, where no program explains it."""
    if tool.program is not None or not recordings:
        return tool
    kept = tuple(Recording(arguments=a, result=value) for a, value in recordings)
    return tool.model_copy(
        update={
            "status": "grounded",
            "reason": "",
            "compared": tool.successes,
            "exact": tool.successes,
            "successes_compared": tool.successes,
            "exact_successes": tool.successes,
            "program": Recorded(tape=tape_digest(tape_of(tool.schema_.name, kept))),
            "recordings": kept,
        }
    )


def tape_of(name: str, recordings: Sequence[Recording]) -> dict[str, Json]:
    """Return the recordings as the tape of a tool of this name."""
    return {cassette_key(name, one.arguments): one.result for one in recordings}


def _table(table: Table, maps: frozenset[Pattern]) -> TableProfile:
    return TableProfile(
        namespace=table.entity.namespace,
        key=table.entity.key_field or table.entity.argument,
        reader=table.reader,
        rows=table.rows,
        maps=tuple(sorted(maps)),
        conflicts=table.conflicts,
        recorded=len(table.recorded),
    )
