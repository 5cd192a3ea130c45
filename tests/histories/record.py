"""Records histories with today's code: small complete runs, written as files under a new name.

    python tests/histories/record.py VERSION        record `VERSION-<run>` for each run below
    python tests/histories/record.py --expect       add what today's read models fold from the old
    python tests/histories/record.py --spoil v1-mending      make the bad ones from its beginning

Nothing that is there is recorded again: a history is what an earlier version wrote.
"""

import argparse
import json
import sys
import tempfile
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

TESTS = Path(__file__).parents[1]
sys.path.insert(0, str(TESTS))

from envwright.events import FACTS, Fact, chain_hash, header_bytes  # noqa: E402
from envwright.events.catalog import (  # noqa: E402
    DatasetExported,
    DeliveryParked,
    EffectResolved,
    OperatorApplied,
    PackageInherited,
    PackageRetired,
    RunFailed,
    RunForked,
    RunPaused,
    RunResumed,
)
from envwright.events.values import ArtifactRef, Brief, PolicySpec, RunSettings  # noqa: E402
from envwright.store import open_store  # noqa: E402
from support import desk_recipe, mending_recipe  # noqa: E402
from support.history import (  # noqa: E402
    HISTORIES,
    History,
    findings,
    write_history,
    write_rows,
)
from support.office import Office  # noqa: E402

MENDING: dict[str, Any] = {
    "recipe": "mending",
    "count": 3,
    "slots": 4,
    "max_rounds": 1,
    "max_repairs": 1,
    "attempts": 1,
    "panel": (PolicySpec(name="random"),),
}
SUBJECTS = ("broken", "good", "hopeless", "none")


BEGINNING, BAD = 12, 7
"""Events of a bad history, and the place of the bad one among them, from 0."""

NOTHING = ArtifactRef(digest=sha256(b"{}").hexdigest(), size=2, media_type="application/json")


def rest_of_the_catalog(run: str) -> list[Fact]:
    """Return facts of the types that such a run has none of, about a made-up run of their own."""
    other, package = "run-made-up", "pkg-made-up"
    brief = Brief(
        package=package, recipe="mending", recipe_version="1", round=1, ordinal=1, content_seed="s"
    )
    settings = RunSettings(recipe="mending", count=1)
    return [
        RunForked(run=other, origin=run, at=1, set={"count": 1}, settings=settings),
        PackageInherited(
            run=other,
            package=package,
            round=1,
            ordinal=1,
            brief=brief,
            ok=False,
            reasons=("NO_TASK",),
            outcome="rejected",
            origin_run=run,
            event="event-1",
        ),
        RunPaused(run=other, cause="user"),
        RunResumed(run=other),
        PackageRetired(package=package, revision="0" * 64, reason="made up"),
        OperatorApplied(
            package=package,
            operator="none",
            version="1",
            config_digest="0" * 64,
            inputs=("0" * 64,),
            output=NOTHING,
        ),
        EffectResolved(work="wrk-made-up", key="key", decision="abandon"),
        DeliveryParked(work="wrk-made-up", group="g", cause="event-1", error="made up", failures=4),
        DatasetExported(run=other, format="none", manifest=NOTHING),
        RunFailed(run=other, reason="made up"),
    ]


def record(folder: Path) -> None:
    """Run the mending recipe, whose packages are repaired, rejected or abandoned, and one crash."""
    with tempfile.TemporaryDirectory() as place:
        office = Office(Path(place) / "home")
        office.runtime.instance = "recorder"
        run = office.request(*SUBJECTS, **MENDING)
        drafted = office.advance(run, "package.drafted")
        office.context(drafted)
        office.die()
        assert office.finish(run) == "short"
        office.runtime.artifacts.put(b"{}")
        office.runtime.record(*rest_of_the_catalog(run), run_id="run-made-up")
        assert {each.type for each in office.events()} == set(FACTS)
        office.close()
        store = open_store(Path(place) / "home")
        write_history(folder, store)
        store.close()
        expect(History(folder))


def expect(history: History) -> None:
    """Write what today's code finds in a history; what is expected already must come out again."""
    with tempfile.TemporaryDirectory() as place:
        store = history.load(Path(place) / "home")
        found = findings(store)
        store.close()
    path = history.folder / "expected.json"
    if path.exists():
        before = history.expected
        found["projections"] = {**found["projections"], **before["projections"]}
        assert {**found, "projections": None} == {**before, "projections": None}
    path.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")


def spoil(history: History) -> None:
    """Write the beginning of a history with one letter changed, and with a version of tomorrow."""
    rows = list(history.rows())[:BEGINNING]
    altered = [dict(row) for row in rows]
    altered[BAD]["payload"] = altered[BAD]["payload"].replace("mending", "meddling", 1)
    assert altered[BAD] != rows[BAD]
    write_rows(HISTORIES / "bad-payload", altered, history)
    newer = [dict(row) for row in rows[: BAD + 1]]
    header = json.loads(newer[BAD]["header"]) | {"schema_version": 99}
    # Its hashes are true: only the version tells that this code must not read it.
    newer[BAD]["header"] = header_bytes(header).decode("ascii")
    newer[BAD]["hash"] = chain_hash(
        newer[BAD]["previous_hash"], header_bytes(header), newer[BAD]["payload_hash"]
    )
    write_rows(HISTORIES / "bad-version", newer, history)


def main() -> None:
    """Record, or extend what is expected."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("version", nargs="?", help="such as v1: the schema of the log")
    parser.add_argument("--expect", action="store_true", help="extend what is expected")
    parser.add_argument("--spoil", metavar="NAME", help="make the bad ones from this history")
    options = parser.parse_args()
    if options.spoil:
        spoil(History(HISTORIES / options.spoil))
    with pytest.MonkeyPatch.context() as patch:
        desk_recipe.install(patch)
        mending_recipe.install(patch)
        if options.expect:
            for path in sorted(HISTORIES.glob("v*/expected.json")):
                expect(History(path.parent))
        if options.version:
            folder = HISTORIES / f"{options.version}-mending"
            if folder.exists():
                sys.exit(f"{folder} is there already; a history is never recorded again")
            record(folder)


if __name__ == "__main__":
    main()
