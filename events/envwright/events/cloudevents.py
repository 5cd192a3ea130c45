"""CloudEvents 1.0: a recorded event as JSON and as a binary message, and an event from the latter.

Both forms carry the same attributes. In binary mode they are headers named `ce_<attribute>` with
UTF-8 text, beside `content-type` and `traceparent`, and the value holds the payload's bytes just
as they were hashed. A control character, which CloudEvents forbids in an attribute, and `%` itself
stand percent-encoded as UTF-8 there.
"""

import json
import re
from collections.abc import Iterable, Iterator
from urllib.parse import quote, unquote, unquote_to_bytes

from pydantic import ValidationError

from envwright.events.canonical import Json, digest_bytes, encode
from envwright.events.envelope import Envelope, payload_reference
from envwright.events.errors import ArtifactError, UndecodableError
from envwright.events.ports.artifacts import ArtifactStore
from envwright.events.values import Actor

Headers = tuple[tuple[str, bytes], ...]
"""Headers of a message: names with their bytes."""

CONTENT_TYPE = "application/json"
_SOURCE = "/envwright/"
_SCHEMA = "urn:envwright:event:"

_FIELDS = {
    "sequence": "sequence",
    "position": "position",
    "runid": "run_id",
    "correlationid": "correlation_id",
    "causationid": "causation_id",
    "traceparent": "traceparent",
    "recordedtime": "recorded_at",
    "idempotencykey": "idempotency_key",
    "basis": "basis",
    "payloadhash": "payload_hash",
    "previoushash": "previous_hash",
    "hash": "hash",
}
"""Extension attributes that hold a header field as it is."""

_MAY_BE_NONE = frozenset({"causationid", "traceparent", "basis"})
_FORBIDDEN = re.compile("[%\x00-\x1f\x7f-\x9f]")


def _attributes(envelope: Envelope) -> Iterator[tuple[str, str | int | None]]:
    yield "specversion", "1.0"
    yield "id", envelope.id
    yield "source", _SOURCE + quote(envelope.actor.role, safe="")
    yield "type", envelope.type
    yield "subject", envelope.stream
    yield "time", envelope.occurred_at
    yield "datacontenttype", CONTENT_TYPE
    yield "dataschema", f"{_SCHEMA}{envelope.type}:{envelope.schema_version}"
    for attribute, name in _FIELDS.items():
        yield attribute, getattr(envelope, name)
    yield "actor", envelope.actor.instance
    yield "codeversion", envelope.actor.code_version
    if envelope.metrics:
        yield "metrics", encode(envelope.metrics).decode("ascii")


def cloud_event(envelope: Envelope) -> dict[str, Json]:
    """Return an event in the structured JSON mode; our header fields are extension attributes.

    `id` and `source` name the event; `subject` is its stream; `metrics` is JSON in text.
    Attributes that are empty are left out, as the specification asks.
    """
    known = {name: value for name, value in _attributes(envelope) if value not in (None, "")}
    return {**known, "data": envelope.data}


def to_headers(envelope: Envelope) -> Headers:
    """Return the headers of an event in binary mode; `envelope.payload` is the value.

    `ce_traceparent` is what was recorded, and is hashed; `traceparent` says the same to whatever
    knows nothing of CloudEvents, and may be replaced on the way.
    """
    headers = [("content-type", CONTENT_TYPE.encode())]
    if envelope.traceparent:
        headers.append(("traceparent", _text(envelope.traceparent)))
    for name, value in _attributes(envelope):
        if name == "datacontenttype" or value is None:
            continue
        if value != "" or name in _MAY_BE_NONE:
            headers.append((f"ce_{name}", _text(str(value))))
    return tuple(headers)


def from_message(
    headers: Iterable[tuple[str, bytes | None]],
    value: bytes | None,
    artifacts: ArtifactStore | None = None,
) -> Envelope:
    """Return the event of a message in binary mode, exactly as it was recorded.

    Without `artifacts`, the body of an event whose payload is a reference is that reference.
    The chain is not checked: see `verify_hashes`.

    Raises:
        UndecodableError: the message is no event of ours, its payload does not match its hash, or
            its body is not in `artifacts`.
    """
    try:
        found = {name[3:]: _read(raw) for name, raw in headers if name.startswith("ce_")}
        if value is None:
            raise ValueError("there is no value")
        if digest_bytes(value) != found["payloadhash"]:
            raise ValueError("the value does not match ce_payloadhash")
        return Envelope(**_fields(found), payload=value, body=_body(value, artifacts))
    except KeyError as error:
        raise UndecodableError(f"no event: header ce_{error.args[0]} is missing") from error
    except ArtifactError as error:
        raise UndecodableError(f"the body of the event is missing: {error}") from error
    except (ValidationError, ValueError, TypeError, RecursionError) as error:
        raise UndecodableError(f"no event: {error}") from error


def _fields(found: dict[str, str]) -> dict[str, Json]:
    """Return the header fields of an envelope from its attributes."""
    kind, source, schema = found["type"], found["source"], found["dataschema"]
    if not source.startswith(_SOURCE):
        raise ValueError(f"ce_source {source!r} does not begin with {_SOURCE}")
    named, _, version = schema.rpartition(":")
    if named != _SCHEMA + kind:
        raise ValueError(f"ce_dataschema {schema!r} is no schema of {kind!r}")
    fields = {
        name: found.get(attribute) if attribute in _MAY_BE_NONE else found.get(attribute, "")
        for attribute, name in _FIELDS.items()
    }
    return {
        **fields,
        "id": found["id"],
        "type": kind,
        "stream": found.get("subject", ""),
        "occurred_at": found.get("time", ""),
        "schema_version": int(version),
        "actor": Actor(
            role=unquote(source[len(_SOURCE) :], errors="strict"),
            instance=found.get("actor", ""),
            code_version=found.get("codeversion", ""),
        ),
        "metrics": json.loads(found.get("metrics", "{}")),
    }


def _body(payload: bytes, artifacts: ArtifactStore | None) -> bytes:
    if artifacts is None:
        return payload
    reference = payload_reference(payload)
    return payload if reference is None else artifacts.get(reference.digest)


def _text(value: str) -> bytes:
    """Return an attribute's text in UTF-8, what is forbidden in it percent-encoded."""
    if value.isascii() and value.isprintable() and "%" not in value:
        return value.encode("ascii")
    return _FORBIDDEN.sub(lambda found: quote(found[0], safe=""), value).encode("utf-8")


def _read(raw: bytes | None) -> str:
    if raw is None:
        raise ValueError("a header has no value")
    return (unquote_to_bytes(raw) if b"%" in raw else raw).decode("utf-8")
