"""The JSON of a run as `show RUN --json` prints it, made up: for pages that only draw it."""

from typing import Any

PROGRAM = 'orders[$id]: status := "off"; gives row'


def run_view(**changes: Any) -> dict[str, Any]:
    """Return the view of a finished run of two tools."""
    view: dict[str, Any] = {
        "run": "run-1",
        "recipe": "toolspace",
        "seed": 7,
        "status": "completed",
        "requested": 2,
        "planned": 4,
        "admitted": 2,
        "rejected": {"surplus": 1, "NO_WALK": 1},
        "packages": [package("pkg-1", 6, ["shop"]), package("pkg-2", 9, ["depot", "shop"])],
        "attempts": 8,
        "pass": {
            "random": {"n": 4, "c": 0, "rate": 0.0},
            "searcher": {"n": 4, "c": 3, "rate": 0.75},
        },
        "pass_hat": {"random": {"1": 0.0, "2": 0.0}, "searcher": {"1": 0.75, "2": 0.5}},
        "gates": {"executable": {"pass": 2, "fail": 1}},
        "repairs": {"LEAK": 1},
        "sources": [
            {"name": "log.json", "format": "chat", "records": 3, "calls": 9, "skipped": 1}
        ],
        "skips": [{"place": "log.json[2]", "reason": "no messages"}],
        "mined": {"traces": 3, "tasks": 3, "calls": 9, "tools": 2, "grounded": 1},
        "epochs": 2,
        "services": ["orders"],
        "services_note": "no source names a service for orders: these are entity types",
        "tables": {
            "orders": {
                "namespace": "tools-1",
                "key": "order_id",
                "read_by": "get_order",
                "rows": 5,
                "recorded": 1,
                "conflicts": 0,
            }
        },
        "graph": graph(),
        "fidelity": {
            "tools-1.cancel_order": fidelity("update", 1.0, PROGRAM),
            "tools-1.weigh": fidelity("write", 0.0, None)
            | {"grounded": False, "status": "not_grounded", "reason": "no rule"},
        },
        "files": {"needed": 2, "created": 1, "reduction": 0.5},
        "stages": [
            {"stage": "read and mine", "works": 1, "seconds": 2.5, "longest": 2.5},
            {"stage": "build", "works": 4, "seconds": 1.25, "longest": 0.5},
        ],
        "restarts": {"takeovers": 1, "retries": 0, "conflicts": 0, "effects": 3,
                     "effects_reexecuted": 0, "parked": 0},
        "timeline": [{"seconds": 0.0, "position": 1, "what": "requested: 2 packages by toolspace"}],
        "settings": {"count": 2, "panel": [{"name": "searcher", "settings": {}}], "options": {}},
        "events": 99,
        "seconds": 12.5,
    }  # fmt: skip
    return {**view, **changes}


def package(id: str, calls: int, services: list[str]) -> dict[str, Any]:
    """Return a package as a report lists it."""
    return {
        "id": id,
        "revision": 0,
        "digest": "ab" * 32,
        "instruction": f"Hello, please do what {id} says.",
        "services": services,
        "calls": calls,
        "tools": ["cancel_order"],
    }


def fidelity(kind: str, exact: float, program: str | None) -> dict[str, Any]:
    """Return the fidelity of a tool that was tried on four calls."""
    return {
        "kind": kind,
        "calls": 5,
        "compared": 4,
        "exact": exact,
        "exact_success": exact,
        "exact_error": exact,
        "unpredictable": 0.0,
        "grounded": True,
        "status": "grounded",
        "reason": "",
        "program": program,
    }


def graph(tools: tuple[str, ...] = ("cancel_order", "get_order")) -> dict[str, Any]:
    """Return a graph in which each tool leads to the next, and the first one to itself."""
    keys = [f"tools-1.{name}" for name in tools]
    links = [
        {"kind": kind, "source": one, "target": other, "weight": 1.5, "support": 4}
        for one, other in zip(keys, keys[1:], strict=False)
        for kind in ("data", "state")
    ]
    retry = {"kind": "retry", "source": keys[0], "target": keys[0], "weight": 0.0, "support": 3}
    return {
        "tools": len(keys),
        "edges": {"data": len(keys) - 1, "state": len(keys) - 1, "retry": 1},
        "nodes": [
            {
                "tool": key,
                "name": key.partition(".")[2],
                "group": "orders",
                "effect": "read" if "get" in key else "write",
                "grounded": True,
                "calls": 5,
            }
            for key in keys
        ],
        "links": [*links, retry],
    }
