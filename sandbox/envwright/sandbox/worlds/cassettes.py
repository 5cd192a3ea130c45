"""Cassettes: results that were recorded, for tools whose answers depend on their arguments alone.

`environment/cassettes.json` is `{"<tool>": {"<key>": result}}`. A miss is an error of the call,
never an invented answer; a tape that is not the one its program names does not open.
"""

from collections.abc import Mapping

from envwright.events.canonical import Json, digest, digest_bytes, encode
from envwright.events.errors import BadInputError
from envwright.sandbox.worlds.refusal import Refusal

CASSETTES = "cassettes.json"

CASSETTE_MISS = "CASSETTE_MISS"
"""What the error text of a call names where nothing was recorded for it."""

Tape = Mapping[str, Json]
"""The results of one tool by the key of the call."""


class ReplayMismatchError(BadInputError):
    """A tape is not the one that was recorded."""

    reason = "REPLAY_MISMATCH"


def cassette_key(tool: str, arguments: Mapping[str, Json]) -> str:
    """Return the key of a call: the sha256 of the tool's name and its canonical arguments."""
    return digest_bytes(tool.encode("utf-8") + encode(dict(arguments)))


def tape_digest(tape: Tape) -> str:
    """Return the digest by which a program names its tape."""
    return digest(dict(tape))


def check_tape(tool: str, tapes: Mapping[str, Tape], expected: str) -> Tape:
    """Return the tape of a tool.

    Raises:
        ReplayMismatchError: it is missing, or another one than was recorded.
    """
    found = tape_digest(tapes.get(tool, {}))
    if found != expected:
        raise ReplayMismatchError(
            f"environment/{CASSETTES}: the tape of {tool} has the digest {found:.12}…, its program "
            f"names {expected:.12}…; restore what was recorded"
        )
    return tapes.get(tool, {})


def play(tool: str, tape: Tape, arguments: Mapping[str, Json]) -> Json:
    """Return what was recorded for a call.

    Raises:
        Refusal: nothing was.
    """
    key = cassette_key(tool, arguments)
    if key not in tape:
        raise Refusal(f"Error: {CASSETTE_MISS}: nothing is recorded for this call of {tool}")
    return tape[key]
