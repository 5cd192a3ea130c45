"""Port of the language models: one request, one answer, all of it plain data."""

from typing import Literal, Protocol, Self

from pydantic import Field, model_validator

from envwright.events import digest
from envwright.events.values import ToolSchema, Value


class ModelToolCall(Value):
    """A tool call as the model wrote it; the text of its arguments may be malformed."""

    id: str
    """Ties the call to the `tool` message that answers it."""
    name: str
    arguments: str = "{}"
    """JSON text, unparsed: what a model writes is not always JSON."""


class Message(Value):
    """One message of a conversation."""

    role: Literal["system", "user", "assistant", "tool"]
    content: str = ""
    tool_calls: tuple[ModelToolCall, ...] = ()
    """What an `assistant` message asks for."""
    tool_call_id: str = ""
    """The call that a `tool` message answers."""


class ModelRequest(Value):
    """Everything that decides an answer, except the model's own chance."""

    model: str
    """Name of the model as its server knows it."""
    messages: tuple[Message, ...]
    tools: tuple[ToolSchema, ...] = ()
    temperature: float = Field(default=0.0, ge=0.0)
    max_tokens: int = Field(default=1024, ge=1)
    seed: int | None = None
    """Wish for a sampling seed; a server may ignore it."""


class Usage(Value):
    """Tokens of one call, both with and without what the server's prompt cache held."""

    input_tokens: int = Field(default=0, ge=0)
    """Tokens of the prompt, those from the cache included."""
    cached_tokens: int = Field(default=0, ge=0)
    """Tokens of the prompt that came from the cache."""
    output_tokens: int = Field(default=0, ge=0)

    @model_validator(mode="after")
    def _cache_is_part_of_the_prompt(self) -> Self:
        if self.cached_tokens > self.input_tokens:
            raise ValueError(
                f"{self.cached_tokens} cached tokens of a prompt of {self.input_tokens}; "
                "input_tokens must include the cached ones"
            )
        return self

    @property
    def uncached_input_tokens(self) -> int:
        """Tokens of the prompt, those from the cache excluded."""
        return self.input_tokens - self.cached_tokens


class ModelAnswer(Value):
    """What a model gave back."""

    text: str = ""
    tool_calls: tuple[ModelToolCall, ...] = ()
    finish_reason: Literal["stop", "tool_calls", "length", "content_filter"] = "stop"
    usage: Usage = Usage()


class ModelPort(Protocol):
    """A language model. A refusal or a cut-off text is an answer, not an exception."""

    def complete(self, request: ModelRequest) -> ModelAnswer:
        """Answer one request.

        Raises:
            InfrastructureError: the server failed or could not be reached; may be retried.
            BadInputError: the request cannot be served at all: requests are switched off, the
                server does not know the model, or a script has no answer left.
        """


def request_digest(request: ModelRequest) -> str:
    """Return the digest of a request: equal questions have equal digests."""
    return digest(request.model_dump(mode="json"))
