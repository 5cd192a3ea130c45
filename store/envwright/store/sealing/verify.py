"""Verify: all that it takes to check a proof, a checkpoint or a signed report, and nothing else.

Needs Python and the `cryptography` library; reads no home, no network and no other file of ours.
Hashing is that of RFC 6962 (2.1) with SHA-256; the encodings of leaf and checkpoint are ours:

    leaf        H(0x00 || position: 8 bytes || length: 2 bytes || recorded_at: UTF-8 || hash: 32)
    node        H(0x01 || left: 32 || right: 32)
    event hash  H(previous hash of its stream: 32 || header || H(payload): 32)
    checkpoint  canonical JSON (sorted keys, no spaces, ASCII) of its fields but `signature`, which
                is signed as it is with Ed25519

Numbers are big-endian. `previous` is H(the checkpoint before, as it was signed), or 64 zeros.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    PublicFormat,
    load_pem_public_key,
)

CHECKPOINT = "envwright checkpoint 1"
REPORT = "envwright audit report 1"
FIELDS = ("format", "from", "home", "key", "number", "previous", "root", "to")
"""Fields of a checkpoint that are signed: it covers the positions `from` < p <= `to`."""
REPORT_FIELDS = ("file", "format", "key", "sha256")
GENESIS = "0" * 64

Record = Mapping[str, Any]
PublicKeys = Mapping[str, Ed25519PublicKey]
"""Keys by their id."""


class FalseProofError(Exception):
    """The proof does not prove what it says; the message names the part that is wrong."""


def leaf_hash(position: int, recorded_at: str, event_hash: str) -> bytes:
    """Return the hash of a leaf; ValueError or OverflowError where a part is malformed."""
    when, hashed = recorded_at.encode("utf-8"), bytes.fromhex(event_hash)
    if len(hashed) != 32:
        raise ValueError(f"{event_hash!r} is no SHA-256")
    place = position.to_bytes(8, "big") + len(when).to_bytes(2, "big")
    return sha256(b"\x00" + place + when + hashed).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """Return the hash of an inner node."""
    return sha256(b"\x01" + left + right).digest()


def inclusion_root(leaf: bytes, index: int, size: int, path: Sequence[bytes]) -> bytes | None:
    """Return the root that a leaf at `index` (from 0) of `size` leaves leads to; RFC 9162, 2.1.3.2.

    None where the path has not the length that the tree asks for.
    """
    if not 0 <= index < size:
        return None
    place, last, root = index, size - 1, leaf
    for step in path:
        if last == 0:
            return None
        if place & 1 or place == last:
            root = node_hash(step, root)
            while not place & 1 and place:
                place, last = place >> 1, last >> 1
        else:
            root = node_hash(root, step)
        place, last = place >> 1, last >> 1
    return root if last == 0 else None


def is_consistent(
    first: int, first_root: bytes, second: int, second_root: bytes, path: Sequence[bytes]
) -> bool:
    """Say whether a tree of `second` leaves begins with that of `first`; RFC 9162, 2.1.4.2."""
    if not 0 < first <= second:
        return False
    if first == second:
        return not path and first_root == second_root
    steps = list(path) if first & (first - 1) else [first_root, *path]
    if not steps:
        return False
    place, last = first - 1, second - 1
    while place & 1:
        place, last = place >> 1, last >> 1
    old = new = steps[0]
    for step in steps[1:]:
        if last == 0:
            return False
        if place & 1 or place == last:
            old, new = node_hash(step, old), node_hash(step, new)
            while not place & 1 and place:
                place, last = place >> 1, last >> 1
        else:
            new = node_hash(new, step)
        place, last = place >> 1, last >> 1
    return last == 0 and old == first_root and new == second_root


def signed_bytes(record: Record, fields: Sequence[str] = FIELDS) -> bytes:
    """Return what is signed of a checkpoint or a report; KeyError where a field is missing."""
    body = {name: record[name] for name in fields}
    return json.dumps(body, sort_keys=True, separators=(",", ":")).encode("ascii")


def parse_public_key(text: str) -> Ed25519PublicKey:
    """Read an Ed25519 public key in PEM or as 64 hex digits; ValueError where it is neither."""
    text = text.strip()
    if text.startswith("-----BEGIN PUBLIC KEY-----"):
        key = load_pem_public_key(text.encode("ascii"))
        if isinstance(key, Ed25519PublicKey):
            return key
        raise ValueError("the key is of another kind; expected Ed25519")
    return Ed25519PublicKey.from_public_bytes(bytes.fromhex(text))


def key_id(key: Ed25519PublicKey) -> str:
    """Return the id of a key: the first 16 hex digits of the SHA-256 of its 32 bytes."""
    return sha256(key.public_bytes(Encoding.Raw, PublicFormat.Raw)).hexdigest()[:16]


def check_signature(record: Record, keys: PublicKeys, fields: Sequence[str] = FIELDS) -> None:
    """Check the signature of a checkpoint or a report.

    Raises:
        FalseProofError: it was made by none of the keys, or over something else.
    """
    try:
        body, signature = signed_bytes(record, fields), bytes.fromhex(record["signature"])
    except (KeyError, TypeError, ValueError) as error:
        raise FalseProofError(f"a signed record is malformed: {error!r}") from error
    expected = CHECKPOINT if fields is FIELDS else REPORT
    if record["format"] != expected:
        raise FalseProofError(f"its format is {record['format']!r}, expected {expected!r}")
    key = keys.get(str(record["key"]))
    if key is None:
        known = ", ".join(sorted(keys)) or "none"
        raise FalseProofError(f"signed by key {record['key']}; the keys given are {known}")
    try:
        key.verify(signature, body)
    except InvalidSignature:
        raise FalseProofError(f"the signature is not one of key {record['key']}") from None


def verify_proof(
    proof: Record, keys: PublicKeys, read: Callable[[str], bytes] | None = None
) -> str:
    """Check a proof and return in words what it proves.

    `read` returns the bytes of the file that a signed report names.

    Raises:
        FalseProofError: it proves nothing; the message says why.
    """
    checks = {"inclusion": _inclusion, "consistency": _consistency}
    kind = proof.get("kind")
    try:
        if kind == "report":
            return _report(proof, keys, read)
        if kind in checks:
            return checks[str(kind)](proof, keys)
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise FalseProofError(f"the proof is malformed: {error!r}") from error
    raise FalseProofError(f"{kind!r} is no kind of proof; known: inclusion, consistency, report")


def _inclusion(proof: Record, keys: PublicKeys) -> str:
    event, checkpoint = proof["event"], proof["checkpoint"]
    check_signature(checkpoint, keys)
    payload_hash = sha256(event["payload"].encode("ascii")).digest()
    linked = bytes.fromhex(event["previous_hash"]) + event["header"].encode("ascii") + payload_hash
    hashed = sha256(linked).hexdigest()
    if hashed != event["hash"]:
        raise FalseProofError(
            f"header and payload hash to {hashed}, the event is said to be {event['hash']}"
        )
    position, size = event["position"], checkpoint["to"]
    leaf = leaf_hash(position, event["recorded_at"], hashed)
    root = inclusion_root(leaf, position - 1, size, _hashes(proof["path"]))
    if root is None:
        raise FalseProofError(f"the path does not fit position {position} of {size}")
    if root.hex() != checkpoint["root"]:
        raise FalseProofError(
            f"the path leads to root {root.hex()}, the checkpoint has {checkpoint['root']}"
        )
    name = json.loads(event["header"])
    return (
        f"event {name['id']} ({name['type']}) is at position {position} of log "
        f"{checkpoint['home']}, under checkpoint {checkpoint['number']}"
    )


def _consistency(proof: Record, keys: PublicKeys) -> str:
    first, second = proof["first"], proof["second"]
    for checkpoint in (first, second):
        check_signature(checkpoint, keys)
    if first["home"] != second["home"]:
        raise FalseProofError(f"the checkpoints are of two logs: {first['home']}, {second['home']}")
    sizes = (first["to"], second["to"])
    roots = _hashes([first["root"], second["root"]])
    if not is_consistent(sizes[0], roots[0], sizes[1], roots[1], _hashes(proof["path"])):
        raise FalseProofError(
            f"the path does not lead from the root at {sizes[0]} to the root at {sizes[1]}"
        )
    return (
        f"log {first['home']} at position {sizes[1]} (checkpoint {second['number']}) begins with "
        f"all that it held at position {sizes[0]} (checkpoint {first['number']})"
    )


def _report(proof: Record, keys: PublicKeys, read: Callable[[str], bytes] | None) -> str:
    check_signature(proof, keys, REPORT_FIELDS)
    if read is None:
        raise FalseProofError(f"the signature is of the file {proof['file']}, which is not here")
    found = sha256(read(proof["file"])).hexdigest()
    if found != proof["sha256"]:
        raise FalseProofError(
            f"{proof['file']} hashes to {found}, the signature is of {proof['sha256']}"
        )
    return f"report {proof['file']} is as the holder of key {proof['key']} signed it"


def _hashes(path: Sequence[str]) -> list[bytes]:
    hashes = [bytes.fromhex(step) for step in path]
    if any(len(step) != 32 for step in hashes):
        raise ValueError("a step of the path is no SHA-256")
    return hashes
