"""CloudEvents: a recorded event in the structured JSON mode of CloudEvents 1.0."""

from envwright.events.canonical import Json
from envwright.events.envelope import Envelope


def cloud_event(envelope: Envelope) -> dict[str, Json]:
    """Return an event as a CloudEvent; our own header fields are extension attributes.

    `id` and `source` name the event; `subject` is its stream. Attributes that are empty are left
    out, as the specification asks.
    """
    attributes: dict[str, Json] = {
        "specversion": "1.0",
        "id": envelope.id,
        "source": f"/envwright/{envelope.actor.role}",
        "type": envelope.type,
        "subject": envelope.stream,
        "time": envelope.occurred_at,
        "datacontenttype": "application/json",
        "dataschema": f"urn:envwright:event:{envelope.type}:{envelope.schema_version}",
        "sequence": envelope.sequence,
        "position": envelope.position,
        "runid": envelope.run_id,
        "correlationid": envelope.correlation_id,
        "causationid": envelope.causation_id,
        "traceparent": envelope.traceparent,
        "actor": envelope.actor.instance,
        "codeversion": envelope.actor.code_version,
        "recordedtime": envelope.recorded_at,
        "idempotencykey": envelope.idempotency_key,
        "basis": envelope.basis,
        "payloadhash": envelope.payload_hash,
        "previoushash": envelope.previous_hash,
        "hash": envelope.hash,
    }
    known = {name: value for name, value in attributes.items() if value not in (None, "")}
    return {**known, "data": envelope.data}
