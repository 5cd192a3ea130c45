"""Bootstrap: the one place that chooses adapters for the ports."""

import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from envwright.agents.checkpointer import Checkpointer
from envwright.agents.config import RuntimeConfig
from envwright.agents.relaying import RelayThread
from envwright.agents.runtime import Runtime, process_name
from envwright.agents.span_file import SPANS, file_provider
from envwright.agents.tracing import Tracing
from envwright.events.errors import BadInputError, InfrastructureError, IntegrityError
from envwright.events.ports import Bus
from envwright.store import Relay, StateReplay, Store, open_store
from envwright.store.sealing import (
    REPORT,
    REPORT_FIELDS,
    Evidence,
    FalseProofError,
    PublicKeys,
    SigningKey,
    key_folder,
    load_public_keys,
    open_signing_key,
    verify_proof,
)

logger = logging.getLogger(__name__)

CHECKPOINTS = "checkpoints.sqlite"


def open_runtime(config: RuntimeConfig) -> Runtime:
    """Open the log, embedded in the home or on a server, and put a runtime on it.

    What is missing is made, the topics of a broker too; a broker that is away is waited for.

    Raises:
        InfrastructureError: the home cannot be read or written, or the server not be reached.
        BadInputError: the server's URL, user or password is wrong, or its database is another's;
            or the broker's topics are not as they must be.
    """
    with ExitStack() as undo:
        store = _open_store(config)
        undo.callback(store.close)
        kept = config.store.get_secret_value() or config.home / CHECKPOINTS
        saver = Checkpointer(kept) if config.checkpoints else None
        instance = process_name()
        spans = file_provider(
            config.home / SPANS, instance=instance, otlp_endpoint=config.otlp_endpoint
        )
        undo.callback(spans.shutdown)
        bus, leave = _open_bus(config, store)
        undo.pop_all()
    return Runtime(
        config=config,
        log=store.log,
        leases=store.leases,
        journal=store.journal,
        artifacts=store.artifacts,
        bus=bus,
        truth=store.bus,
        read_models=store.read_models,
        tracing=Tracing(spans, system="kafka" if config.bus.get_secret_value() else "envwright"),
        checkpointer=saver,
        seals=_evidence(store, config).sealer,
        instance=instance,
        cleanup=(spans.shutdown, leave),
    )


def _open_bus(config: RuntimeConfig, store: Store) -> tuple[Bus, Callable[[], None]]:
    """Return the bus, and what leaves it."""
    url = config.bus.get_secret_value()
    if not url:
        return store.bus, lambda: None
    # Whoever has no broker need not have its client.
    from envwright.events.kafka import KafkaAddress, KafkaBus, ensure_topics

    address = KafkaAddress.parse(url)
    try:
        ensure_topics(address)
    except InfrastructureError as error:
        logger.warning("%s; work goes on through the store, more slowly", error)
    bus = KafkaBus(address, truth=store.bus, log=store.log, leases=store.leases)
    return bus, bus.close


def open_relay(runtime: Runtime) -> RelayThread:
    """Return what carries a runtime's log to its broker, not started.

    Raises:
        BadInputError: the URL of the bus is none.
    """
    from envwright.events.kafka import KafkaAddress, KafkaPublisher, ensure_topics

    address = KafkaAddress.parse(runtime.config.bus.get_secret_value())
    publisher = KafkaPublisher(address)
    relay = Relay(runtime.log, publisher, group=runtime.config.group, prefix=address.prefix)
    return RelayThread(relay, prepare=partial(ensure_topics, address), close=publisher.close)


@dataclass(frozen=True)
class DeadMessage:
    """What a dead-letter topic holds: a parked doorbell, or a message that is no doorbell."""

    place: str
    """Topic, partition and offset."""
    reasons: dict[str, str]
    value: bytes


def dead_messages(bus: str) -> Iterator[DeadMessage]:
    """Yield every message in the dead-letter topics of a broker.

    Raises:
        InfrastructureError: it cannot be reached.
        BadInputError: it is no URL of a bus.
    """
    from envwright.events.kafka import KafkaAddress, read_dead_letters

    for letter in read_dead_letters(KafkaAddress.parse(bus)):
        yield DeadMessage(letter.place, letter.reasons, letter.message.value)


@contextmanager
def open_state_replay(config: RuntimeConfig) -> Iterator[tuple[StateReplay, int]]:
    """Open the home to replay its state; gives what does it, and the head of the log.

    Raises:
        InfrastructureError: the home cannot be read.
    """
    with closing(_open_store(config)) as store:
        yield store.state, store.log.head()


@contextmanager
def open_evidence(config: RuntimeConfig) -> Iterator[Evidence]:
    """Open the home to seal its log, to check its seals or to prove with them.

    Raises:
        InfrastructureError: the home cannot be read.
    """
    with closing(_open_store(config)) as store:
        yield _evidence(store, config)


def try_store(url: str) -> str:
    """Find out by doing whether a server's database can hold a log; return what was found.

    Raises:
        BadInputError: the URL, user, password or database is wrong.
        InfrastructureError: the server cannot be reached or lets nothing be made.
        MissingExtraError: its driver is not installed.
    """
    # Whoever has no server need not have its driver.
    from envwright.store.postgres.probe import probe

    return probe(url)


def _open_store(config: RuntimeConfig) -> Store:
    return _opening(config)()


def _opening(config: RuntimeConfig) -> Callable[[], Store]:
    """Return what opens the store, also in a process that loads nothing but the store."""
    artifacts = config.artifacts or config.home / "artifacts"
    return partial(open_store, config.store.get_secret_value() or config.home, artifacts=artifacts)


def _evidence(store: Store, config: RuntimeConfig) -> Evidence:
    return Evidence(store.database, _opening(config), config.anchors)


def own_key() -> SigningKey:
    """Return the user's signing key; it is made at first need.

    Raises:
        InfrastructureError: it cannot be read or written.
        BadInputError: others may read it, or it is no key.
    """
    key = open_signing_key()
    assert key is not None  # It was made where it was missing.
    return key


def trusted_keys(given: list[str], home: Path | None = None) -> PublicKeys:
    """Return the public keys that a user names, or else the user's own; none where there is none.

    Raises:
        BadInputError: one is no key, or lies in the home that it is to check.
    """
    if given:
        return load_public_keys(given, home)
    if home is not None and key_folder().resolve().is_relative_to(home.resolve()):
        raise BadInputError(
            f"your keys lie in the home that they are to check, in {key_folder()}; whoever can "
            "change the log could change them too: set XDG_CONFIG_HOME to another place"
        )
    key = open_signing_key(make=False)
    return {} if key is None else key.public_keys


def sign_report(file: str, sha256: str) -> dict[str, Any]:
    """Return the user's signature of a report, as `verify` takes it."""
    signed = {"format": REPORT, "file": file, "sha256": sha256}
    return {"kind": "report", **own_key().sign(signed, REPORT_FIELDS)}


def check_proof(
    proof: Mapping[str, Any], keys: PublicKeys, read: Callable[[str], bytes] | None = None
) -> str:
    """Check a proof, or the signature of a report, and return what it proves.

    Raises:
        IntegrityError: it is false; the message says what is wrong.
    """
    try:
        return verify_proof(proof, keys, read)
    except FalseProofError as error:
        raise IntegrityError(f"the proof is false: {error}") from error
