"""The blueprint `blueprint.json`: facts, who may see them, and what counts as done."""

from typing import ClassVar, Literal, Self

from pydantic import Field, model_validator

from envwright.events import Json
from envwright.events.values import Value
from envwright.sandbox.packages.document import Document

Visibility = Literal["prompt", "workspace", "hidden"]


class BlueprintFact(Value):
    """Something true in the environment that the task rests on."""

    id: str
    value: Json
    visibility: Visibility
    """`prompt`: the instruction says it; `workspace`: a boundary file does; `hidden`: found out."""
    location: str
    """Where in the package the fact is true, such as `environment/tables.json#/orders/#W1`."""


class BoundaryRule(Value):
    """Where a fact may appear; it replaces what the fact's visibility allows."""

    fact_id: str
    may_appear_in: tuple[str, ...] = ()
    """Of `instruction.md`, `tools` (the tool schemas) and `files/<name>`."""


class Criterion(Value):
    """One thing that counts as done."""

    id: str
    fact_ids: tuple[str, ...] = ()
    kind: Literal["code", "judge"] = "code"
    weight: float = Field(default=1, ge=0)
    must: bool = True
    """A failed `must` cannot be outvoted."""
    quote: str = ""
    """The words of the instruction that the criterion rests on."""


class Blueprint(Document):
    """The author's side of a task: never shown to a solver."""

    PATH: ClassVar[str] = "blueprint.json"

    schema_version: Literal[1] = 1
    canary: str = ""
    """The package's canary."""
    facts: tuple[BlueprintFact, ...] = ()
    boundary: tuple[BoundaryRule, ...] = ()
    criteria: tuple[Criterion, ...] = ()

    @model_validator(mode="after")
    def _check_references(self) -> Self:
        known = [fact.id for fact in self.facts]
        named = [rule.fact_id for rule in self.boundary]
        named += [fact for criterion in self.criteria for fact in criterion.fact_ids]
        unknown = sorted(set(named) - set(known))
        if unknown:
            raise ValueError(f"facts that are named and not declared: {', '.join(unknown)}")
        for ids in (known, [criterion.id for criterion in self.criteria]):
            if len(set(ids)) < len(ids):
                raise ValueError(f"an id stands twice in {', '.join(ids)}")
        return self
