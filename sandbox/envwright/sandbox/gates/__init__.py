"""Gates: executed checks with a verdict, a reason code, evidence and the artifact they blame."""

from envwright.sandbox.gates.contamination import Marks, mark_calls
from envwright.sandbox.gates.evaluation import (
    INFRASTRUCTURE,
    MALFORMED_CONTENT,
    GateOutcome,
    run_gate,
)
from envwright.sandbox.gates.gate import Examination, Finding, Gate
from envwright.sandbox.gates.necessity import Flow, Necessity, trace_values
from envwright.sandbox.gates.registry import (
    cheapest_first,
    default_gate_set,
    gate_registry,
    gate_set_digest,
    gate_spec,
)

__all__ = [
    "INFRASTRUCTURE",
    "MALFORMED_CONTENT",
    "Examination",
    "Finding",
    "Flow",
    "Gate",
    "GateOutcome",
    "Marks",
    "Necessity",
    "cheapest_first",
    "default_gate_set",
    "gate_registry",
    "gate_set_digest",
    "gate_spec",
    "mark_calls",
    "run_gate",
    "trace_values",
]
