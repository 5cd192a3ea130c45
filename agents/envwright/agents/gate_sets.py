"""Gate sets under a run's settings: what the recipe asks for, with what the run says of gates."""

from collections.abc import Callable, Iterable, Mapping

from envwright.events.canonical import Json
from envwright.events.errors import BadInputError
from envwright.events.values import GateSpec, RunSettings
from envwright.sandbox.gates import gate_registry


def gates_under(specs: Iterable[GateSpec], settings: RunSettings) -> tuple[GateSpec, ...]:
    """Return the gates of a recipe with the settings that a run gives them."""
    return tuple(_under(spec, settings.gates.get(spec.gate, {})) for spec in specs)


def _under(spec: GateSpec, settings: Mapping[str, Json]) -> GateSpec:
    if not settings:
        return spec
    return spec.model_copy(update={"settings": {**spec.settings, **settings}})


def check_gate_setting(gate: str, name: str, value: Json) -> None:
    """Refuse a setting that no gate would understand, before a run rests on it.

    Raises:
        BadInputError: there is no such gate or setting, or the value is of the wrong kind.
    """
    if gate not in gate_registry():
        raise BadInputError(f"no gate {gate!r}; there are {', '.join(gate_registry())}")
    if name not in _CHECKS:
        raise BadInputError(
            f"gate {gate!r} has no setting {name!r} that a run may set; there is "
            f"{', '.join(_CHECKS)}"
        )
    _CHECKS[name](f"gates.{gate}.{name}", value)


def _seeds(what: str, value: Json) -> None:
    whole = isinstance(value, list) and all(type(seed) is int for seed in value)
    if not whole or not value:
        raise BadInputError(f"{what} is {value!r}; expected a list of whole numbers, such as [0,1]")


_CHECKS: dict[str, Callable[[str, Json], None]] = {"seeds": _seeds}
"""Settings of gates that are a run's to choose; others come from the recipe's own material."""

GATE_SETTINGS = tuple(_CHECKS)
