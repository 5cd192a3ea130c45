"""The verifier `tests/assertions.json`: what must hold of the final state and the answer."""

from typing import ClassVar, Literal, Self

from pydantic import ConfigDict, Field, StrictInt, StrictStr, model_validator

from envwright.events import Json
from envwright.events.values import Value
from envwright.sandbox.packages.document import Document

StatePath = tuple[StrictStr | StrictInt, ...]
"""A place in a world's state: text names a key of an object, a number an item of a list."""


class StateAssertion(Value):
    """What must be at one place of the final state."""

    id: str
    path: StatePath = Field(min_length=1)
    op: Literal["eq", "exists", "absent", "count_delta"]
    """`count_delta`: how many more entries the object or list has than at the start."""
    expected: Json = None
    """The value for `eq`, the difference for `count_delta`."""
    must: bool = True

    @model_validator(mode="after")
    def _check_expected(self) -> Self:
        whole = isinstance(self.expected, int) and not isinstance(self.expected, bool)
        if self.op == "count_delta" and not whole:
            raise ValueError(f"count_delta expects a whole number, not {self.expected!r}")
        return self


class FrameAssertion(Value):
    """Nothing else changed: a part of the final state has this digest."""

    model_config = ConfigDict(populate_by_name=True, serialize_by_alias=True)

    id: str
    path: StatePath = Field(min_length=1)
    excepted: tuple[StatePath, ...] = Field(default=(), alias="except")
    """Places below `path` that are left out before the digest is taken."""
    digest: str = Field(pattern=r"^[0-9a-f]{64}$")
    """sha256 of the canonical JSON of what remains."""


class AnswerAssertion(Value):
    """What the solver's answer must say; compared in NFC, without outer space."""

    id: str
    op: Literal["contains", "equals"]
    expected: str = Field(pattern=r"\S")


class Assertions(Document):
    """The verifier of a package: the reward is 1 if every assertion holds, else 0."""

    PATH: ClassVar[str] = "tests/assertions.json"

    schema_version: Literal[1] = 1
    canary: str = ""
    """The package's canary."""
    state: tuple[StateAssertion, ...] = ()
    frames: tuple[FrameAssertion, ...] = ()
    answer: tuple[AnswerAssertion, ...] = ()

    @model_validator(mode="after")
    def _check_ids(self) -> Self:
        ids = [item.id for item in self.state]
        ids += [item.id for item in self.frames]
        ids += [item.id for item in self.answer]
        doubles = sorted({name for name in ids if ids.count(name) > 1})
        if doubles:
            raise ValueError(f"ids of assertions stand twice: {', '.join(doubles)}")
        return self
