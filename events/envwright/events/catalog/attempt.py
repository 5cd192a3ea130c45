"""Facts about one attempt: stream `attempt/<id>`."""

from typing import ClassVar, Literal

from envwright.events.catalog.fact import Fact, StreamKind
from envwright.events.values import ArtifactRef, PolicySpec, Turn


class AttemptFact(Fact):
    """A fact about one attempt."""

    stream_kind: ClassVar[StreamKind] = "attempt"
    stream_key: ClassVar[str] = "attempt"
    attempt: str


class AttemptStarted(AttemptFact):
    """A Solver opened the attempt's world."""

    type: Literal["attempt.started"] = "attempt.started"
    schema_version: Literal[1] = 1
    package: str
    revision: str
    policy: PolicySpec
    seed: int
    task_digest: str
    """Digest of the TaskView that the policy was given."""
    state_digest: str
    """Digest of the world's first state."""


class TurnTaken(AttemptFact):
    """The policy acted once."""

    type: Literal["turn.taken"] = "turn.taken"
    schema_version: Literal[1] = 1
    turn: Turn


class AttemptFinished(AttemptFact):
    """The attempt ended. An infrastructure failure never ends one: the work is retried."""

    type: Literal["attempt.finished"] = "attempt.finished"
    schema_version: Literal[1] = 1
    package: str
    revision: str
    bundle: ArtifactRef
    trial: str
    index: int
    seed: int
    gating: bool = True
    outcome: Literal["answer", "max_turns"]
    answer: str = ""
    turns: int = 0
    state_digest: str = ""
    """Digest of the world's last state."""
