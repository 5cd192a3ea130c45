"""Facts about sources: stream `source/<digest>`."""

from typing import Any, ClassVar, Literal

from pydantic import Field

from envwright.events.catalog.fact import Fact, StreamKind
from envwright.events.values import ArtifactRef, Skip


class SourceFact(Fact):
    """A fact about one source."""

    stream_kind: ClassVar[StreamKind] = "source"
    stream_key: ClassVar[str] = "source"
    source: str
    """sha256 of the source's bytes."""


class SourceIngested(SourceFact):
    """A source was read, parsed and kept as an artifact."""

    type: Literal["source.ingested"] = "source.ingested"
    schema_version: Literal[1] = 1
    name: str
    artifact: ArtifactRef
    format: str
    """The reader that understood it."""
    records: int
    """Usable records, such as traces."""
    calls: int = 0
    skipped: int = 0
    skips: tuple[Skip, ...] = ()
    """The first skipped parts, with their places."""


class SourceProfiled(SourceFact):
    """A recipe mined a source."""

    type: Literal["source.profiled"] = "source.profiled"
    schema_version: Literal[1] = 1
    recipe: str
    recipe_version: str
    summary: dict[str, Any] = Field(default_factory=dict)
