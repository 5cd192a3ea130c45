"""Tampering with a home, each way under the last anchor and behind it, and what the audit says.

Under the anchor the audit names the place. Behind it an event is reported as unanchored, and is a
failure where anchors are required.
"""

import json
import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from envwright.events import NewEvent, encode
from envwright.events.catalog import GateEvaluated, PackageAdmitted
from support.audited_log import Writer, write_run
from support.command_line import envwright
from support.sealed_home import SealedHome
from support.store_tampering import Row, cut, exchange, flip, rewrite, tampering


class LateGates(Writer):
    """Writes runs whose last gate is recorded only after the admission."""

    _late: NewEvent | None = None

    def say(self, role: str, fact: Any, cause: NewEvent | None = None, **more: Any) -> NewEvent:
        event = super().say(role, fact, cause, **more)
        if isinstance(fact, GateEvaluated) and fact.result.gate == "no_leak":
            self._late = self._pending.pop()
        if isinstance(fact, PackageAdmitted) and self._late is not None:
            self._pending.append(self._late)
        return event


@dataclass
class Scene:
    """A home with one run under the last anchor, and one behind it."""

    home: SealedHome
    anchored: int
    """Position of the last anchored event."""
    key: str

    @property
    def path(self) -> Path:
        return self.home.home

    @property
    def head(self) -> int:
        return self.home.store.log.head()

    def audit(self, *more: object) -> tuple[int, dict[str, Any]]:
        options = ["--key", self.key, "--anchors", self.home.anchors, "--home", self.path]
        done = envwright("audit", *options, *more, "--json")
        assert done.exit_code in (0, 1), done.stderr
        return done.exit_code, json.loads(done.stdout)

    def position(self, kind: str, behind: bool) -> int:
        """Return the position of an event of a type, in the run that is anchored or the other."""
        run = "run-2" if behind else "run-1"
        events = self.home.store.log.read_all(run_id=run, types=(kind,))
        return next(event.position for event in events)


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("original")
    home = SealedHome(folder)
    write_run(Writer(home.store.log, home.store.artifacts, "run-1"), 2)
    home.seal()
    write_run(Writer(home.store.log, home.store.artifacts, "run-2"), 2)
    home.close()
    yield folder


@pytest.fixture
def scene(original: Path, tmp_path: Path) -> Iterator[Scene]:
    shutil.copytree(original, tmp_path, dirs_exist_ok=True)
    home = SealedHome(tmp_path)
    anchored = json.loads(home.anchors.read_text())["to"]
    yield Scene(home, anchored, home.key.public_hex())
    home.close()


def named(found: dict[str, Any], position: int) -> bool:
    """Say whether some failure names a position, or a stretch of the log that has it."""
    for check in found["checks"].values():
        for failure in check["failures"]:
            if failure["position"] == position:
                return True
            stretch = re.fullmatch(r"positions (\d+) to (\d+)", failure["event"])
            if stretch and int(stretch[1]) <= position <= int(stretch[2]):
                return True
    return False


def flip_payload(scene: Scene, behind: bool) -> int:
    position = scene.position("turn.taken", behind)
    with tampering(scene.path) as raw:
        flip(raw, "payloads", "body", position, 40)
    return position


def flip_header(scene: Scene, behind: bool) -> int:
    position = scene.position("turn.taken", behind)
    with tampering(scene.path) as raw:
        header = raw.execute(
            "SELECT header FROM events WHERE position = ?", (position,)
        ).fetchone()[0]
        flip(raw, "events", "header", position, header.index(b'"solver"') + 3)
    return position


def flip_column(scene: Scene, behind: bool) -> int:
    position = scene.position("turn.taken", behind)
    with tampering(scene.path) as raw:
        flip(raw, "events", "correlation_id", position, -1)
    return position


def delete_last(scene: Scene, behind: bool) -> int:
    last = scene.head if behind else scene.anchored
    cut(scene.path, last - 1)
    return last


def delete_middle(scene: Scene, behind: bool) -> int:
    position = scene.position("turn.taken", behind)
    rewrite(scene.path, lambda rows: rows.pop(position - 1) and None)
    return position


def make_a_hole(scene: Scene, behind: bool) -> int:
    position = scene.position("turn.taken", behind)
    with tampering(scene.path) as raw:
        raw.execute("DELETE FROM payloads WHERE position = ?", (position,))
        raw.execute("DELETE FROM events WHERE position = ?", (position,))
    return position + 1


def swap_two(scene: Scene, behind: bool) -> int:
    one = scene.position("work.claimed", behind)
    exchange(scene.path, one, one + 10)
    return one


def renumber(scene: Scene, behind: bool) -> int:
    """Take an event out of its place and put it elsewhere, all else moving up."""
    position = scene.position("work.claimed", behind)
    rewrite(scene.path, lambda rows: rows.insert(position + 5, rows.pop(position - 1)))
    return position


def rechain_a_stream(scene: Scene, behind: bool) -> int:
    position = scene.position("turn.taken", behind)

    def change(rows: list[Row]) -> None:
        rows[position - 1]["body"] = rows[position - 1]["body"].replace(b"delivered", b"cancelled")

    rewrite(scene.path, change)
    return position


def truncate(scene: Scene, behind: bool) -> int:
    to = scene.anchored + 3 if behind else scene.anchored - 30
    cut(scene.path, to)
    return scene.anchored


def alter_time(scene: Scene, behind: bool) -> int:
    position = scene.position("turn.taken", behind)
    with tampering(scene.path) as raw:
        raw.execute(
            "UPDATE events SET recorded_at = '2001-01-01T00:00:00.000Z' WHERE position = ?",
            (position,),
        )
    return position


def make_a_gate_pass(scene: Scene, behind: bool) -> int:
    """Put a passing gate of one package before the admission of another, from nothing."""
    position = scene.position("package.admitted", behind)

    def change(rows: list[Row]) -> None:
        gate = next(row for row in rows if row["header"]["type"] == "gate.evaluated")
        forged = json.loads(json.dumps(gate["header"]))
        forged |= {"id": "0" * 36, "idempotency_key": "forged"}
        new = {"header": forged, "body": gate["body"], "recorded_at": gate["recorded_at"]}
        rows.insert(position - 1, new)

    rewrite(scene.path, change)
    return position


WAYS: list[Callable[[Scene, bool], int]] = [
    flip_payload,
    flip_header,
    flip_column,
    delete_last,
    delete_middle,
    make_a_hole,
    swap_two,
    renumber,
    rechain_a_stream,
    truncate,
    alter_time,
    make_a_gate_pass,
]


def test_an_honest_home_passes_and_says_what_is_not_anchored(scene):
    code, found = scene.audit()
    assert (code, found["ok"]) == (0, True), found["checks"]
    assert found["anchored_to"] == scene.anchored
    assert found["unanchored"] == scene.head - scene.anchored > 0
    code, found = scene.audit("--require-anchored")
    assert (code, found["ok"], found["checks"]["anchored"]["ok"]) == (1, False, False)
    scene.home.seal()
    code, found = scene.audit("--require-anchored")
    assert (code, found["ok"], found["unanchored"]) == (0, True, 0)


@pytest.mark.parametrize("tamper", WAYS, ids=lambda way: way.__name__)
def test_under_the_last_anchor_the_audit_names_the_place(scene, tamper):
    position = tamper(scene, False)
    code, found = scene.audit()
    assert (code, found["ok"]) == (1, False)
    assert named(found, position), found["checks"]


@pytest.mark.parametrize("tamper", WAYS, ids=lambda way: way.__name__)
def test_behind_the_last_anchor_it_is_reported_as_unanchored(scene, tamper):
    tamper(scene, True)
    _, found = scene.audit()
    assert found["anchored_to"] == scene.anchored
    assert found["unanchored"] == found["events"] - scene.anchored > 0
    assert found["checks"]["anchors"]["ok"] and found["checks"]["checkpoints"]["ok"]
    code, strict = scene.audit("--require-anchored")
    assert code == 1
    assert strict["checks"]["anchored"]["failures"][0]["position"] == scene.anchored + 1


@pytest.mark.parametrize("behind", [False, True])
def test_a_replaced_artifact_is_named_by_the_event_that_names_it(scene, behind):
    position = scene.position("gate.evaluated", behind)
    event = next(scene.home.store.log.read_all(after=position - 1, limit=1))
    digest = event.data["result"]["evidence"]["digest"]
    (scene.path / "artifacts" / digest[:2] / digest[2:]).write_bytes(b"another")
    code, found = scene.audit()
    assert code == 1
    failures = found["checks"]["artifacts"]["failures"]
    assert event.id in [failure["event"] for failure in failures]
    assert digest in failures[0]["expected"]


@pytest.mark.parametrize("behind", [False, True])
def test_an_older_copy_in_place_of_the_log(scene, tmp_path, behind):
    """What came before the anchor is missed by it; what came after was never vouched for."""
    old = scene.anchored + 2 if behind else scene.anchored - 20
    cut(scene.path, old)
    with tampering(scene.path) as raw:
        raw.execute("DELETE FROM merkle_checkpoints WHERE to_position > ?", (old,))
    code, found = scene.audit()
    if behind:
        assert found["unanchored"] == 2
        assert found["checks"]["anchors"]["ok"] and found["checks"]["checkpoints"]["ok"]
    else:
        assert code == 1
        words = [failure["found"] for failure in found["checks"]["anchors"]["failures"]]
        assert any("rolled back" in each for each in words)
        assert any("the log ends at" in each for each in words)
    assert scene.audit("--require-anchored")[0] == 1


@pytest.mark.parametrize("where", ["the log", "the anchors"])
def test_a_forged_signature_is_named(scene, where):
    if where == "the log":
        with tampering(scene.path) as raw:
            raw.execute("UPDATE merkle_checkpoints SET signature = ?", ("ab" * 64,))
    else:
        record = json.loads(scene.home.anchors.read_text())
        scene.home.anchors.write_text(json.dumps({**record, "signature": "ab" * 64}) + "\n")
    code, found = scene.audit()
    check = "checkpoints" if where == "the log" else "anchors"
    assert code == 1
    assert "signature" in found["checks"][check]["failures"][0]["found"]
    if where == "the anchors":
        assert found["anchored_to"] == 0 and found["unanchored"] == scene.head


def test_a_rewritten_log_signed_by_another_key_is_not_believed(scene, tmp_path):
    rechain_a_stream(scene, False)
    with tampering(scene.path) as raw:
        raw.execute("DELETE FROM merkle_checkpoints")
    forger = SealedHome(tmp_path / "forger")
    evidence = scene.home.evidence
    evidence.sealer._key = lambda: forger.key
    evidence.sealer.seal()
    forger.close()
    code, found = scene.audit()
    assert code == 1
    assert "signed by key" in found["checks"]["checkpoints"]["failures"][0]["found"]
    assert found["anchored_to"] == 0


def test_the_holder_of_the_key_who_also_holds_the_anchors_can_rewrite_all(scene):
    """What no seal can prevent, and why anchors belong where they cannot be changed."""
    rechain_a_stream(scene, False)
    with tampering(scene.path) as raw:
        raw.execute("DELETE FROM merkle_checkpoints")
    kept = scene.home.anchors.read_text()
    scene.home.anchors.unlink()
    scene.home.seal()
    assert scene.audit("--require-anchored")[0] == 0
    scene.home.anchors.write_text(kept)
    assert scene.audit()[0] == 1


@pytest.mark.parametrize("sealed", [True, False])
def test_a_gate_that_was_recorded_after_the_admission_is_no_ground_for_it(tmp_path, sealed):
    home = SealedHome(tmp_path)
    write_run(LateGates(home.store.log, home.store.artifacts, "run-1"), 1)
    if sealed:
        home.seal()
    scene = Scene(home, home.store.log.head() if sealed else 0, home.key.public_hex())
    code, found = scene.audit()
    admission, gate = scene.position("package.admitted", False), home.store.log.head() - 1
    (failure,) = found["checks"]["admissions"]["failures"]
    assert code == 1 and failure["position"] == admission
    assert "gate no_leak" in failure["expected"] and "before the admission" in failure["expected"]
    assert failure["found"] == f"recorded at position {gate}"
    # To move it to its place takes a rewritten log, which only an anchor can tell.
    rewrite(home.home, lambda rows: rows.insert(12, rows.pop(gate - 1)))
    code, found = scene.audit()
    assert found["checks"]["admissions"]["ok"]
    assert code == (1 if sealed else 0)
    assert found["unanchored"] == found["head"]
    assert scene.audit("--require-anchored")[0] == 1
    home.close()


@pytest.mark.parametrize("name", ["auditor.pub", "artifacts/auditor.pub"])
def test_a_public_key_inside_the_home_is_refused(scene, name):
    inside = scene.path / name
    inside.write_text(scene.home.key.public_pem())
    done = envwright("audit", "--key", inside, "--home", scene.path, "--json")
    assert done.exit_code == 2
    assert "lies in the home" in done.stderr


def test_keys_of_the_user_that_lie_in_the_home_are_refused(scene, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(scene.path / "config"))
    done = envwright("audit", "--home", scene.path)
    assert done.exit_code == 2 and "lie in the home" in done.stderr


def test_a_sealed_log_is_not_audited_without_any_key(scene, monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "nothing"))
    done = envwright("audit", "--home", scene.path)
    assert done.exit_code == 2 and "--key" in done.stderr


def test_every_event_that_is_made_up_is_unreadable_or_wrong(scene):
    """A payload that fits no schema is a failure of its own, whatever its hashes say."""
    position = scene.position("package.admitted", True)

    def change(rows: list[Row]) -> None:
        rows[position - 1]["body"] = encode({"made": "up"})

    rewrite(scene.path, change)
    code, found = scene.audit()
    assert code == 1 and named(found, position)
