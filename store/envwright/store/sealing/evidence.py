"""Evidence: all that a log can be held to without understanding a single event of it."""

from collections.abc import Callable
from dataclasses import dataclass, field

from envwright.store.database import Database
from envwright.store.findings import Checked
from envwright.store.sealing.anchors import Anchors, open_anchors
from envwright.store.sealing.keys import SigningKey, open_signing_key
from envwright.store.sealing.prover import Prover
from envwright.store.sealing.records import kept_checkpoints, log_id
from envwright.store.sealing.sealer import Sealer
from envwright.store.sealing.spine import Spine, check_spine
from envwright.store.sealing.verify import PublicKeys
from envwright.store.verification import Reopen, verify_log


@dataclass
class Gathered:
    """What was found of the whole log."""

    spine: Spine
    anchors: str
    """Where the anchors are."""
    checks: dict[str, Checked] = field(default_factory=dict)
    """`positions`, `checkpoints`, `anchors`, `chains` and `artifacts`."""


class Evidence:
    """The seals of one log: makes them, checks them, proves with them."""

    def __init__(self, database: Database, reopen: Reopen, anchors: str = "") -> None:
        """`anchors` is a file, folder or URL; empty is the default place."""
        self._database = database
        self._reopen = reopen
        self._anchors = anchors
        self.prover = Prover(database)
        self.sealer = Sealer(database, _own_key, lambda home: open_anchors(anchors, home))

    def anchors(self) -> Anchors:
        """Return where the log's checkpoints are anchored."""
        kept = kept_checkpoints(self._database)
        home = kept[-1].record["home"] if kept else log_id(self._database)
        return open_anchors(self._anchors, str(home or "empty"))

    def has_seals(self) -> bool:
        """Say whether there is a checkpoint or an anchor, for which a public key is needed."""
        return bool(kept_checkpoints(self._database)) or bool(self.anchors().read())

    def gather(
        self,
        keys: PublicKeys,
        *,
        workers: int | None = None,
        progress: Callable[[int, int], None] = lambda done, total: None,
    ) -> Gathered:
        """Check every byte of the log and of its artifacts against all that was signed.

        Raises:
            InfrastructureError: the database, the artifacts or the anchors cannot be read.
        """
        anchors = self.anchors()
        spine = check_spine(self._database, keys, anchors.read())
        verified = verify_log(self._reopen, workers=workers, progress=progress)
        checks = {**spine.checks, "chains": verified.chains, "artifacts": verified.artifacts}
        return Gathered(spine, anchors.location, checks)


def _own_key() -> SigningKey:
    key = open_signing_key()
    assert key is not None  # It was made where it was missing.
    return key
