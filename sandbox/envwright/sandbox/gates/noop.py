"""Gate `noop_fails`: doing nothing is no solution, and the assertions say something."""

from envwright.sandbox.attempts import replay_calls
from envwright.sandbox.gates.gate import Examination, Finding, Gate, verification_evidence
from envwright.sandbox.verifiers import Verifier


def _check(examination: Examination) -> Finding:
    bundle = examination.bundle
    assertions = bundle.assertions
    idle = replay_calls(bundle, examination.seeds[0], ())
    verifier = Verifier(assertions, idle.initial)
    verification = verifier.verify(idle.final, "")
    vacuous = verifier.vacuous()
    evidence = {
        "runs": [{**idle.evidence(), "answer": ""}],
        "verification": verification_evidence(verification),
        "vacuous": list(vacuous),
    }
    if verification.passed or vacuous or not (assertions.state or assertions.answer):
        held = ", ".join(vacuous) or "none"
        detail = f"state assertions that hold before anything is done: {held}"
        return Finding(passed=False, evidence=evidence, reason="VACUOUS_ASSERTIONS", detail=detail)
    return Finding(passed=True, evidence=evidence)


GATE = Gate(
    id="noop_fails",
    proves="the untouched world with an empty answer fails, and no state assertion holds in it",
    blames="verifier",
    cost=30,
    check=_check,
    reasons={
        "VACUOUS_ASSERTIONS": "an assertion holds before anything is done, or nothing is asserted",
    },
)
