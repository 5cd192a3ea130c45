"""The actor of what the machinery writes by itself: claims, expiries, parkings, effects."""

import os
from importlib import metadata

from envwright.events.values import Actor

_CODE_VERSION = metadata.version("envwright")


def system_actor(instance: str = "") -> Actor:
    """Return the machinery as an actor, in the name of a holder or of this process."""
    return Actor(
        role="system",
        instance=instance or f"process-{os.getpid()}",
        code_version=_CODE_VERSION,
    )
