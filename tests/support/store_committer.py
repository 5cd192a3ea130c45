"""A process that commits as fast as it can and says what was acknowledged; meant to be killed."""

import os
import sys
import tempfile
import threading
from itertools import count
from pathlib import Path

from envwright.events.errors import (
    ConcurrencyError,
    EnvwrightError,
    FencedError,
    IdempotencyError,
)
from envwright.events.ports import Commit, Committed, Fence
from envwright.store import StoreLog, open_store
from support.store_events import append, commit, gate

CLIENTS = 3


def said(line: str) -> None:
    """Write one line at once, so that a kill leaves none half written."""
    os.write(1, f"{line}\n".encode())


def refused(log: StoreLog, change: Commit, error: type[EnvwrightError]) -> None:
    """Expect a refusal; say FAULT where there is none."""
    try:
        log.commit(change)
    except error:
        return
    said(f"FAULT no {error.__name__}")


def step(log: StoreLog, stream: str, number: int, stale: Fence) -> Committed:
    """Commit one event, its repeat, and what must be refused in between."""
    key = f"{stream}-{number}"
    new = gate(key, stream, detail="x" * 200)
    refused(log, Commit(appends=(append(gate(f"{key}-", stream)),), fence=stale), FencedError)
    done = log.commit(commit(new, expected=number))
    refused(log, commit(gate(f"{key}-", stream), expected=number), ConcurrencyError)
    refused(log, commit(gate(key, stream, detail="other")), IdempotencyError)
    if log.commit(commit(new, expected=number)).positions != done.positions:
        said("FAULT a repeat has another position")
    return done


def main() -> None:
    """Commit to streams of this process's own until it is killed: `HOME NAME STALE-WORK`.

    The URL of a server comes by the environment.
    """
    url, name, work = os.environ.get("COMMITTER_PLACE"), sys.argv[2], sys.argv[3]
    artifacts = Path(tempfile.gettempdir()) / "envwright-no-artifacts"
    store = open_store(url, artifacts=artifacts) if url else open_store(Path(sys.argv[1]))
    stale = Fence(work=work, token=1)

    def client(number: int) -> None:
        stream = f"{name}-{number}"
        for at in count():
            done = step(store.log, stream, at, stale)
            said(f"{stream}-{at} {done.positions[0]}")

    threads = [threading.Thread(target=client, args=(number,)) for number in range(CLIENTS)]
    for thread in threads:
        thread.start()


if __name__ == "__main__":
    main()
