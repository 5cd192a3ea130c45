"""The command `audit`: of a real run, with its seals, proofs and reports."""

import json
import shutil
import sqlite3
from pathlib import Path

import pytest

from envwright.agents import RuntimeConfig, open_runtime
from envwright.console.report.audit_file import files_of
from support.command_line import Finished, answer, envwright


@pytest.fixture
def home(finished: Finished, tmp_path: Path) -> Path:
    """A copy of the finished run's home."""
    shutil.copytree(finished.home, tmp_path / "home")
    return tmp_path / "home"


@pytest.mark.parametrize("whole", [True, False])
def test_an_honest_run_is_sound_and_anchored(finished: Finished, whole: bool) -> None:
    run = [] if whole else [finished.run[:14]]
    found = answer("audit", *run, "--home", finished.home, "--require-anchored")
    assert found["ok"] and found["run"] == (None if whole else finished.run)
    assert found["anchored_to"] == found["head"] > 50 and found["unanchored"] == 0
    assert found["checks"]["admissions"]["checked"] == 2
    assert all(check["ok"] and check["checked"] for check in found["checks"].values())
    page = envwright("audit", *run, "--home", finished.home)
    assert page.exit_code == 0
    assert "sound" in page.stdout and "Each of its 2 admissions was earned" in page.stdout


def test_a_failed_audit_ends_with_1_and_names_the_place(home: Path) -> None:
    raw = sqlite3.connect(home / "log.sqlite")
    raw.execute("DROP TRIGGER payloads_refuse_update")
    raw.execute("UPDATE payloads SET body = body || ' ' WHERE position = 4")
    raw.commit()
    raw.close()
    done = envwright("audit", "--home", home, "--json")
    assert done.exit_code == 1
    failures = json.loads(done.stdout)["checks"]["chains"]["failures"]
    assert [failure["position"] for failure in failures] == [4]
    page = envwright("audit", "--home", home)
    assert page.exit_code == 1 and "chains: 1 failed" in page.stdout


def test_a_report_is_written_signed_and_verified(finished: Finished, tmp_path: Path) -> None:
    page = tmp_path / "audit.html"
    done = envwright("audit", finished.run, "--home", finished.home, "--report", page, "--json")
    assert done.exit_code == 0, done.stderr
    _, data, signature = files_of(page)
    assert json.loads(data.read_text()) == json.loads(done.stdout)
    assert finished.package in page.read_text(encoding="utf-8")
    key = tmp_path / "auditor.pub"
    key.write_text(envwright("audit", "key").stdout)
    assert answer("audit", "verify", signature, "--key", key)["ok"]
    data.write_bytes(data.read_bytes() + b" ")
    false = envwright("audit", "verify", signature, "--key", key)
    assert false.exit_code == 1 and "the proof is false" in false.stderr


def test_a_report_has_a_place_before_anything_is_read(finished: Finished, tmp_path: Path) -> None:
    done = envwright("audit", "--home", finished.home, "--report", tmp_path / "no" / "a.html")
    assert done.exit_code == 2 and "needs the folder" in done.stderr


def test_an_event_is_proved_to_somebody_without_the_home(
    finished: Finished, tmp_path: Path
) -> None:
    with finished.runtime() as runtime:
        event = next(runtime.log.read_all(types=("package.admitted",)))
    proof = tmp_path / "proof.json"
    done = envwright("audit", "prove", event.id, "--home", finished.home, "--out", proof)
    assert done.exit_code == 0, done.stderr
    key = envwright("audit", "key", "--hex").stdout.strip()
    proved = answer("audit", "verify", proof, "--key", key)["proves"]
    assert event.id in proved and f"position {event.position}" in proved
    proof.write_text(proof.read_text().replace("admitted", "rejected", 1))
    false = envwright("audit", "verify", proof, "--key", key)
    assert false.exit_code == 1 and "the proof is false: header and payload" in false.stderr


def test_growth_is_proved_between_two_checkpoints(home: Path, tmp_path: Path) -> None:
    anchors = tmp_path / "anchors"
    solved = envwright("solve", _package(home), "--policy", "random", "-k", 1, "--home", home)
    assert solved.exit_code == 0, solved.stderr
    sealed = answer("audit", "seal", "--home", home, "--anchors", anchors)
    assert sealed["number"] == 2 and sealed["anchors"] == str(anchors)
    assert answer("audit", "seal", "--home", home, "--anchors", anchors) == sealed
    proof = tmp_path / "growth.json"
    done = envwright("audit", "prove", "--consistency", 1, 2, "--home", home, "--out", proof)
    assert done.exit_code == 0, done.stderr
    verified = envwright("audit", "verify", proof)
    assert verified.exit_code == 0 and "begins with" in verified.stdout
    found = answer("audit", "--home", home, "--anchors", anchors)
    assert found["unanchored"] == 0 and len(found["anchors"]["used"]) == 2


def _package(home: Path) -> str:
    runtime = open_runtime(RuntimeConfig(home=home, checkpoints=False))
    package = next(runtime.log.read_all(types=("package.admitted",))).data["package"]
    runtime.close()
    return str(package)


def test_a_proof_is_printed_where_no_file_is_named(finished: Finished) -> None:
    done = envwright("audit", "prove", "3", "--home", finished.home)
    assert json.loads(done.stdout)["event"]["position"] == 3


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["prove", "--home", "{home}"], "say what to prove"),
        (["prove", "nonsense", "--home", "{home}"], "no event"),
        (["prove", "--consistency", "1", "7", "--home", "{home}"], "no checkpoint 7"),
        (["prove", "3", "--home", "{home}", "--out", "/nowhere/at/all"], "cannot write"),
        (["verify", "/nowhere/at/all"], "cannot read"),
        (["run-none", "--home", "{home}"], "no run in"),
        (["--key", "nonsense", "--home", "{home}"], "no public key"),
        (["--home", "/nowhere/at/all"], "no home at"),
    ],
)
def test_wrong_usage_ends_with_2_and_a_remedy(finished: Finished, arguments, words) -> None:
    given = [each.replace("{home}", str(finished.home)) for each in arguments]
    done = envwright("audit", *given)
    assert done.exit_code == 2, done.stdout
    assert words in done.stderr


def test_an_empty_home_has_nothing_to_seal_and_nothing_wrong(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    assert "nothing to seal" in envwright("audit", "seal", "--home", tmp_path / "home").stderr
    assert answer("audit", "--home", tmp_path / "home")["ok"]


def test_the_key_is_told_in_every_form() -> None:
    told = answer("audit", "key")
    assert envwright("audit", "key").stdout == told["pem"]
    assert envwright("audit", "key", "--hex").stdout.strip() == told["hex"]
    assert len(told["hex"]) == 64


@pytest.mark.parametrize("command", ["check", "seal", "key", "prove", "verify"])
def test_every_command_has_help_with_an_example(command: str) -> None:
    done = envwright("audit", command, "--help")
    assert done.exit_code == 0 and "Examples:" in done.stdout
    assert f"{command} " in envwright("audit", "--help").stdout
