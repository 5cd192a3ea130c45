"""Conformance suite of the artifact store; a subclass gives the store and a way to spoil it."""

import threading
from abc import ABC, abstractmethod

import pytest

from envwright.events import digest_bytes
from envwright.events.errors import ArtifactCorruptError, ArtifactMissingError
from envwright.events.ports import ArtifactStore

ABSENT = "0" * 64


class ArtifactsConformance(ABC):
    """What every artifact store does."""

    @abstractmethod
    def overwrite(self, digest: str, data: bytes | None) -> None:
        """Put other bytes in an artifact's place behind the store's back; None deletes it."""

    @pytest.mark.parametrize(
        "data", [b"", b"text", bytes(range(256)) * 9, b"x" * 5_000_000], ids=len
    )
    def test_bytes_come_back_by_their_digest(self, artifacts: ArtifactStore, data):
        reference = artifacts.put(data, "text/plain")
        assert reference.digest == digest_bytes(data)
        assert (reference.size, reference.media_type) == (len(data), "text/plain")
        assert artifacts.get(reference.digest) == data and artifacts.has(reference.digest)

    def test_the_same_bytes_are_kept_once(self, artifacts: ArtifactStore):
        first, second = artifacts.put(b"same"), artifacts.put(b"same", "text/plain")
        assert first.digest == second.digest and second.media_type == "text/plain"
        self.overwrite(first.digest, None)
        assert not artifacts.has(first.digest)

    def test_what_was_deleted_can_be_kept_again(self, artifacts: ArtifactStore):
        digest = artifacts.put(b"data").digest
        self.overwrite(digest, None)
        assert artifacts.put(b"data").digest == digest
        assert artifacts.get(digest) == b"data"

    @pytest.mark.parametrize("digest", [ABSENT, "", "../../etc/passwd", "A" * 64, "\x00", "0" * 63])
    def test_what_is_not_there_is_missing(self, artifacts: ArtifactStore, digest):
        assert not artifacts.has(digest)
        with pytest.raises(ArtifactMissingError):
            artifacts.get(digest)

    def test_a_missing_artifact_says_which(self, artifacts: ArtifactStore):
        with pytest.raises(ArtifactMissingError, match=ABSENT):
            artifacts.get(ABSENT)

    @pytest.mark.parametrize("altered", [b"", b"dat", b"dbta", b"data\n"])
    def test_altered_bytes_are_never_served(self, artifacts: ArtifactStore, altered):
        digest = artifacts.put(b"data").digest
        self.overwrite(digest, altered)
        with pytest.raises(ArtifactCorruptError, match=digest):
            artifacts.get(digest)

    def test_many_writers_of_the_same_bytes_agree(self, artifacts: ArtifactStore):
        digests: list[str] = []

        def write() -> None:
            for number in range(10):
                digests.append(artifacts.put(b"%d" % number * 1000).digest)

        threads = [threading.Thread(target=write) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(digests) == 80 and len(set(digests)) == 10
        assert all(digest_bytes(artifacts.get(digest)) == digest for digest in digests)
