"""Seals: when a run's log is sealed, and that no seal or anchor ever stops or fails a run."""

import logging
import threading
from typing import Protocol

from envwright.events.errors import EnvwrightError

logger = logging.getLogger(__name__)

ENOUGH = 1_000
"""Events since the last seal that a process which ends leaves sealed, though no run has ended."""

ANCHOR_SECONDS = 10.0
"""How long a place of anchors may take; what it then lacks it gets the next time."""


class Seals(Protocol):
    """Signs checkpoints of the log and copies them out of the home."""

    def seal(self, minimum: int = 1) -> object:
        """Sign what the log holds, if it grew by so many events.

        Raises:
            EnvwrightError: the log or the key cannot be used, or the log is broken.
        """

    def publish(self) -> int:
        """Copy to the anchors what they lack; return up to which position they reach.

        Raises:
            EnvwrightError: they cannot be reached.
        """


def seal_quietly(
    seals: Seals | None, *, minimum: int = 1, patience: float = ANCHOR_SECONDS
) -> None:
    """Seal and anchor the log; what goes wrong is a warning, and is made up for the next time."""
    if seals is None:
        return
    try:
        seals.seal(minimum)
    except (EnvwrightError, OSError) as error:
        logger.warning("the log could not be sealed: %s", error)
        return
    thread = threading.Thread(target=_publish, args=(seals,), name="anchors", daemon=True)
    thread.start()
    thread.join(patience)
    if thread.is_alive():
        logger.warning(
            "the anchors did not answer within %g s; they get what they lack the next time",
            patience,
        )


def _publish(seals: Seals) -> None:
    try:
        seals.publish()
    except (EnvwrightError, OSError) as error:
        logger.warning("the seal is not anchored yet: %s", error)
