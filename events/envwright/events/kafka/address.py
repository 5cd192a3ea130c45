"""The address of a Kafka deployment: its brokers, its names, and how a client logs in."""

from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from envwright.events.errors import BadInputError
from envwright.events.messages import PREFIX

_PORT = 9092
_OPTIONS = frozenset(
    {
        "security_protocol",
        "sasl_mechanism",
        "sasl_plain_username",
        "sasl_plain_password",
        "ssl_cafile",
        "ssl_certfile",
        "ssl_keyfile",
        "ssl_password",
    }
)


@dataclass(frozen=True)
class KafkaAddress:
    """`kafka://HOST:PORT[,HOST:PORT…][/PREFIX][?option=value]`, parsed.

    The prefix begins the name of every topic, group and transactional id: two homes may share
    brokers under two prefixes. The options are kafka-python's for TLS and SASL.
    """

    servers: tuple[str, ...]
    prefix: str = PREFIX
    options: dict[str, Any] = field(default_factory=dict, repr=False)

    @classmethod
    def parse(cls, url: str) -> "KafkaAddress":
        """Return the address that a URL stands for.

        Raises:
            BadInputError: it is no URL of this form.
        """
        parts = urlsplit(url)
        servers = tuple(
            server if ":" in server else f"{server}:{_PORT}"
            for server in parts.netloc.split(",")
            if server
        )
        prefix = parts.path.strip("/") or PREFIX
        options = dict(parse_qsl(parts.query))
        unknown = sorted(set(options) - _OPTIONS)
        if parts.scheme != "kafka" or not servers:
            raise BadInputError(
                f"{url!r} is no bus; expected kafka://HOST:9092[,HOST:9092][/PREFIX]"
            )
        if not all(character.isalnum() or character in "._-" for character in prefix):
            raise BadInputError(
                f"prefix {prefix!r} may hold letters, digits, '.', '_' and '-' only"
            )
        if unknown:
            known = ", ".join(sorted(_OPTIONS))
            raise BadInputError(
                f"no option {unknown[0]!r} of a kafka:// address; there are {known}"
            )
        return cls(servers, prefix, options)

    @property
    def client(self) -> dict[str, Any]:
        """What every client of these brokers is configured with."""
        return {"bootstrap_servers": list(self.servers), **self.options}

    @property
    def transactional_id(self) -> str:
        """The one id of the relay: whoever uses it last has fenced the others."""
        return f"{self.prefix}.relay"

    def group_id(self, group: str, run_id: str | None) -> str:
        """Return the name of a consumer group; one that serves a single run is its own."""
        name = group if group.startswith(f"{self.prefix}.") else f"{self.prefix}.{group}"
        return name if run_id is None else f"{name}.{run_id}"
