"""Gate `calls_necessary`: no reference call can be left out, and no value comes from nowhere."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from envwright.events import Json, encode
from envwright.sandbox.attempts import replay_calls, task_view
from envwright.sandbox.gates.gate import Examination, Finding, Gate
from envwright.sandbox.packages import Bundle
from envwright.sandbox.verifiers import mentions
from envwright.sandbox.worlds import CallResult

_WORLD = "environment/world.json"


class Flow(NamedTuple):
    """One executed call: what went in, what came out, and whether it wrote."""

    arguments: Json
    value: Json
    wrote: bool


@dataclass(frozen=True)
class Necessity:
    """What became of the values of a reference."""

    idle: tuple[int, ...]
    """Reads that give nothing which a later needed call, or the answer, has from them alone."""
    unfounded: tuple[tuple[int, str], ...]
    """Arguments, as call and text, that neither the instruction nor an earlier call gives."""


def trace_values(said: Iterable[str], flows: Sequence[Flow], answers: Iterable[str]) -> Necessity:
    """Follow values through executed calls; `said` are the texts that a solver starts from.

    A read is needed if, without it, a value of a later needed call or of the answer would come from
    nowhere. Writes count as needed: whether the verifier misses them is for an execution to show.
    """
    return _Values(tuple(said), flows, frozenset(map(_plain, answers))).necessity()


class _Values:
    """The texts that go in and out of each call."""

    def __init__(
        self, said: tuple[str, ...], flows: Sequence[Flow], answers: frozenset[str]
    ) -> None:
        self._flows = flows
        self._said = tuple(map(_plain, said))
        self._answers = answers
        self._inputs = [frozenset(_texts(flow.arguments)) for flow in flows]
        self._outputs = [frozenset(_texts(flow.value)) for flow in flows]
        self._told: dict[str, bool] = {}

    def necessity(self) -> Necessity:
        """Return what is idle and what is unfounded."""
        needed: set[int] = set()
        for index in range(len(self._flows) - 1, -1, -1):
            if self._flows[index].wrote or self._gives(index, needed):
                needed.add(index)
        idle = tuple(index for index in range(len(self._flows)) if index not in needed)
        return Necessity(idle, tuple(self._unfounded()))

    def _gives(self, index: int, needed: set[int]) -> bool:
        known = self._inputs[index].union(*self._outputs[:index], *self._inputs[:index])
        fresh = self._outputs[index] - known
        between: set[str] = set()
        for later in range(index + 1, len(self._flows)):
            taken = (fresh & self._inputs[later]) - between
            if later in needed and any(not self._is_told(text) for text in taken):
                return True
            between |= self._outputs[later]
        only_here = (fresh - between) & self._answers
        return any(not self._is_told(text) for text in only_here)

    def _unfounded(self) -> Iterable[tuple[int, str]]:
        known: set[str] = set()
        for index, texts in enumerate(self._inputs):
            for text in sorted(texts - known):
                if not self._is_told(text):
                    yield index, text
            known |= self._outputs[index]

    def _is_told(self, text: str) -> bool:
        if text not in self._told:
            self._told[text] = any(mentions(said, text) for said in self._said)
        return self._told[text]


def _texts(value: Json) -> Iterable[str]:
    """Yield the scalars of a value as texts, and the names that stand in objects."""
    if isinstance(value, dict):
        for name in value:
            yield _plain(name)
            yield from _texts(value[name])
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)
    elif isinstance(value, str):
        yield from (_plain(value),) if value.strip() else ()
    elif value is not None and not isinstance(value, bool):
        yield encode(value).decode("ascii")


def _plain(text: str) -> str:
    return text.casefold().strip()


def _check(examination: Examination) -> Finding:
    bundle, reference = examination.bundle, examination.reference
    view = task_view(bundle)
    said = [view.instruction, *view.files.values()]
    # Values that a schema lists are open to everybody, like a menu.
    said += [encode(tool.parameters).decode("ascii") for tool in view.tools]
    answers = [item.expected for item in bundle.assertions.answer]
    flows = [
        Flow(_inputs(step.call.arguments), step.result.value, _is_kept(step.result))
        for step in reference.steps
    ]
    traced = trace_values(said, flows, answers)
    idle = {index: "nothing that it gives is used later" for index in traced.idle}
    idle |= {index: "the verifier does not miss it" for index in _unmissed(examination)}
    evidence: dict[str, Json] = {
        "runs": [reference.evidence()],
        "unnecessary": [{"index": index, "why": idle[index]} for index in sorted(idle)],
        "unfounded": [{"index": index, "value": text} for index, text in traced.unfounded],
        # A call that met a fault is no step of the task.
        "necessary": len(flows) - len(idle | dict.fromkeys(reference.faults, "")),
    }
    if idle:
        detail = "; ".join(f"call {i} ({_name(examination, i)}): {idle[i]}" for i in sorted(idle))
        return Finding(passed=False, evidence=evidence, reason="UNNECESSARY_CALL", detail=detail)
    if traced.unfounded:
        index, text = traced.unfounded[0]
        detail = f"call {index} ({_name(examination, index)}) uses {text!r:.80}, which nobody gave"
        return Finding(
            passed=False,
            evidence=evidence,
            reason="UNDISCOVERABLE_VALUE",
            detail=detail,
            blames="instruction",
        )
    return Finding(passed=True, evidence=evidence)


def _is_kept(result: CallResult) -> bool:
    """Say whether a call counts for what it did: it wrote, or used up a fault."""
    return bool(result.writes) or result.transient


def _inputs(arguments: Mapping[str, Json]) -> list[Json]:
    """Return the values of the arguments: their names stand in the schema."""
    return [arguments[name] for name in sorted(arguments)]


def _name(examination: Examination, index: int) -> str:
    return examination.bundle.solution.calls[index].name


def _unmissed(examination: Examination) -> Iterable[int]:
    """Yield the writes, and the calls that met a fault, without which the rest still passes.

    Writes are left out in a world without faults: one that waits for a call that is not made would
    meet the next, and make any write seem needed.
    """
    bundle, reference = examination.bundle, examination.reference
    every = range(len(bundle.solution.calls))
    kept = [index for index in every if index not in reference.faults]
    plain = _without_faults(bundle) if reference.faults else bundle
    for index in reference.writes:
        if _passes(examination, plain, [other for other in kept if other != index]):
            yield index
    for index in reference.faults:
        if _passes(examination, bundle, [other for other in every if other != index]):
            yield index


def _passes(examination: Examination, bundle: Bundle, indexes: Sequence[int]) -> bool:
    """Say whether some calls of the reference can be made and solve the task."""
    reference, solution = examination.reference, examination.bundle.solution
    calls = [solution.calls[index] for index in indexes]
    rerun = replay_calls(bundle, reference.seed, calls, reference.initial)
    feasible = rerun.refused is None
    return feasible and examination.verifier.verify(rerun.final, solution.answer).passed


def _without_faults(bundle: Bundle) -> Bundle:
    world = bundle.json(_WORLD)
    world.pop("faults", None)
    return Bundle({**bundle.files, _WORLD: encode(world)}, bundle.executable)


GATE = Gate(
    id="calls_necessary",
    proves="without any one call of the reference a later value comes from nowhere, or it fails",
    blames="solution",
    cost=45,
    check=_check,
    reasons={
        "UNNECESSARY_CALL": "a reference call can be left out",
        "UNDISCOVERABLE_VALUE": "an argument is neither told nor given by an earlier call",
    },
)
