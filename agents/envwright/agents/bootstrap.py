"""Bootstrap: the one place that chooses adapters for the ports."""

from contextlib import ExitStack

from envwright.agents.checkpointer import Checkpointer
from envwright.agents.config import RuntimeConfig
from envwright.agents.replay import Divergence, Replayed
from envwright.agents.runtime import Runtime, process_name
from envwright.agents.span_file import SPANS, file_provider
from envwright.agents.tracing import Tracing
from envwright.store import open_store

CHECKPOINTS = "checkpoints.sqlite"


def open_runtime(config: RuntimeConfig) -> Runtime:
    """Open the embedded home (made where absent) and put a runtime on it.

    Raises:
        InfrastructureError: the home cannot be read or written.
    """
    with ExitStack() as undo:
        store = open_store(config.home)
        undo.callback(store.close)
        saver = Checkpointer(config.home / CHECKPOINTS) if config.checkpoints else None
        instance = process_name()
        spans = file_provider(config.home / SPANS, instance=instance)
        undo.pop_all()
    return Runtime(
        config=config,
        log=store.log,
        leases=store.leases,
        journal=store.journal,
        artifacts=store.artifacts,
        bus=store.bus,
        tracing=Tracing(spans),
        checkpointer=saver,
        instance=instance,
        cleanup=(spans.shutdown,),
    )


def replay_state(config: RuntimeConfig, run_id: str | None = None) -> Replayed:
    """Fold the log, or one run of it, and check every byte and kept projection on the way.

    Raises:
        InfrastructureError: the home cannot be read.
    """
    store = open_store(config.home)
    try:
        found = store.replay(run_id)
    finally:
        store.close()
    if found.diverged is None:
        return Replayed(found.compared)
    first = found.diverged
    return Replayed(found.compared, Divergence(first.event, first.expected, first.actual))
