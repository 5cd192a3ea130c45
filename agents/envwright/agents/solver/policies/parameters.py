"""Tools as a policy understands them: what each may do, and the slots that its arguments fill."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from envwright.agents.solver.policies.shape import as_type, is_scalar
from envwright.agents.solver.policies.vocabulary import CHANGING, GENERIC, raw_words, stem, stems
from envwright.events import Json, equal
from envwright.events.values import ToolSchema

_READING = frozenset(
    [
        "get",
        "find",
        "list",
        "search",
        "lookup",
        "look",
        "show",
        "view",
        "read",
        "fetch",
        "query",
        "retrieve",
        "browse",
        "describe",
        "inspect",
        "count",
        "see",
        "check",
        "info",
        "details",
    ]
)
_SEEKING = frozenset(("find", "search", "query", "by"))
_READING_THINGS = frozenset(["details", "info", "information", "status", "history"])
_QUOTED = re.compile(r"(?<!\w)['\"‘“]([^'\"‘’“”]{1,60})['\"’”](?!\w)")
_DEEPEST = 4


class Place(NamedTuple):
    """A place in the results of a tool; indexes, and keys of a mapping by id, are `*`."""

    tool: str
    path: tuple[str, ...]


@dataclass(frozen=True)
class Lore:
    """What is known of tools beyond their schemas; by default nothing."""

    reads: Mapping[str, bool] = field(default_factory=dict)
    """Whether a tool changes nothing, by its name."""
    origins: Mapping[tuple[str, str], frozenset[Place]] = field(default_factory=dict)
    """Where the values of an argument come from, by the names of tool and argument."""
    inert: frozenset[str] = frozenset()
    """The tools that neither read nor change anything, unless they take an id."""


@dataclass(frozen=True)
class Slot:
    """A place in a tool's arguments that takes a value."""

    name: str
    schema: dict[str, Any] = field(hash=False, compare=False)
    required: bool
    stems: frozenset[str]
    """Stems of the name."""
    hints: frozenset[str]
    """Stems of the description that the name does not have."""
    examples: tuple[str, ...]
    fields: tuple["Slot", ...] = ()
    """The slots inside: the properties of an object, or those of an array's items."""
    item: "Slot | None" = None
    """The slot of one item of an array."""
    looks_up: bool = False
    """Whether a tool that reads is called with it alone."""
    origins: frozenset[Place] = frozenset()
    """The places in results that its values come from, where that is known."""

    @property
    def kind(self) -> str:
        """The JSON Schema type; `any` where the schema does not say."""
        kind = self.schema.get("type", "any")
        if isinstance(kind, list):
            kind = next((name for name in kind if name != "null"), "any")
        return str(kind)

    @property
    def is_email(self) -> bool:
        """Whether the slot takes an e-mail address."""
        return self.schema.get("format") == "email" or raw_words(self.name)[-1:] == ("email",)

    @property
    def nullable(self) -> bool:
        """Whether the slot takes null."""
        kind = self.schema.get("type")
        return isinstance(kind, list) and "null" in kind

    @property
    def holds_parts(self) -> bool:
        """Whether the slot takes a list or an object."""
        return self.kind in ("array", "object")

    @property
    def choices(self) -> tuple[Json, ...]:
        """The values that the schema allows, where it lists them."""
        listed = [self.schema["const"]] if "const" in self.schema else self.schema.get("enum", ())
        return tuple(listed)

    @property
    def telling_stems(self) -> frozenset[str]:
        """The stems of the name that say of what thing it is the id or name."""
        return self.stems - GENERIC or self.stems

    @property
    def identifies(self) -> bool:
        """Whether the slot takes the id of something."""
        named = raw_words(self.name)[-1:] in (("id",), ("ids",), ("number",), ("uuid",))
        return not self.choices and (named or self.looks_up)

    def fitted(self, value: Json) -> Any:
        """Return the value in the form that the slot takes, or None if it takes no such value."""
        fitted = as_type(value, self.kind)
        if fitted is None and self.kind == "string" and isinstance(value, int | float):
            fitted = None if isinstance(value, bool) else str(value)
        if self.choices:
            return next((choice for choice in self.choices if equal(choice, fitted)), None)
        return fitted


@dataclass(frozen=True)
class Tool:
    """A tool with what its name and description give away."""

    name: str
    stems: tuple[str, ...]
    hints: frozenset[str]
    action: tuple[str, ...]
    """The stem that the description begins with."""
    reads: bool
    """Whether it seems to change nothing."""
    slots: tuple[Slot, ...]

    @property
    def required(self) -> tuple[Slot, ...]:
        """The slots that a call must fill."""
        return tuple(slot for slot in self.slots if slot.required)


def _seems_to_read(name: str, description: str) -> bool:
    parts = raw_words(name)
    for part, after in zip(parts, (*parts[1:], ""), strict=True):
        if part in _READING and after not in ("out", "in"):
            return True
        if stem(part) in CHANGING:
            return False
    if parts and parts[-1] in _READING_THINGS:
        return True
    return raw_words(description)[:1] in {(word,) for word in _READING | {"returns"}}


def _first_sentence(text: str) -> str:
    return re.split(r"(?<=[.!?])\s", text.strip(), maxsplit=1)[0]


def _examples(schema: dict[str, Any]) -> tuple[str, ...]:
    given = [value for value in schema.get("examples", ()) if is_scalar(value)]
    quoted = _QUOTED.findall(str(schema.get("description", "")))
    return tuple(str(value) for value in (*given, *quoted) if len(str(value)) > 1)


def _required(schema: dict[str, Any]) -> tuple[str, ...]:
    listed = schema.get("required", ())
    return tuple(name for name in listed if isinstance(name, str)) if listed else ()


@dataclass(frozen=True)
class _SlotReader:
    """Reads slots out of a tool's schema, knowing which names serve to look things up."""

    lookups: frozenset[str]
    tool: str
    lore: Lore

    def slots(self, schema: dict[str, Any], depth: int = 0) -> tuple[Slot, ...]:
        """Return the slots of an object schema, in its order."""
        if depth > _DEEPEST or not isinstance(schema.get("properties"), dict):
            return ()
        required = _required(schema)
        return tuple(
            self.slot(name, inner, name in required, depth)
            for name, inner in schema["properties"].items()
            if isinstance(inner, dict)
        )

    def slot(self, name: str, schema: dict[str, Any], required: bool, depth: int) -> Slot:
        """Return the slot of one property."""
        own = frozenset(stems(name))
        item = self._item(name, schema, depth)
        return Slot(
            name=name,
            schema=schema,
            required=required,
            stems=own,
            hints=frozenset(stems(str(schema.get("description", "")))) - own,
            examples=_examples(schema),
            fields=item.fields if item else self.slots(schema, depth + 1),
            item=item,
            looks_up=name in self.lookups,
            origins=self.lore.origins.get((self.tool, name), frozenset()),
        )

    def _item(self, name: str, schema: dict[str, Any], depth: int) -> Slot | None:
        if schema.get("type") != "array" or depth > _DEEPEST:
            return None
        inner = schema.get("items")
        described = {"description": schema.get("description", "")}
        return self.slot(
            name, described | (inner if isinstance(inner, dict) else {}), True, depth + 1
        )


def understand(schemas: Sequence[ToolSchema], lore: Lore | None = None) -> tuple[Tool, ...]:
    """Return what the schemas of a task's tools, and lore of them, give away about them."""
    lore = lore or Lore()
    reading = {
        one.name: lore.reads.get(one.name, _seems_to_read(one.name, one.description))
        for one in schemas
    }
    lookups = frozenset(
        _required(one.parameters)[0]
        for one in schemas
        if reading[one.name]
        and len(_required(one.parameters)) == 1
        and not _SEEKING & frozenset(raw_words(one.name))
    )
    tools = (
        Tool(
            name=one.name,
            stems=stems(one.name),
            hints=frozenset(stems(_first_sentence(one.description))) - frozenset(stems(one.name)),
            action=stems(one.description)[:1],
            reads=reading[one.name],
            slots=_SlotReader(lookups, one.name, lore).slots(one.parameters),
        )
        for one in schemas
    )
    return tuple(
        tool
        for tool in tools
        if tool.name not in lore.inert or any(slot.identifies for slot in tool.slots)
    )
