"""The clinic with a stateless search: people also ask which hours are free, before and after."""

from functools import lru_cache
from random import Random
from typing import Any

from envwright.events.canonical import Json
from envwright.events.values import RunSettings
from envwright.recipes import Draft, Ingested, SlotRequest, get_recipe
from envwright.recipes.toolspace.profile import mine
from envwright.recipes.toolspace.readers import read_source
from envwright.recipes.toolspace.walks.knowledge import Knowledge, knowledge_of
from support.clinic import CITIES, DAYS, lines, records

SEARCH = "clinic.search_hours"
NEVER_ASKED = {"day": DAYS[0], "city": CITIES[1]}


def free_hours(day: str, city: str) -> list[dict[str, Any]]:
    """What the search answers: always the same for the same question."""
    rng = Random(f"{day}/{city}")
    return [
        {"room": f"{word} room", "nurse": f"nurse {rng.randrange(1000)}", "minutes": 10 + 7 * n}
        for n, word in enumerate(rng.sample(("blue", "green", "red", "white"), 3))
    ]


def searching_records(count: int = 120) -> list[dict[str, Any]]:
    """The clinic's episodes, each with one search at its beginning and again at its end."""
    traces: dict[str, list[dict[str, Any]]] = {}
    for row in records(count):
        traces.setdefault(row["trace_id"], []).append(row)
    found = []
    for number, rows in enumerate(traces.values()):
        day = number % len(DAYS)
        # Half of all pairs of a day and a city are never asked for.
        asked = {"day": DAYS[day], "city": CITIES[(2 * (number // len(DAYS)) + day) % len(CITIES)]}
        search = {**rows[0], "tool": "search_hours", "args": asked, "result": free_hours(**asked)}
        search |= {"status": "ok", "error_code": None}
        first = {**search, "user": rows[0].get("user", "")}
        rows = [first, *rows, {k: v for k, v in search.items() if k != "user"}]
        found += [{**row, "seq": seq, "ts": f"2026-01-01T{seq:02}"} for seq, row in enumerate(rows)]
    return found


def searching_source() -> Ingested:
    """The log as a source."""
    return read_source("searching.jsonl", lines(searching_records()))


@lru_cache(maxsize=1)
def searching_profile() -> Json:
    """The profile of the log, mined once for all tests."""
    return mine([searching_source()])


def searching_clinic() -> Knowledge:
    """What a walk knows of it."""
    return knowledge_of(searching_profile())


@lru_cache(maxsize=64)
def searching_draft(ordinal: int, **options: Any) -> Draft:
    """The package of a slot of the first round."""
    recipe = get_recipe("toolspace")
    settings = RunSettings(recipe="toolspace", count=5, seed=7, options=dict(options))
    slot = SlotRequest(package=f"pkg-{ordinal}", round=1, ordinal=ordinal)
    return recipe.build(searching_profile(), recipe.brief(searching_profile(), settings, slot, ()))
