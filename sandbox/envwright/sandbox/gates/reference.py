"""Gate `reference_passes`: the hidden solution solves the task, with every seed."""

from envwright.sandbox.attempts import replay_calls
from envwright.sandbox.gates.gate import (
    Examination,
    Finding,
    Gate,
    shown_failures,
    verification_evidence,
)
from envwright.sandbox.verifiers import verify
from envwright.sandbox.worlds import CASSETTE_MISS


def _check(examination: Examination) -> Finding:
    bundle = examination.bundle
    solution = bundle.solution
    runs = []
    reason = detail = ""
    for seed in examination.seeds:
        rerun = replay_calls(bundle, seed, solution.calls)
        verification = verify(bundle.assertions, rerun.initial, rerun.final, solution.answer)
        run = {**rerun.evidence(), "answer": solution.answer}
        runs.append({**run, "verification": verification_evidence(verification)})
        failed = rerun.refused
        if failed is not None:
            missed = CASSETTE_MISS in str(failed.result.value)
            reason = CASSETTE_MISS if missed else "REFERENCE_CALL_FAILED"
            detail = f"seed {seed}: {failed.call.name} gave {failed.result.value!r:.200}"
        elif not verification.passed:
            reason = "REFERENCE_FAILS"
            detail = f"seed {seed}: {shown_failures(verification)}"
        if reason:
            break
    return Finding(passed=not reason, evidence={"runs": runs}, reason=reason, detail=detail)


GATE = Gate(
    id="reference_passes",
    proves="the reference calls all succeed, save for faults that it meets and repeats the call "
    "after, and every assertion holds after them",
    blames="solution",
    cost=20,
    check=_check,
    reasons={
        "CASSETTE_MISS": "a reference call is not among the recorded ones",
        "REFERENCE_CALL_FAILED": "a reference call gave an error and was not made again",
        "REFERENCE_FAILS": "an assertion does not hold after the reference",
    },
)
