"""Fingerprints of the schemas that recorded logs rest on: compares them with the catalog's.

python tests/histories/fingerprints.py              say what differs
python tests/histories/fingerprints.py --update     add types and versions that are new
python tests/histories/fingerprints.py --update --replace run.forked.v1
                                                    also one that no release has written
"""

import argparse
import json
import sys
from collections.abc import Mapping
from pathlib import Path

from envwright.events import FACTS, Fact
from envwright.events.schemas import schema_fingerprint, schema_name

KEPT = Path(__file__).with_name("fingerprints.json")

Prints = dict[str, str]


def fingerprints(catalog: Mapping[str, type[Fact]] = FACTS) -> Prints:
    """Return the fingerprint of every type in its current version."""
    return {schema_name(fact): schema_fingerprint(fact) for fact in catalog.values()}


def kept() -> Prints:
    """Return the fingerprints in the repository, of all versions that there ever were."""
    return dict(json.loads(KEPT.read_text(encoding="utf-8")))


def differences(known: Prints, current: Prints) -> dict[str, str]:
    """Return what is wrong with each name, and what to do about it."""
    found = {}
    for name, fingerprint in sorted(current.items()):
        event_type, _, version = name.rpartition(".v")
        if name not in known:
            found[name] = (
                f"{name} has no fingerprint yet: python tests/histories/fingerprints.py --update"
            )
        elif known[name] != fingerprint:
            found[name] = (
                f"the schema of {name} has changed, and logs hold events of it. Raise "
                f"schema_version of {event_type!r} to {int(version) + 1}, add the step "
                f"({event_type!r}, {version}) to STEPS in envwright.events.upcasting, then: python "
                "tests/histories/fingerprints.py --update. (If no release has ever written "
                f"{name}: --update --replace {name}. If only pydantic was upgraded, compare the "
                "schemas first.)"
            )
    types = {name.rpartition(".v")[0] for name in current}
    for name in sorted(known):
        if name.rpartition(".v")[0] not in types:
            found[name] = f"{name} was recorded, but the catalog has no such type any more"
    return found


def updated(known: Prints, current: Prints, replace: frozenset[str] = frozenset()) -> Prints:
    """Return the kept fingerprints with what is new; what was kept stays, but what is named."""
    fresh = {name: one for name, one in current.items() if name not in known or name in replace}
    return dict(sorted({**known, **fresh}.items()))


def main() -> int:
    """Compare, or update; returns 1 where something is left that differs."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--update", action="store_true", help="add what is new")
    parser.add_argument(
        "--replace", action="append", default=[], metavar="TYPE.vN", help="replace this one too"
    )
    options = parser.parse_args()
    known, current = kept() if KEPT.exists() else {}, fingerprints()
    if options.update:
        known = updated(known, current, frozenset(options.replace))
        KEPT.write_text(json.dumps(known, indent=2) + "\n", encoding="utf-8")
    left = differences(known, current)
    print("\n".join(left.values()) or f"{len(current)} schemas are as they were", file=sys.stderr)
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main())
