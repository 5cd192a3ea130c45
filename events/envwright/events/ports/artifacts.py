"""Port of the artifact store: bytes by their sha256."""

from typing import Protocol

from envwright.events.values import ArtifactRef


class ArtifactStore(Protocol):
    """Content-addressed bytes, written before the event that names them."""

    def put(self, data: bytes, media_type: str = "application/octet-stream") -> ArtifactRef:
        """Keep `data` durably; the same bytes are kept once.

        Raises:
            InfrastructureError: the store cannot be written.
        """

    def get(self, digest: str) -> bytes:
        """Return the bytes.

        Raises:
            ArtifactMissingError: nothing is kept under `digest`.
            ArtifactCorruptError: what is kept does not hash to `digest`.
        """

    def has(self, digest: str) -> bool:
        """Say whether something is kept under `digest`."""
