"""Gate `deterministic`: fresh processes with different hash seeds replay the reference alike."""

import json
import sys
from concurrent.futures import ThreadPoolExecutor

from envwright.events import Json
from envwright.events.errors import InfrastructureError
from envwright.sandbox.gates.gate import Examination, Finding, Gate
from envwright.sandbox.isolation import Completed, Isolation, Job, Limits
from envwright.sandbox.packages import Bundle

HASH_SEEDS = ("1", "20240229")
"""Values of PYTHONHASHSEED: two that order sets of texts differently."""

_LIMITS = Limits(seconds=120, output_bytes=1 << 20)
_BAD_PACKAGE = 2


def _check(examination: Examination) -> Finding:
    bundle, reference = examination.bundle, examination.reference
    here: dict[str, Json] = {"revision": bundle.revision, **reference.summary()}
    with ThreadPoolExecutor(len(HASH_SEEDS)) as pool:
        jobs = [_job(bundle, reference.seed, hash_seed) for hash_seed in HASH_SEEDS]
        replays = list(pool.map(lambda job: _replay(examination.isolation, job), jobs))
    evidence: dict[str, Json] = {
        "runs": [reference.evidence()],
        "replays": [
            {"hash_seed": hash_seed, **replay}
            for hash_seed, replay in zip(HASH_SEEDS, replays, strict=True)
        ],
    }
    for hash_seed, replay in zip(HASH_SEEDS, replays, strict=True):
        if replay != here:
            return Finding(
                passed=False,
                evidence=evidence,
                reason="NONDETERMINISTIC",
                detail=f"hash seed {hash_seed}: {_first_difference(here, replay)}",
            )
    return Finding(passed=True, evidence=evidence)


def _job(bundle: Bundle, seed: int, hash_seed: str) -> Job:
    # -P keeps the package's own folder out of the import path.
    command = (sys.executable, "-P", "-m", "envwright.sandbox.attempts", ".", str(seed))
    environment = {"PYTHONHASHSEED": hash_seed}
    return Job(
        command=command,
        files=dict(bundle.files),
        executable=bundle.executable,
        environment=environment,
    )


def _replay(isolation: Isolation, job: Job) -> dict[str, Json]:
    completed = isolation.run(job, _LIMITS)
    if completed.exit_code == _BAD_PACKAGE:
        return {"refused": completed.stderr.strip()}
    if completed.exit_code or completed.timed_out or completed.stdout_cut:
        raise InfrastructureError(_account(completed))
    try:
        return dict(json.loads(completed.stdout))
    except ValueError as error:
        raise InfrastructureError(f"the replay printed no JSON object: {error}") from error


def _account(completed: Completed) -> str:
    ended = "ran out of time" if completed.timed_out else f"ended with {completed.exit_code}"
    return f"the replay process {ended}: {completed.stderr[-500:].strip() or 'it said nothing'}"


def _first_difference(here: dict[str, Json], there: dict[str, Json]) -> str:
    """Return where two summaries part first, in the order of execution."""
    if "refused" in there:
        return str(there["refused"])
    for name in ("revision", "start"):
        if here[name] != there.get(name):
            return f"the {name} differs"
    for index in range(len(here["digests"])):
        for name, what in (("observations", "observation of"), ("digests", "state after")):
            if here[name][index] != dict(enumerate(there.get(name, []))).get(index):
                return f"the {what} call {index} differs"
    return "the number of calls differs"


GATE = Gate(
    id="deterministic",
    proves="two fresh processes with different hash seeds give the same observations and states",
    blames="environment",
    cost=70,
    check=_check,
    reasons={"NONDETERMINISTIC": "a replay in another process gives something else"},
)
