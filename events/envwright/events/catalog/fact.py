"""The base of every fact: a frozen payload that knows its type, version and kind of stream."""

from typing import ClassVar, Literal

from envwright.events.values import Value

StreamKind = Literal["source", "run", "package", "attempt", "work"]


class Fact(Value):
    """Something that happened, in the past tense; `data` of the event that carries it."""

    stream_kind: ClassVar[StreamKind]
    """The one kind of stream that events of this type live on."""
    stream_key: ClassVar[str]
    """The field that names the stream: the stream is `<stream_kind>/<that field>`."""

    @property
    def stream(self) -> str:
        """The stream that this fact belongs to."""
        return f"{self.stream_kind}/{getattr(self, self.stream_key)}"
