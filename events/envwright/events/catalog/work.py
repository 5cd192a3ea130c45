"""Facts about claimed work and its effects: stream `work/<work_id>`."""

from typing import Any, ClassVar, Literal

from pydantic import Field

from envwright.events.catalog.fact import Fact, StreamKind

EffectClass = Literal["pure", "fenced", "repeatable", "once"]
"""`pure` is rerun, `fenced` reaped and rerun, `repeatable` billed twice, `once` needs a person."""


class WorkFact(Fact):
    """A fact about one piece of work: what one group owes to one event."""

    stream_kind: ClassVar[StreamKind] = "work"
    stream_key: ClassVar[str] = "work"
    work: str


class WorkClaimed(WorkFact):
    """A worker took the work under a new fencing token."""

    type: Literal["work.claimed"] = "work.claimed"
    schema_version: Literal[1] = 1
    group: str
    cause: str
    """Id of the event that the work answers."""
    token: int
    try_number: int
    """Rises on a retry; a takeover keeps it."""
    reason: Literal["new", "takeover", "retry", "conflict", "reissued"] = "new"


class WorkExpired(WorkFact):
    """The holder's lease ran out before it committed."""

    type: Literal["work.expired"] = "work.expired"
    schema_version: Literal[1] = 1
    token: int


class EffectRequested(WorkFact):
    """A handler is about to do something non-deterministic or dear."""

    type: Literal["effect.requested"] = "effect.requested"
    schema_version: Literal[1] = 1
    key: str
    """H(work, try, node, task index, ordinal)."""
    kind: str
    effect_class: EffectClass
    node: str
    task: int
    ordinal: int
    try_number: int
    request: str
    """Digest of the request; verified on replay, never looked up."""
    token: int
    """The claim under which the request was made."""
    reads: dict[str, int] = Field(default_factory=dict)
    """What the handler had read by now: stream to sequence."""


class EffectCompleted(WorkFact):
    """The effect's one recorded outcome."""

    type: Literal["effect.completed"] = "effect.completed"
    schema_version: Literal[1] = 1
    key: str
    ok: bool
    result: Any = None
    error: str = ""


class EffectResolved(WorkFact):
    """A person decided about a `once` effect whose outcome is unknown."""

    type: Literal["effect.resolved"] = "effect.resolved"
    schema_version: Literal[1] = 1
    key: str
    decision: Literal["retry", "abandon"]


class DeliveryParked(WorkFact):
    """A delivery failed too often; it holds later deliveries of its stream to its group."""

    type: Literal["delivery.parked"] = "delivery.parked"
    schema_version: Literal[1] = 1
    group: str
    cause: str
    error: str
    failures: int
