"""The yield of one run or of all, as JSON: slots by round, rejections by reason, gates."""

from collections import Counter
from collections.abc import Iterable

from envwright.agents import Runtime
from envwright.events.canonical import Json

Row = dict[str, Json]


def yields_view(runtime: Runtime, run_id: str | None) -> Row:
    """Return what became of the slots of each run, oldest first, and which gates said no."""
    prefix = f"{run_id}/" if run_id else ""
    rounds = _by_run(runtime.read_models.rows("yields", prefix=prefix))
    gates = _by_run(runtime.read_models.rows("gates", prefix=prefix))
    runs = sorted(runtime.read_models.rows("run-list"), key=lambda row: row["position"])
    return {
        "run": run_id,
        "yields": [
            _yield(row["run"], rounds[row["run"]], gates.get(row["run"], []))
            for row in runs
            if row["run"] in rounds
        ],
    }


def _by_run(rows: Iterable[Row]) -> dict[str, list[Row]]:
    found: dict[str, list[Row]] = {}
    for row in rows:
        found.setdefault(row["run"], []).append(row)
    return found


def _yield(run_id: str, rounds: list[Row], gates: list[Row]) -> Row:
    rejected = sum((Counter(row["rejected"]) for row in rounds), Counter[str]())
    ordered = sorted(gates, key=lambda row: row["first_position"])
    return {
        "run": run_id,
        "slots": sum(row["slots"] for row in rounds),
        "admitted": sum(row["admitted"] for row in rounds),
        "rejected": dict(sorted(rejected.items(), key=lambda item: (-item[1], item[0]))),
        "rounds": rounds,
        "gates": {row["gate"]: _gate(row) for row in ordered},
    }


def _gate(row: Row) -> Row:
    return {"verdicts": row["verdicts"], "reasons": row["reasons"]}
