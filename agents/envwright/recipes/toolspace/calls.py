"""The language of tool logs: calls, traces, tool declarations, whatever format they came in."""

from dataclasses import dataclass, field
from typing import Any

from envwright.events.canonical import Json, digest_bytes
from envwright.recipes.toolspace.values import canonical_bytes


@dataclass(frozen=True, slots=True)
class Call:
    """One recorded tool call that has a result; every JSON value in it is canonical."""

    tool: str
    """The name in the log; after namespaces are settled, the tool key `namespace.tool`."""
    arguments: dict[str, Json]
    ok: bool
    value: Json
    """The result, or the error text when not `ok`."""
    service: str = ""
    """The service that the log names, if it does."""
    transient: bool = False
    """Whether the failure says nothing about the call: a timeout, a rate limit, a 5xx."""


@dataclass(frozen=True, slots=True)
class Trace:
    """One recorded episode: what the user said and the calls in their order."""

    task: str
    """The task that the trace worked on; repeated trials share it."""
    said: str
    calls: tuple[Call, ...]

    def identity(self) -> str:
        """Return the digest of what was recorded: the one order of traces that no shuffle moves."""
        calls = [[c.tool, c.arguments, c.ok, c.value, c.service] for c in self.calls]
        # Everything in it is canonical already.
        return digest_bytes(canonical_bytes([self.task, self.said, calls]))


@dataclass(frozen=True, slots=True)
class Declaration:
    """A tool as a manifest declares it."""

    name: str
    description: str
    parameters: dict[str, Any]
    effect: str = ""
    """`read` or `write` where the manifest says so."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """A source that declares tools."""

    service: str
    tools: tuple[Declaration, ...]


@dataclass(frozen=True, slots=True)
class CallLog:
    """A source that records calls."""

    traces: tuple[Trace, ...] = field(repr=False)
    manifests: tuple[Manifest, ...] = ()
    """What the source itself declares of its tools."""


Material = CallLog | Manifest
"""What a source of a tool log turns out to be."""
