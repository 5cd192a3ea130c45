"""Gate `executable`: the documents are well formed, the world opens, its tools load, it resets."""

from collections.abc import Callable

from envwright.events import Json
from envwright.events.errors import BadInputError
from envwright.sandbox.attempts import open_package_world, perform, task_view
from envwright.sandbox.gates.gate import Examination, Finding, Gate
from envwright.sandbox.packages import Bundle

_PARTS: tuple[tuple[str, Callable[[Bundle], object]], ...] = (
    ("environment", lambda bundle: bundle.package),
    ("instruction", lambda bundle: _instruction(bundle)),
    ("instruction", lambda bundle: bundle.blueprint),
    ("instruction", task_view),
    ("verifier", lambda bundle: bundle.assertions),
    ("solution", lambda bundle: bundle.solution),
    ("environment", lambda bundle: open_package_world(bundle).close()),
)
"""What has to be read, and the artifact to blame where it cannot be."""


def _check(examination: Examination) -> Finding:
    bundle = examination.bundle
    for artifact, read in _PARTS:
        try:
            read(bundle)
        except BadInputError as error:
            return Finding(
                passed=False,
                evidence={"revision": bundle.revision},
                reason=getattr(error, "reason", "MALFORMED_CONTENT"),
                detail=str(error),
                blames=artifact,
            )
    declared = sorted(tool.name for tool in bundle.package.tools)
    world = open_package_world(bundle)
    try:
        offered = sorted(tool.name for tool in world.tools())
        resets = []
        for seed in examination.seeds:
            world.reset(seed)
            start = world.digest()
            perform(world, bundle.solution.calls)
            world.reset(seed)
            resets.append({"seed": seed, "start": start, "again": world.digest()})
    finally:
        world.close()
    evidence: dict[str, Json] = {"revision": bundle.revision, "tools": offered, "resets": resets}
    if offered != declared:
        detail = f"package.json declares {declared}, the world offers {offered}"
        return Finding(passed=False, evidence=evidence, reason="TOOLS_DIFFER", detail=detail)
    for reset in resets:
        if reset["start"] != reset["again"]:
            detail = f"a reset to seed {reset['seed']} after calls gives another state"
            return Finding(passed=False, evidence=evidence, reason="RESET_DIFFERS", detail=detail)
    return Finding(passed=True, evidence=evidence)


def _instruction(bundle: Bundle) -> None:
    if not bundle.instruction.strip():
        raise BadInputError("instruction.md: empty; it must say what the solver has to do")


GATE = Gate(
    id="executable",
    proves="every document is well formed, every tool program loads, and a reset is complete",
    blames="environment",
    cost=10,
    check=_check,
    reasons={
        "REPLAY_MISMATCH": "a tape of recorded results is not the one that was recorded",
        "TOOLS_DIFFER": "the world does not offer the tools that the package declares",
        "RESET_DIFFERS": "a reset after calls does not lead back to the first state",
    },
)
