"""The registry: every gate by its id, gate specs for recipes, and the digest of a gate set."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

from envwright.events import digest
from envwright.events.errors import BadInputError
from envwright.events.values import GateSpec
from envwright.sandbox.gates import (
    contamination,
    deterministic,
    executable,
    leak,
    mutants,
    necessity,
    noop,
    prefixes,
    reference,
)
from envwright.sandbox.gates.gate import Gate

_MINIMUM = (
    executable.GATE,
    reference.GATE,
    noop.GATE,
    leak.GATE,
    prefixes.GATE,
    mutants.GATE,
    deterministic.GATE,
)
_ALL = sorted((*_MINIMUM, necessity.GATE, contamination.GATE), key=lambda gate: gate.cost)
_GATES: Mapping[str, Gate] = MappingProxyType({gate.id: gate for gate in _ALL})


def gate_registry() -> Mapping[str, Gate]:
    """Return every gate by its id, cheapest first."""
    return _GATES


def find_gate(spec: GateSpec) -> Gate:
    """Return the gate that a spec names.

    Raises:
        BadInputError: no gate has this id, or it has another version by now.
    """
    gate = _GATES.get(spec.gate)
    if gate is None:
        raise BadInputError(f"unknown gate {spec.gate!r}; known are {', '.join(_GATES)}")
    if gate.version != spec.version:
        raise BadInputError(
            f"gate {spec.gate!r} has version {gate.version!r}, the spec asks for "
            f"{spec.version!r}; evaluate the revision under its own version of envwright"
        )
    return gate


def gate_spec(gate_id: str, **settings: Any) -> GateSpec:
    """Return the spec of a gate in today's version, with its own artifact to blame.

    Raises:
        BadInputError: no gate has this id.
    """
    if gate_id not in _GATES:
        raise BadInputError(f"unknown gate {gate_id!r}; known are {', '.join(_GATES)}")
    gate = _GATES[gate_id]
    return GateSpec(gate=gate.id, version=gate.version, blames=gate.blames, settings=settings)


def default_gate_set() -> tuple[GateSpec, ...]:
    """Return the specs of the minimum that every recipe declares."""
    return tuple(gate_spec(gate.id) for gate in _MINIMUM)


def cheapest_first(specs: Iterable[GateSpec]) -> tuple[GateSpec, ...]:
    """Return specs in the order in which a Tester runs them."""
    return tuple(sorted(specs, key=lambda spec: (find_gate(spec).cost, spec.gate)))


def gate_set_digest(specs: Iterable[GateSpec]) -> str:
    """Return the digest of a set of specs; their order does not matter."""
    return digest(sorted((spec.model_dump(mode="json") for spec in specs), key=digest))
