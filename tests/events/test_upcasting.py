"""Old payloads are upcast by pure steps; gaps and unknown versions are refused, never guessed."""

import json
import subprocess
import sys
from pathlib import Path
from typing import ClassVar, Literal

import pytest

from envwright.events import FACTS, UPCASTERS, decode, encode, fact_data
from envwright.events.catalog import Fact
from envwright.events.errors import IntegrityError, UnknownSchemaError
from envwright.events.schemas import schema_name
from envwright.events.upcasting import STEPS, Upcasters

GOLDEN = Path(__file__).parents[1] / "histories" / "lamp.lit.json"


class LampLit(Fact):
    """A fact of no catalog, in its third version.

    Version 1 had `size` in words, version 2 `watts` as text, version 3 counts lamps from 1.
    """

    stream_kind: ClassVar = "run"
    stream_key: ClassVar = "run"
    type: Literal["lamp.lit"] = "lamp.lit"
    schema_version: Literal[3] = 3
    run: str
    watts: int
    lamp: int


WATTS = {"small": "25", "large": "60"}


def in_watts(data):
    data["watts"] = WATTS[data.pop("size")]
    return data


def counted_from_one(data):
    return {**data, "watts": int(data["watts"]), "lamp": data["lamp"] + 1}


CATALOG = {"lamp.lit": LampLit}
LAMP_STEPS = {("lamp.lit", 1): in_watts, ("lamp.lit", 2): counted_from_one}


@pytest.fixture
def upcasters():
    return Upcasters(LAMP_STEPS, CATALOG)


def golden() -> list[dict]:
    """Return one recorded payload of each version, and the fact that each stands for today."""
    return json.loads(GOLDEN.read_text(encoding="utf-8"))


def test_there_is_a_golden_payload_for_each_version():
    assert [row["schema_version"] for row in golden()] == [1, 2, 3]


@pytest.mark.parametrize("row", golden(), ids=lambda row: f"v{row['schema_version']}")
def test_a_payload_of_each_version_becomes_todays_fact(upcasters, row):
    fact = upcasters.decode("lamp.lit", row["schema_version"], row["data"])
    assert isinstance(fact, LampLit)
    assert encode(fact_data(fact)) == encode(row["today"])


@pytest.mark.parametrize("row", golden(), ids=lambda row: f"v{row['schema_version']}")
def test_upcasting_leaves_what_was_recorded_alone(upcasters, row):
    before = encode(row["data"])
    upcasters.upcast("lamp.lit", row["schema_version"], row["data"])
    assert encode(row["data"]) == before


@pytest.mark.parametrize("gap", sorted(LAMP_STEPS))
def test_a_gap_is_found_when_the_registry_is_made_and_names_the_step(gap):
    steps = {place: step for place, step in LAMP_STEPS.items() if place != gap}
    with pytest.raises(UnknownSchemaError, match=f"from version {gap[1]} of 'lamp.lit' to"):
        Upcasters(steps, CATALOG)


@pytest.mark.parametrize("place", [("lamp.lit", 3), ("lamp.lit", 0), ("lamp.out", 1)])
def test_a_step_that_leads_nowhere_is_found_too(place):
    with pytest.raises(UnknownSchemaError, match="that the catalog does not have"):
        Upcasters({**LAMP_STEPS, place: dict}, CATALOG)


def test_todays_catalog_has_no_gap():
    Upcasters(STEPS, FACTS)


def test_a_gap_stops_every_command_at_its_start():
    # The package itself imports upcasting, so that the change must come in between.
    code = """
import sys, importlib.abc
class Between(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name == "envwright.events.upcasting":
            import envwright.events.catalog as catalog
            catalog.FACTS["round.opened"].model_fields["schema_version"].default = 2
        return None
sys.meta_path.insert(0, Between())
import envwright.events
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "no upcaster from version 1 of 'round.opened' to 2" in done.stderr


@pytest.mark.parametrize("version", [-1, 0, 4, 99])
def test_an_unknown_version_is_refused(upcasters, version):
    with pytest.raises(UnknownSchemaError, match=f"version {version}; this code knows 1 to 3"):
        upcasters.decode("lamp.lit", version, golden()[0]["data"])


def test_a_version_of_the_catalog_that_is_not_there_yet_is_refused():
    with pytest.raises(UnknownSchemaError, match="version 99; this code knows 1 to"):
        decode("round.opened", 99, {"run": "run-1", "round": 1, "slots": 1})


def test_an_unknown_type_is_refused():
    with pytest.raises(UnknownSchemaError, match="'round.dreamt' is not in the catalog"):
        decode("round.dreamt", 1, {})
    with pytest.raises(UnknownSchemaError, match="is not in the catalog"):
        UPCASTERS.current_version("round.dreamt")


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


def test_a_fact_class_names_its_version():
    assert schema_name(LampLit) == "lamp.lit.v3"
