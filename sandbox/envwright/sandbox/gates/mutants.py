"""Gate `mutants_fail`: one wrong argument in any write of the reference is no solution."""

from collections.abc import Iterator

from envwright.events import Json
from envwright.events.values import ToolCall
from envwright.sandbox.attempts import open_package_world, perform, replay_calls
from envwright.sandbox.gates.gate import Examination, Finding, Gate
from envwright.sandbox.gates.mutations import Mutation, Neighbours, mutations
from envwright.sandbox.worlds import CallResult, World


def _check(examination: Examination) -> Finding:
    reference = examination.reference
    mutants = [_judged(examination, *chosen) for chosen in _chosen(examination)]
    by_outcome: dict[str, list[dict[str, Json]]] = {"killed": [], "survived": [], "idle": []}
    for mutant in mutants:
        by_outcome[mutant["outcome"]].append(mutant)
    killed = {mutant["index"] for mutant in by_outcome["killed"]}
    unpinned = [item for item in by_outcome["idle"] if item["index"] not in killed]
    reason, shown, blames = "", [], ""
    if by_outcome["survived"]:
        reason, shown = "SURVIVING_MUTANT", by_outcome["survived"]
    elif unpinned:
        reason, shown, blames = "UNPINNED_WRITE", unpinned, "solution"
    elif by_outcome["idle"]:
        reason, shown, blames = "IDLE_ARGUMENT", by_outcome["idle"], "solution"
    return Finding(
        passed=not reason,
        evidence={"runs": [reference.evidence()], "mutants": mutants},
        reason=reason,
        detail="; ".join(map(_shown, shown[:5])),
        blames=blames,
    )


def _chosen(examination: Examination) -> Iterator[tuple[int, Mutation | None]]:
    """Yield, for each argument of each write, the mutation that is most like a valid call.

    A write without an argument that can be changed is left out instead (None).
    """
    bundle, reference = examination.bundle, examination.reference
    schemas = {tool.name: tool.parameters for tool in bundle.package.tools}
    arguments = [reference.steps[index].call.arguments for index in reference.writes]
    neighbours = Neighbours(reference.initial, arguments)
    world = open_package_world(bundle)
    try:
        world.reset(reference.seed)
        for index, step in enumerate(reference.steps):
            if index in reference.writes:
                picked: list[Mutation] = []
                for argument in sorted(step.call.arguments):
                    schema = schemas.get(step.call.name, {})
                    options = mutations(step.call, argument, schema, neighbours)
                    picked += _likeliest(world, options, step.digest)
                yield from ((index, mutation) for mutation in picked or (None,))
            perform(world, (step.call,))
    finally:
        world.close()


def _likeliest(
    world: World, options: tuple[Mutation, ...], reference_digest: str
) -> tuple[Mutation, ...]:
    """Return the first mutation that the world accepts and that changes its state otherwise.

    Failing that one that does just what the reference does, since it shows that the argument is
    idle; then the first accepted one, then the first that is refused.
    """
    before, snapshot = world.digest(), world.snapshot()
    ranked: list[tuple[int, int]] = []
    for order, mutation in enumerate(options):
        result: CallResult = world.call(mutation.call.name, mutation.call.arguments)
        after = world.digest()
        world.restore(snapshot)
        if result.ok and after not in (before, reference_digest):
            return (mutation,)
        rank = 0 if after == reference_digest else 1 if result.ok else 2
        ranked.append((rank, order))
    return (options[min(ranked)[1]],) if ranked else ()


def _judged(examination: Examination, index: int, mutation: Mutation | None) -> dict[str, Json]:
    """Run the reference with one call mutated or left out, and say what became of it."""
    bundle, reference = examination.bundle, examination.reference
    calls = list(bundle.solution.calls)
    mutated: list[ToolCall] = [] if mutation is None else [mutation.call]
    calls[index : index + 1] = mutated
    rerun = replay_calls(bundle, reference.seed, calls, reference.initial)
    verification = examination.verifier.verify(rerun.final, bundle.solution.answer)
    step = None if mutation is None else rerun.steps[index]
    outcome = "killed"
    if verification.passed:
        outcome = "idle" if rerun.end == reference.end else "survived"
    return {
        "index": index,
        "tool": reference.steps[index].call.name,
        "path": [] if mutation is None else list(mutation.path),
        "value": None if mutation is None else mutation.value,
        "observation": None if step is None else step.observation.model_dump(mode="json"),
        "accepted": step is not None and step.result.ok,
        "outcome": outcome,
        "end": rerun.end,
        "failed": list(verification.failed),
    }


def _shown(mutant: dict[str, Json]) -> str:
    call = f"call {mutant['index']} {mutant['tool']}"
    if not mutant["path"]:
        return f"{call} left out"
    return f"{call} with {'.'.join(map(str, mutant['path']))} = {mutant['value']!r:.80}"


GATE = Gate(
    id="mutants_fail",
    proves="the reference fails with any one argument of a write changed",
    blames="verifier",
    cost=50,
    check=_check,
    reasons={
        "SURVIVING_MUTANT": "a wrong argument leads to another state and passes all the same",
        "UNPINNED_WRITE": "a write leads to the same final state whatever its arguments",
        "IDLE_ARGUMENT": "an argument of a write makes no difference, so any value of it passes",
    },
)
