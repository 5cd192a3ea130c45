"""Verifiers: assertions over final state and answer, evaluated as data."""

from envwright.sandbox.verifiers.places import NOTHING, find, frame_digest, same, without
from envwright.sandbox.verifiers.verification import (
    Verification,
    VerifiedItem,
    Verifier,
    mentions,
    verify,
)

__all__ = [
    "NOTHING",
    "Verification",
    "VerifiedItem",
    "Verifier",
    "find",
    "frame_digest",
    "mentions",
    "same",
    "verify",
    "without",
]
