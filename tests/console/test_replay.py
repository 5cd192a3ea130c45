"""The command `replay`."""

import json
import shutil
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from envwright.agents.replay import pool
from envwright.events import encode
from support.command_line import Finished, answer, envwright
from support.replay_worker import employ
from support.store_tampering import tampering
from support.waiting import alive, waited


@pytest.fixture(autouse=True)
def workers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let worker processes know the desk recipe."""
    employ(monkeypatch)


@pytest.mark.parametrize(
    ("level", "kinds"),
    [
        ("state", {"events", "projections"}),
        pytest.param("execution", {"gates", "attempts"}, marks=pytest.mark.slow),
        pytest.param("decision", {"deliveries", "outputs", "effects"}, marks=pytest.mark.slow),
    ],
)
def test_an_honest_run_does_not_diverge(level: str, kinds: set[str], finished: Finished) -> None:
    options = ["--level", level, "--home", finished.home]
    found = answer("replay", finished.run[:14], *options)
    assert found == {
        "run": finished.run,
        "level": level,
        "compared": found["compared"],
        "counts": found["counts"],
        "diverged": None,
    }
    assert found["compared"] > 10 and found["counts"].keys() >= kinds
    page = envwright("replay", finished.run, *options, "--workers", 1).stdout
    assert "all the same" in page and str(found["compared"]) in page


@pytest.mark.parametrize("level", ["state", pytest.param("execution", marks=pytest.mark.slow)])
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
    options = ["--level", level, "--home", home, "--workers", 1]
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


@pytest.fixture
def altered(finished: Finished, tmp_path: Path) -> tuple[Path, list[str]]:
    """A copy of the home in which two verdicts were altered by a clever hand."""
    home = tmp_path / "home"
    shutil.copytree(finished.home, home)
    with finished.runtime() as runtime:
        events = list(runtime.log.read_all(types=("verdict.reached",)))[:2]
    with tampering(home) as raw:
        for event in events:
            payload = encode({**event.data, "index": 7})
            row = (payload, event.position)
            raw.execute("UPDATE payloads SET body = ? WHERE position = ?", row)
    return home, [event.id for event in events]


@pytest.mark.slow
def test_every_divergence_is_listed_where_it_is_to_keep_going(
    finished: Finished, altered: tuple[Path, list[str]]
) -> None:
    home, events = altered
    options = ["--level", "decision", "--home", home, "--keep-going", "--workers", 1]
    result = envwright("replay", finished.run, *options, "--json")
    assert result.exit_code == 1, result.stderr
    found = json.loads(result.stdout)
    assert found["diverged"] == found["divergences"][0]
    decided = [each for each in found["divergences"] if "delivery" in each]
    proved = [each["event"] for each in found["divergences"] if "delivery" not in each]
    assert proved[:2] == events
    assert [each["event"] for each in decided] == events
    assert decided[0]["expected"] == {"$.data.index": 7}
    assert decided[0]["delivery"].keys() == {"cause", "cause_type", "role", "group", "work"}
    page = envwright("replay", finished.run, *options)
    assert page.exit_code == 1
    said = page.stdout
    for part in (decided[0]["delivery"]["work"], "judge", "attempt.finished", "$.data.index"):
        assert part in said
    assert f"divergences  {len(found['divergences'])}" in said


def test_a_state_that_diverges_ends_a_deeper_replay(
    finished: Finished, altered: tuple[Path, list[str]]
) -> None:
    home, events = altered
    result = envwright("replay", finished.run, "--level", "decision", "--home", home, "--json")
    found = json.loads(result.stdout)
    assert result.exit_code == 1
    assert found["diverged"]["event"] == events[0] and "divergences" not in found
    assert "delivery" not in found["diverged"]


def test_a_process_that_is_lost_is_no_pass(
    finished: Finished, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool, "ENTRY", "import os; os.kill(os.getpid(), 9)")
    result = envwright("replay", finished.run, "--home", finished.home, "--json")
    assert result.exit_code == 3
    assert "was killed by signal 9" in result.stderr
    assert set(json.loads(result.stdout)) == {"error"}


@pytest.mark.slow
def test_a_replay_that_is_interrupted_leaves_no_process(finished: Finished) -> None:
    command = [sys.executable, "-m", "envwright.console.main", "replay", finished.run]
    options = ["--level", "decision", "--home", str(finished.home), "--workers", "2"]
    process = subprocess.Popen(
        [*command, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    started = waited(lambda: [int(pid) for pid in children.read_text("ascii").split()])
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert out == "" and "Traceback" not in err
    for pid in started:
        waited(lambda pid=pid: alive(pid), lambda runs: not runs)
