"""Evaluation: runs one gate on one revision and tells a failed package from a failed machine."""

from envwright.events import Json, normalise
from envwright.events.errors import BadInputError, CanonicalError, InfrastructureError
from envwright.events.values import GateResult, GateSpec, Value
from envwright.sandbox.gates.gate import Examination, Finding
from envwright.sandbox.gates.registry import find_gate
from envwright.sandbox.isolation import Isolation, ProcessIsolation
from envwright.sandbox.packages import Bundle

MALFORMED_CONTENT = "MALFORMED_CONTENT"
"""Reason of any gate: the package's own content cannot be read or executed."""

INFRASTRUCTURE = "INFRASTRUCTURE"
"""Reason of the verdict `error`: the machine failed, which says nothing of the package."""


class GateOutcome(Value):
    """A gate's verdict with the evidence that it rests on."""

    result: GateResult
    """Its `evidence` is None until the evidence is kept as an artifact."""
    evidence: Json


def run_gate(spec: GateSpec, bundle: Bundle, isolation: Isolation | None = None) -> GateOutcome:
    """Run a gate in fresh worlds; without `isolation` trusted replays run as plain processes.

    Malformed content of the package is `fail`; a failing machine is `error`, never `fail`; a bug
    is an exception.

    Raises:
        BadInputError: the spec itself is no good (unknown gate, version or settings).
    """
    gate = find_gate(spec)
    examination = Examination(bundle, spec.settings, isolation or ProcessIsolation())
    # Checked first, so that a bad setting is not taken for bad content.
    _ = examination.seeds
    try:
        finding = gate.check(examination)
    except (InfrastructureError, OSError, MemoryError) as error:
        result = GateResult(
            gate=gate.id,
            version=gate.version,
            verdict="error",
            reason=INFRASTRUCTURE,
            detail=_told(error),
        )
        return GateOutcome(result=result, evidence={"revision": bundle.revision})
    except (BadInputError, CanonicalError, RecursionError) as error:
        finding = Finding(
            passed=False,
            evidence={"revision": bundle.revision},
            reason=getattr(error, "reason", MALFORMED_CONTENT),
            detail=_told(error),
        )
    result = GateResult(
        gate=gate.id,
        version=gate.version,
        verdict="pass" if finding.passed else "fail",
        reason=finding.reason,
        detail=finding.detail,
        blames="" if finding.passed else finding.blames or spec.blames,
    )
    return GateOutcome(result=result, evidence=normalise(finding.evidence, nfc=False))


def _told(error: BaseException) -> str:
    return str(error) or type(error).__name__
