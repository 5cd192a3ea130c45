"""Table worlds against a deep copy of the tables per instance: calls, resets, digests, memory.

Run it by hand: `python tests/benchmarks/bench_worlds.py`. It prints rates and ratios of one run.
"""

import copy
import hashlib
import json
import time
import tracemalloc
from collections.abc import Callable
from typing import Any

from envwright.events.values import ToolSchema
from envwright.sandbox.worlds import World, open_world

ROWS = 1000
GIB = 2**30
TEXT = {"type": "string"}


def order(number: int) -> dict[str, Any]:
    """Return a row of about 1 KB."""
    items = [
        {
            "name": f"Desk Lamp {number % 97}-{position}",
            "item_id": f"{8_900_320_770 + number * 4 + position}",
            "price": 135.24 + position,
            "options": {"color": "silver", "brightness": "high", "power": "ac adapter"},
        }
        for position in range(4)
    ]
    return {
        "order_id": f"#W{number:07}",
        "user_id": f"user_{number % 200}",
        "address": {"street": "443 Maple Drive", "city": "Charlotte", "zip": f"{28_000 + number}"},
        "items": items,
        "payments": [{"kind": "payment", "amount": 12.5 + number, "method": f"card_{number}"}],
        "status": "pending",
        "notes": ["left at the door; the bell does not ring, knock twice and wait for an answer"],
    }


TABLES = {"orders": {f"#W{number:07}": order(number) for number in range(ROWS)}}
KEYS = tuple(TABLES["orders"])

KEY = {"op": "arg", "path": ["order_id"]}
LOOKUP = {
    "op": "lookup",
    "table": "orders",
    "key": KEY,
    "missing": "Error: order not found",
    "returns": {"op": "row"},
}
PROGRAMS = {
    "get": LOOKUP,
    "find": {
        "op": "find",
        "table": "orders",
        "where": [{"path": ["address", "zip"], "equals": {"op": "arg", "path": ["zip"]}}],
        "missing": "Error: order not found",
        "returns": {"op": "key"},
    },
    "set": LOOKUP
    | {
        "op": "update",
        "set": [{"path": ["status"], "value": {"op": "arg", "path": ["status"]}}],
        "returns": {"op": "key"},
    },
}
TAKES = {"get": ["order_id"], "find": ["zip"], "set": ["order_id", "status"]}


def opened() -> World:
    """Open the world."""
    tools = tuple(
        ToolSchema(
            name=name,
            parameters={
                "type": "object",
                "properties": dict.fromkeys(names, TEXT),
                "required": names,
            },
        )
        for name, names in TAKES.items()
    )
    tables = {name: {"key": "order_id", "rows": rows} for name, rows in TABLES.items()}
    parts = {"tables": tables, "programs": PROGRAMS, "world": {"clock": "2024-01-01T00:00:00Z"}}
    files = {f"{name}.json": json.dumps(part).encode() for name, part in parts.items()}
    return open_world("tables", tools, files)


class DeepCopied:
    """The baseline: a dict of dicts copied per instance, tools as plain functions, no checks."""

    def __init__(self) -> None:
        self.tables = copy.deepcopy(TABLES)

    def get(self, order_id: str) -> Any:
        """Read a row."""
        return copy.deepcopy(self.tables["orders"][order_id])

    def find(self, code: str) -> str:
        """Find a row by walking over all."""
        rows = self.tables["orders"]
        return next(key for key in sorted(rows) if rows[key]["address"]["zip"] == code)

    def set(self, order_id: str, status: str) -> str:
        """Write a row."""
        self.tables["orders"][order_id]["status"] = status
        return order_id

    def digest(self) -> str:
        """Hash everything."""
        return hashlib.sha256(json.dumps(self.tables, sort_keys=True).encode()).hexdigest()


def rate(action: Callable[[int], object], seconds: float = 0.5) -> float:
    """Return how often a second an action can be done; the best of three."""
    best = 0.0
    for _ in range(3):
        done, started = 0, time.perf_counter()
        while (spent := time.perf_counter() - started) < seconds:
            action(done)
            done += 1
        best = max(best, done / spent)
    return best


def instances_per_gib(make: Callable[[], object], count: int) -> float:
    """Return how many instances fit in a GiB of Python objects."""
    kept = [make()]
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    kept += [make() for _ in range(count)]
    used = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    return GIB / (used / count)


def written() -> World:
    """Open the world and write ten rows, as a long attempt would."""
    world = opened()
    for key in KEYS[:10]:
        world.call("set", {"order_id": key, "status": "shipped"})
    world.digest()
    return world


def touched(world: World, number: int) -> str:
    """Write a row and ask for the digest."""
    world.call("set", {"order_id": KEYS[number % ROWS], "status": str(number)})
    return world.digest()


def touched_copy(baseline: DeepCopied, number: int) -> str:
    """Write a row and ask for the digest."""
    baseline.set(KEYS[number % ROWS], str(number))
    return baseline.digest()


def main() -> None:
    """Measure and print."""
    world, baseline = opened(), DeepCopied()
    snapshot = written().snapshot()
    codes = [f"{28_000 + number}" for number in range(ROWS)]
    lines: dict[str, tuple[float, float]] = {
        "read calls/s": (
            rate(lambda n: world.call("get", {"order_id": KEYS[n % ROWS]})),
            rate(lambda n: baseline.get(KEYS[n % ROWS])),
        ),
        "find calls/s": (
            rate(lambda n: world.call("find", {"zip": codes[n % ROWS]})),
            rate(lambda n: baseline.find(codes[n % ROWS])),
        ),
        "write calls/s": (
            rate(lambda n: world.call("set", {"order_id": KEYS[n % ROWS], "status": str(n)})),
            rate(lambda n: baseline.set(KEYS[n % ROWS], str(n))),
        ),
        "write + digest/s": (
            rate(lambda n: touched(world, n)),
            rate(lambda n: touched_copy(baseline, n)),
        ),
        "resets/s": (rate(world.reset), rate(lambda n: copy.deepcopy(TABLES))),
        "restores/s (10 rows)": (
            rate(lambda n: world.restore(snapshot)),
            rate(lambda n: copy.deepcopy(TABLES)),
        ),
        "states/s": (rate(lambda n: world.state()), rate(lambda n: copy.deepcopy(TABLES))),
        "instances/GiB (10 rows written)": (
            instances_per_gib(written, 50),
            instances_per_gib(DeepCopied, 5),
        ),
    }
    size = len(json.dumps(TABLES["orders"][KEYS[0]]))
    print(f"{ROWS} rows of {size} bytes{'':18}{'table world':>14}{'deep copy':>14}{'ratio':>10}")
    for name, (ours, theirs) in lines.items():
        print(f"{name:36}{ours:14,.0f}{theirs:14,.0f}{ours / theirs:10,.2f}")


if __name__ == "__main__":
    main()
