"""Old payloads are upcast by pure steps; gaps and unknown versions are refused, never guessed."""

from typing import Literal

import pytest

from envwright.events import FACTS, UPCASTERS, decode
from envwright.events.catalog import RoundOpened
from envwright.events.errors import IntegrityError, UnknownSchemaError
from envwright.events.upcasting import Upcasters, current_version


class ThirdRoundOpened(RoundOpened):
    """What `round.opened` may look like two versions from now."""

    schema_version: Literal[3] = 3  # type: ignore[assignment]


@pytest.fixture
def third_version(monkeypatch):
    """Make 3 the current version of `round.opened`."""
    monkeypatch.setitem(FACTS, "round.opened", ThirdRoundOpened)


@pytest.fixture
def upcasters():
    """Return a registry with both steps: version 2 renamed `size`, version 3 counts from 1."""
    registry = Upcasters()
    registry.register("round.opened", 1, lambda data: {**data, "slots": data.pop("size")})
    registry.register("round.opened", 2, lambda data: {**data, "round": data["round"] + 1})
    return registry


def test_todays_catalog_has_no_gap():
    UPCASTERS.check()


def test_data_passes_through_every_step_from_its_version(third_version, upcasters):
    upcasters.check()
    first = {"run": "run-1", "round": 0, "size": 4}
    assert upcasters.upcast("round.opened", 1, first)["slots"] == 4
    assert upcasters.upcast("round.opened", 1, first)["round"] == 1
    second = {"run": "run-1", "round": 0, "slots": 4}
    assert upcasters.upcast("round.opened", 2, second) == {**second, "round": 1}
    assert upcasters.upcast("round.opened", 3, second) == second


def test_upcasting_leaves_what_was_recorded_alone(third_version, upcasters):
    recorded = {"run": "run-1", "round": 0, "size": 4}
    upcasters.upcast("round.opened", 1, recorded)
    assert recorded == {"run": "run-1", "round": 0, "size": 4}


def test_a_gap_is_found_at_the_check_and_names_the_step(third_version):
    registry = Upcasters()
    registry.register("round.opened", 1, dict)
    with pytest.raises(UnknownSchemaError, match="version 2 of 'round.opened' to 3"):
        registry.check()
    with pytest.raises(UnknownSchemaError, match="no upcaster from version 2"):
        registry.upcast("round.opened", 1, {})


def test_a_step_is_registered_once(upcasters):
    with pytest.raises(ValueError, match="two upcasters from version 1 of 'round.opened'"):
        upcasters.register("round.opened", 1, dict)


@pytest.mark.parametrize("version", [-1, 0, 2, 99])
def test_an_unknown_version_is_refused(version):
    with pytest.raises(UnknownSchemaError, match=f"version {version}; this code knows 1 to 1"):
        decode("round.opened", version, {"run": "run-1", "round": 1, "slots": 1})


def test_an_unknown_type_is_refused():
    with pytest.raises(UnknownSchemaError, match="'round.dreamt' is not in the catalog"):
        decode("round.dreamt", 1, {})
    with pytest.raises(UnknownSchemaError, match="is not in the catalog"):
        current_version("round.dreamt")


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"run": "run-1", "round": 1, "slots": "many"},
        {"run": "run-1", "round": 1, "slots": 1, "surprise": True},
    ],
)
def test_data_that_does_not_fit_its_schema_is_an_integrity_error(data):
    with pytest.raises(IntegrityError, match="'round.opened' does not fit its schema"):
        decode("round.opened", 1, data)


def test_data_cannot_override_the_recorded_type():
    with pytest.raises(IntegrityError):
        decode("run.resumed", 1, {"run": "run-1", "type": "run.paused", "cause": "user"})
