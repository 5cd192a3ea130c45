"""A sealed home for tests: a log written by hand, a key and anchors outside of it."""

from functools import partial
from pathlib import Path

from envwright.store import Store, open_store
from envwright.store.sealing import Evidence, Gathered, SigningKey, open_signing_key
from support.audited_log import Writer, write_run


class SealedHome:
    """One home with its own signing key and anchors, beside it and not in it."""

    def __init__(self, folder: Path) -> None:
        self.home = folder / "home"
        self.anchors = folder / "anchors.jsonl"
        self.store: Store = open_store(self.home)
        self._key = folder / "keys"

    @property
    def key(self) -> SigningKey:
        """The key that seals it."""
        key = open_signing_key(self._key)
        assert key is not None
        return key

    @property
    def evidence(self) -> Evidence:
        """Its seals."""
        evidence = Evidence(self.store.database, partial(open_store, self.home), str(self.anchors))
        evidence.sealer._key = lambda: self.key
        return evidence

    def write(self, run: str = "run-1", packages: int = 2) -> None:
        """Write a run."""
        write_run(Writer(self.store.log, self.store.artifacts, run), packages)

    def seal(self) -> None:
        """Seal and anchor what there is."""
        self.evidence.sealer.seal()
        self.evidence.sealer.publish()

    def gather(self) -> Gathered:
        """Check the seals."""
        return self.evidence.gather(self.key.public_keys)

    def failed(self) -> dict[str, list[tuple[str, int, str, str]]]:
        """Return the failures of the checks that fail."""
        checks = self.gather().checks
        return {name: list(c.failures) for name, c in checks.items() if c.failed}

    def close(self) -> None:
        """Release the store."""
        self.store.close()
