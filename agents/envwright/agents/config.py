"""Configuration of a process that runs agents: typed, frozen, small enough for a child."""

import os
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    FieldSerializationInfo,
    SecretStr,
    ValidationInfo,
    field_serializer,
    field_validator,
)

RoleName = Literal["planner", "builder", "tester", "critic", "solver", "judge"]

ALL_ROLES: tuple[RoleName, ...] = ("judge", "critic", "solver", "tester", "builder", "planner")
"""Latest stage first: a worker finishes packages before it begins others."""

STORE_VARIABLE = "ENVWRIGHT_STORE"
"""Environment variable of the store's URL; a child gets it so: no list of processes shows it."""

BUS_VARIABLE = "ENVWRIGHT_BUS"
"""Environment variable of the bus's URL, for a child likewise."""

_VARIABLES = {"store": STORE_VARIABLE, "bus": BUS_VARIABLE}
"""URLs that may hold a password: in JSON `$` and the variable's name stands for them."""


class Faults(BaseModel):
    """Faults that a campaign injects; none by default."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    max_delay: float = Field(default=0.0, ge=0)
    """Seconds; a handler sleeps a random time up to this before it acts and before it commits."""
    seed: int = 0


class RuntimeConfig(BaseModel):
    """Where the log is, and how a worker behaves; the defaults are ours."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    home: Path
    """Folder of the embedded log and artifacts; with a store elsewhere, of artifacts and spans."""
    store: SecretStr = SecretStr("")
    """URL of the database on a server that holds the log; empty is the embedded log."""
    bus: SecretStr = SecretStr("")
    """URL of the broker that doorbells come over; empty is the store's own bus."""
    artifacts: str = ""
    """Folder or fsspec URL of the artifacts; empty is a folder in the home."""
    group: str = "envwright"
    """Name of the consumer group; each role is a group of its own below it."""
    roles: tuple[RoleName, ...] = ALL_ROLES
    lease_seconds: float = Field(default=15.0, gt=0)
    batch: int = Field(default=8, ge=1)
    """Deliveries that a poll of one role asks for."""
    backoff_seconds: float = Field(default=0.2, ge=0)
    """First delay after a failure; doubles with each further one."""
    drain_seconds: float = Field(default=10.0, ge=0)
    """How long a running handler gets after a stop was asked for."""
    debug: bool = False
    """Whether a handler that fails by a bug is logged with its traceback."""
    otlp_endpoint: str = ""
    """Collector that spans go to beside the file in the home; empty sends them nowhere."""
    checkpoints: bool = True
    """Whether graphs write checkpoints beside the log, for inspection."""
    anchors: str = ""
    """File, folder or URL that seals of the log are copied to; empty is the user's own place."""
    faults: Faults = Faults()

    @field_validator("store", "bus", mode="before")
    @classmethod
    def _from_environment(cls, value: Any, info: ValidationInfo) -> Any:
        variable = _VARIABLES[info.field_name or ""]
        if value != f"${variable}":
            return value
        if not (url := os.environ.get(variable, "")):
            raise ValueError(f"{variable} is empty; it is to say where the {info.field_name} is")
        return url

    @field_serializer("store", "bus")
    def _for_a_child(self, url: SecretStr, info: FieldSerializationInfo) -> str:
        return f"${_VARIABLES[info.field_name]}" if url.get_secret_value() else ""

    @property
    def environment(self) -> dict[str, str]:
        """What a child's environment must say for it to read this configuration as JSON."""
        return {
            STORE_VARIABLE: self.store.get_secret_value(),
            BUS_VARIABLE: self.bus.get_secret_value(),
        }

    @property
    def place(self) -> str:
        """Where the log is, as messages say it."""
        url = self.store.get_secret_value()
        return without_password(url) if url else str(self.home)


def without_password(url: str) -> str:
    """Return a URL without its password and its parameters, which may hold one too."""
    parts = urlsplit(url)
    user, at, host = parts.netloc.rpartition("@")
    netloc = f"{user.partition(':')[0]}{at}{host}"
    return f"{parts.scheme}://{netloc}{parts.path}"
