"""Sealing: signed checkpoints of the whole log, anchored outside it, and proofs that anyone checks.

The log is a Merkle tree after RFC 6962, one leaf for each position. A checkpoint signs the root of
the tree up to a position, names the checkpoint before it, and is copied to a place outside of the
home: an anchor. What the log said up to an anchor cannot be changed without the change showing.
"""

from envwright.store.sealing.anchors import Anchors, default_anchors, open_anchors
from envwright.store.sealing.evidence import Evidence, Gathered
from envwright.store.sealing.keys import SigningKey, key_folder, load_public_keys, open_signing_key
from envwright.store.sealing.prover import Prover
from envwright.store.sealing.sealer import Sealer
from envwright.store.sealing.spine import Spine
from envwright.store.sealing.verify import (
    REPORT,
    REPORT_FIELDS,
    FalseProofError,
    PublicKeys,
    verify_proof,
)

__all__ = [
    "REPORT",
    "REPORT_FIELDS",
    "Anchors",
    "Evidence",
    "FalseProofError",
    "Gathered",
    "Prover",
    "PublicKeys",
    "Sealer",
    "SigningKey",
    "Spine",
    "default_anchors",
    "key_folder",
    "load_public_keys",
    "open_anchors",
    "open_signing_key",
    "verify_proof",
]
