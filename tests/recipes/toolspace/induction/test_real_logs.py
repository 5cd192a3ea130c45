"""Real logs: what is grounded on the logs that the issue names, where they are at hand."""

from functools import lru_cache
from pathlib import Path

import pytest

from envwright.recipes.toolspace.profile import Profile, mine, read_profile
from envwright.recipes.toolspace.readers import read_source

DATA = Path(__file__).parents[4].parent / "shared" / "data" / "tau-bench"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not DATA.is_dir(), reason="../shared/data/tau-bench is not there"),
]


@lru_cache
def mined(*names: str) -> Profile:
    return read_profile(mine([read_source(name, (DATA / name).read_bytes()) for name in names]))


def tool(profile: Profile, name: str):
    return next(found for key, found in profile.tools.items() if key.endswith(f".{name}"))


@pytest.mark.parametrize(
    "name",
    [
        "cancel_pending_order",
        "return_delivered_order_items",
        "modify_pending_order_address",
        "modify_pending_order_items",
    ],
)
def test_writes_of_the_retail_log_are_grounded(name):
    assert tool(mined("retail-scripted.json", "retail-tools.json"), name).status == "grounded"


def test_successful_exchanges_of_the_retail_log_are_exact():
    profile = mined("retail-scripted.json", "retail-tools.json")
    found = tool(profile, "exchange_delivered_order_items")
    assert found.exact_successes >= 0.95 * found.successes_compared > 0


def test_cancellations_of_the_airline_log_are_grounded():
    profile = mined("airline-gpt-4o.json", "airline-tools.json")
    assert tool(profile, "cancel_reservation").status == "grounded"


def test_flights_whose_fares_nobody_read_are_not_grounded():
    profile = mined("airline-gpt-4o.json", "airline-tools.json")
    assert tool(profile, "update_reservation_flights").status == "not_grounded"
