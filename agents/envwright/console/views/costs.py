"""What one run or all of them cost, as JSON, by stage of the work."""

from collections import Counter
from collections.abc import Iterable
from itertools import chain

from envwright.agents import Runtime
from envwright.agents.stages import MINE, STAGES
from envwright.events.canonical import Json

_SUMMED = ("claims", "seconds", "effect_seconds", "input_tokens", "cached_tokens", "output_tokens")

Row = dict[str, Json]


def costs_view(runtime: Runtime, run_id: str | None) -> Row:
    """Return time, effects and tokens by stage, in the order of the stages, and their sum."""
    rows = runtime.read_models.rows("costs", prefix=f"{run_id}/" if run_id else "")
    stages: dict[str, list[Row]] = {name: [] for name in (MINE, *STAGES.values())}
    for row in rows:
        name = MINE if row["mining"] else STAGES.get(row["role"], str(row["role"]))
        stages.setdefault(name, []).append(row)
    return {
        "run": run_id,
        "stages": [{"stage": name, **_sum(found)} for name, found in stages.items() if found],
        "total": _sum(chain.from_iterable(stages.values())),
    }


def _sum(rows: Iterable[Row]) -> Row:
    found = list(rows)
    effects = sum((Counter(row["effects"]) for row in found), Counter[str]())
    return {
        "works": len(found),
        **{name: round(sum(row[name] for row in found), 3) for name in _SUMMED},
        "longest": max((row["seconds"] for row in found), default=0.0),
        "effects": dict(sorted(effects.items())),
    }
