"""Gate `prefixes_fail`: stopping before any write of the reference is no solution."""

from envwright.sandbox.attempts import replay_calls
from envwright.sandbox.gates.gate import Examination, Finding, Gate


def _check(examination: Examination) -> Finding:
    bundle = examination.bundle
    solution = bundle.solution
    reference = examination.reference
    prefixes = []
    passing = []
    for length in reference.writes:
        rerun = replay_calls(bundle, reference.seed, solution.calls[:length], reference.initial)
        # The reference's own answer: a right answer must not stand in for the missing writes.
        verification = examination.verifier.verify(rerun.final, solution.answer)
        prefixes.append(
            {
                "length": length,
                "before": solution.calls[length].name,
                "end": rerun.end,
                "passed": verification.passed,
                "failed": list(verification.failed),
            }
        )
        if verification.passed:
            passing.append(f"{length} calls, before {solution.calls[length].name}")
    evidence = {"runs": [reference.evidence()], "prefixes": prefixes}
    if passing:
        detail = f"assertions hold after {'; '.join(passing)}"
        return Finding(passed=False, evidence=evidence, reason="PREFIX_PASSES", detail=detail)
    return Finding(passed=True, evidence=evidence)


GATE = Gate(
    id="prefixes_fail",
    proves="every proper prefix of the reference that ends before a write fails",
    blames="verifier",
    cost=40,
    check=_check,
    reasons={"PREFIX_PASSES": "a prefix of the reference that lacks a write passes"},
)
