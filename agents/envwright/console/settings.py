"""Settings: all that the console reads from the environment, in variables `ENVWRIGHT_…`."""

from pathlib import Path

from pydantic import AliasChoices, Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from envwright.agents import Faults
from envwright.events.errors import BadInputError

_PREFIX = "ENVWRIGHT_"


class Settings(BaseSettings):
    """What the environment says; an option of a command wins over it."""

    model_config = SettingsConfigDict(
        env_prefix=_PREFIX,
        env_nested_delimiter="__",
        env_ignore_empty=True,
        frozen=True,
        use_attribute_docstrings=True,
    )

    home: Path = Path(".envwright")
    """Folder of the embedded log and artifacts."""
    store: SecretStr = SecretStr("")
    """URL of a database server for the log; empty is the embedded log."""
    artifacts: str = ""
    """Folder or fsspec URL of the artifacts; empty is a folder in the home."""
    bus: str = ""
    """URL of a broker; empty is the log's own bus."""
    kafka_servers: str = Field(default="", validation_alias="KAFKA_BOOTSTRAP_SERVERS")
    """Brokers that tests and `deploy/kafka/broker` use instead of starting one."""
    anchors: str = ""
    """File, folder or URL that seals of the log are copied to; empty is a file of the user's."""
    docker_host: str = Field(default="unix:///var/run/docker.sock", validation_alias="DOCKER_HOST")
    """URL of the Docker engine."""
    pseudonym_key: SecretStr = SecretStr("")
    """Secret behind `--pseudonymise`; runs that share it share pseudonyms. Empty: one from the
    sources themselves."""
    otlp_endpoint: str = Field(
        default="",
        validation_alias=AliasChoices(
            "ENVWRIGHT_OTLP_ENDPOINT",
            "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
            "OTEL_EXPORTER_OTLP_ENDPOINT",
        ),
    )
    """URL of an OpenTelemetry collector that spans go to as well; empty sends them nowhere."""
    token: SecretStr = SecretStr("")
    """What readers of metrics must send where a port is open beyond this machine."""
    debug: bool = False
    """Whether errors come with their traceback."""
    lease_seconds: float = Field(default=15.0, gt=0)
    """How long a worker may be silent before another takes its work over."""
    faults: Faults = Faults()
    """Faults that a campaign injects, such as ENVWRIGHT_FAULTS__MAX_DELAY=0.05."""


def load_settings() -> Settings:
    """Read the environment.

    Raises:
        BadInputError: a variable has a value of the wrong kind; all are named.
    """
    try:
        return Settings()
    except ValidationError as error:
        problems = [
            f"{_PREFIX}{'__'.join(str(part) for part in problem['loc']).upper()}: "
            f"{problem['msg']}, got {problem['input']!r:.80}"
            for problem in error.errors(include_url=False)
        ]
        raise BadInputError("\n".join(problems)) from error
