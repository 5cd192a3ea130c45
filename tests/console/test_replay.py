"""The command `replay`."""

import json
import shutil
import sqlite3
from pathlib import Path

import pytest

from support.command_line import Finished, answer, envwright


@pytest.mark.parametrize("level", ["state", "execution"])
def test_an_honest_run_does_not_diverge(level: str, finished: Finished) -> None:
    options = ["--level", level, "--home", finished.home]
    found = answer("replay", finished.run[:14], *options)
    assert found == {
        "run": finished.run,
        "level": level,
        "compared": found["compared"],
        "diverged": None,
    }
    assert found["compared"] > 10
    page = envwright("replay", finished.run, *options).stdout
    assert "all the same" in page and str(found["compared"]) in page


@pytest.mark.parametrize("level", ["state", "execution"])
def test_an_altered_byte_is_found_and_named(level: str, finished: Finished, tmp_path: Path) -> None:
    home = tmp_path / "home"
    shutil.copytree(finished.home, home)
    with finished.runtime() as runtime:
        event = next(runtime.log.read_all(types=("verdict.reached",)))
    with sqlite3.connect(home / "log.sqlite") as database:
        database.execute("PRAGMA writable_schema = ON")
        for (trigger,) in database.execute(
            "SELECT name FROM sqlite_master WHERE type = 'trigger'"
        ).fetchall():
            database.execute(f"DROP TRIGGER {trigger}")
        altered = event.payload.replace(b'"index":0', b'"index":1')
        where = (altered, event.position)
        database.execute("UPDATE payloads SET body = ? WHERE position = ?", where)
    options = ["--level", level, "--home", home]
    result = envwright("replay", finished.run, *options, "--json")
    assert result.exit_code == 1, result.stderr
    diverged = json.loads(result.stdout)["diverged"]
    assert diverged["event"] == event.id
    assert diverged["expected"] != diverged["actual"]
    page = envwright("replay", finished.run, *options)
    assert page.exit_code == 1
    assert event.id in page.stdout and "first divergence" in page.stdout


def test_an_altered_artifact_is_found(finished: Finished, tmp_path: Path) -> None:
    home = tmp_path / "home"
    shutil.copytree(finished.home, home)
    with finished.runtime() as runtime:
        gate = next(runtime.log.read_all(types=("gate.evaluated",)))
    digest = gate.data["result"]["evidence"]["digest"]
    kept = next(path for path in (home / "artifacts").rglob("*") if path.name.endswith(digest[4:]))
    kept.chmod(0o644)
    kept.write_bytes(kept.read_bytes().replace(b"seed", b"sead"))
    result = envwright("replay", finished.run, "--level", "execution", "--home", home, "--json")
    assert result.exit_code == 1
    assert digest[:12] in json.dumps(json.loads(result.stdout)["diverged"])


def test_decisions_are_replayed_in_a_later_version(finished: Finished) -> None:
    options = ["--level", "decision", "--home", finished.home]
    result = envwright("replay", finished.run, *options)
    assert result.exit_code == 2
    assert "later version" in result.stderr
