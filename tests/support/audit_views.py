"""An audit as JSON, for pages that need no log."""

from typing import Any

from envwright.console.views.audit import CHECKS

EVENT = "01a22e2c-8bd3-7000-86e4-a25d22e6086c"
PLACE = {"event": EVENT, "position": 12}


def check(**more: Any) -> dict[str, Any]:
    """A check that passes."""
    return {"ok": True, "checked": 40, "failed": 0, "failures": [], **more}


def failing(expected: str = "this", found: str = "that") -> dict[str, Any]:
    """A check that fails at one event."""
    failure = {"event": EVENT, "position": 12, "expected": expected, "found": found}
    return check(ok=False, failed=1, failures=[failure])


def audit_view(**more: Any) -> dict[str, Any]:
    """A sound audit of one run with one admission, all of it anchored."""
    checks = {name: check() for name in CHECKS if name != "anchored"}
    checks["effects"] |= {"unknown": [], "open": 0}
    checks["claims"] |= {"open": []}
    checks["admissions"]["checked"] = 1
    gate = {"gate": "no_leak", "version": "1", "verdict": "pass", **PLACE}
    trial = {"policy": "searcher", "trial": "trl-1", "k": 4, "n": 4, "c": 3, **PLACE}
    admission = {
        "number": 1, "package": "pkg-1", "revision": "a" * 64, "run": "run-1", **PLACE,
        "inherited_from": None, "sound": True, "made": PLACE, "repairs": 1,
        "gate_set_digest": "b" * 64, "gates": [gate], "testing": PLACE, "review": PLACE,
        "trials": [trial], "candidate": PLACE,
    }  # fmt: skip
    anchor = {"number": 1, "to": 40, "root": "c" * 64, "key": "0123456789abcdef"}
    actor = {"role": "tester", "events": 3, "types": {"gate.evaluated": 3}, "instances": 2,
             "code_versions": ["1"]}  # fmt: skip
    point = {"seconds": 1.5, "position": 12, "event": EVENT, "type": "package.admitted",
             "about": "package pkg-1"}  # fmt: skip
    return {
        "run": "run-1", "ok": True, "anchored_to": 40, "unanchored": 0, "checks": checks,
        "log": "d" * 32, "head": 40, "events": 40, "checkpoints": 1,
        "anchors": {"place": "/elsewhere/anchors", "used": [anchor]}, "actors": [actor],
        "admissions": [admission], "admissions_not_listed": 0,
        "spent": {
            "stages": [{"stage": "test", "seconds": 1.5}], "claims": 5, "attempts": 4, "turns": 9,
            "effect_seconds": 1.2, "model_calls": 2, "input_tokens": 100, "cached_tokens": 10,
            "output_tokens": 30, "effects": {"gate": 3},
        },
        "timeline": {
            "from": "2026-01-01T00:00:00.000Z", "to": "2026-01-01T00:00:02.000Z", "seconds": 2.0,
            "slot_seconds": 0.5, "roles": {"tester": [0, 2, 0, 1, 0]}, "points": [point],
            "points_not_listed": 0,
        },
        "keys": ["0123456789abcdef"], "own_key": True, **more,
    }  # fmt: skip
