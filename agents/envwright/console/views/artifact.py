"""An artifact as JSON: its bytes in readable form, and which events name it."""

import json

from envwright.agents import Runtime
from envwright.console.identity import artifacts_in
from envwright.events.canonical import Json

_NAMED = 5


def artifact_view(runtime: Runtime, digest: str) -> dict[str, Json]:
    """Return an artifact's content and the events that refer to it.

    Raises:
        ArtifactMissingError: an event names it and the store lacks it.
        ArtifactCorruptError: what is kept does not hash to the digest.
    """
    data = runtime.artifacts.get(digest)
    kind, content = _content(data)
    named = [e for e in runtime.log.read_all() if digest in artifacts_in(e.data)]
    return {
        "artifact": digest,
        "size": len(data),
        "kind": kind,
        "named_by": [
            {"event": e.id, "type": e.type, "stream": e.stream, "position": e.position}
            for e in named[:_NAMED]
        ],
        "named_by_total": len(named),
        "content": content,
    }


def _content(data: bytes) -> tuple[str, Json]:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return "bytes", data.hex()
    try:
        return "json", json.loads(text)
    except ValueError:
        return "text", text
