"""Execution replay finds every kind of alteration and names the event."""

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from envwright.agents import Replayed, replay_run
from envwright.agents.replay import execution
from envwright.events import Envelope, digest_bytes, encode
from envwright.events.errors import InfrastructureError
from support.office import Office
from support.store_tampering import tampering


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Office]:
    """A finished run with a failed gate, a repair, and attempts; not to be changed."""
    opened = Office(tmp_path_factory.mktemp("finished") / "home")
    run = opened.request("broken", recipe="mending", attempts=2)
    assert opened.finish(run) == "completed"
    yield opened
    opened.close()


@pytest.fixture
def copy(finished: Office, tmp_path: Path) -> Iterator[Office]:
    """A copy of the finished run's home that may be altered."""
    shutil.copytree(finished.home, tmp_path / "home")
    opened = Office(tmp_path / "home")
    yield opened
    opened.close()


def replay(office: Office) -> Replayed:
    run = office.events("run.requested")[0].run_id
    return replay_run(office.runtime.config, "execution", run)


def rewrite(
    office: Office, event: Envelope, change: Callable[[dict[str, Any]], object], *, seal: bool
) -> None:
    """Alter an event's data; `seal` gives it a matching hash, as a clever hand would."""
    data = json.loads(event.payload)
    change(data)
    payload = encode(data)
    with tampering(office.home) as raw:
        raw.execute("UPDATE payloads SET body = ? WHERE position = ?", (payload, event.position))
        if seal:
            raw.execute(
                "UPDATE events SET payload_hash = ? WHERE position = ?",
                (digest_bytes(payload), event.position),
            )


def test_an_honest_run_has_no_divergence_and_all_of_it_is_counted(finished: Office) -> None:
    steps: list[tuple[int, int]] = []
    run = finished.events("run.requested")[0].run_id
    config = finished.runtime.config
    found = replay_run(config, "execution", run, progress=lambda *step: steps.append(step))
    assert found.diverged is None
    gates = len(finished.events("gate.evaluated"))
    attempts = len(finished.events("attempt.finished"))
    turns = len(finished.events("turn.taken"))
    assert found.compared == gates + 2 * attempts + turns
    assert found.counts == {"gates": gates, "attempts": attempts}
    assert steps == [(done, gates + attempts) for done in range(1, gates + attempts + 1)]


def test_every_divergence_is_told_where_it_is_to_keep_going(copy: Office) -> None:
    altered = [copy.events("gate.evaluated")[1], *copy.events("turn.taken")[:2]]
    for event in altered:
        change = ALTERATIONS["a reason" if event.type == "gate.evaluated" else "a state digest"][1]
        rewrite(copy, event, change, seal=True)
    run = copy.events("run.requested")[0].run_id
    found = replay_run(copy.runtime.config, "execution", run, keep_going=True)
    assert [each.event for each in found.divergences] == [event.id for event in altered]
    assert len(replay(copy).divergences) == 1


ALTERATIONS: dict[str, tuple[str, Callable[[dict[str, Any]], object]]] = {
    "a verdict": ("gate.evaluated", lambda d: d["result"].update(verdict="fail")),
    "a reason": ("gate.evaluated", lambda d: d["result"].update(reason="OTHER")),
    "an observation": (
        "turn.taken",
        lambda d: d["turn"]["observations"][0].update(value="something else"),
    ),
    "a call": ("turn.taken", lambda d: d["turn"]["calls"][0].update(name="no_such_tool")),
    "a state digest": ("turn.taken", lambda d: d["turn"].update(state_digest="0" * 64)),
    "the first state": ("attempt.started", lambda d: d.update(state_digest="0" * 64)),
    "the task": ("attempt.started", lambda d: d.update(task_digest="0" * 64)),
    "the last state": ("attempt.finished", lambda d: d.update(state_digest="0" * 64)),
    "the number of turns": ("attempt.finished", lambda d: d.update(turns=99)),
    "a gate's name": ("gate.evaluated", lambda d: d["result"].update(gate="other")),
}


@pytest.mark.parametrize("seal", [True, False], ids=["with a matching hash", "as it is"])
@pytest.mark.parametrize("what", ALTERATIONS)
def test_it_is_found_and_its_event_is_named(copy: Office, what: str, seal: bool) -> None:
    event_type, change = ALTERATIONS[what]
    event = copy.events(event_type)[-1]
    rewrite(copy, event, change, seal=seal)
    found = replay(copy).diverged
    assert found is not None
    assert found.event == event.id
    assert found.expected != found.actual


def test_bytes_that_are_no_json_any_more_are_found(copy: Office) -> None:
    event = copy.events("turn.taken")[0]
    with tampering(copy.home) as raw:
        raw.execute("UPDATE payloads SET body = ? WHERE position = ?", (b"{", event.position))
    found = replay(copy).diverged
    assert found is not None and found.event == event.id


def test_a_header_that_cannot_be_read_is_found_with_its_position(copy: Office) -> None:
    event = copy.events("gate.evaluated")[1]
    with tampering(copy.home) as raw:
        raw.execute("UPDATE events SET header = ? WHERE position = ?", (b"{", event.position))
    replayed = replay(copy)
    assert replayed.compared == 1
    assert replayed.diverged is not None and replayed.diverged.event == ""
    assert f"position {event.position}" in str(replayed.diverged.actual)


def artifact(office: Office, digest: str) -> Path:
    return office.home / "artifacts" / digest[:2] / digest[2:]


def spoil(place: Path) -> None:
    """Alter one byte of a kept artifact."""
    data = bytearray(place.read_bytes())
    data[len(data) // 2] ^= 1
    place.chmod(0o644)
    place.write_bytes(data)


def test_one_byte_of_an_evidence_is_found(copy: Office) -> None:
    event = copy.events("gate.evaluated")[2]
    evidence = event.data["result"]["evidence"]["digest"]
    spoil(artifact(copy, evidence))
    found = replay(copy).diverged
    assert found is not None and found.event == event.id
    assert evidence in str(found.actual)


@pytest.mark.parametrize("path", ["environment/tables.json", "tests/assertions.json"])
def test_one_byte_of_a_packages_file_is_found_by_the_first_event_that_needs_it(
    copy: Office, path: str
) -> None:
    drafted = copy.events("package.drafted")[0]
    manifest = json.loads(copy.runtime.artifacts.get(drafted.data["bundle"]["digest"]))
    [kept] = [entry["sha256"] for entry in manifest["files"] if entry["path"] == path]
    spoil(artifact(copy, kept))
    found = replay(copy).diverged
    assert found is not None and found.event == copy.events("gate.evaluated")[0].id
    assert kept in str(found.actual)


def test_a_bundle_that_is_gone_is_found(copy: Office) -> None:
    revised = copy.events("package.revised")[0]
    artifact(copy, revised.data["bundle"]["digest"]).unlink()
    found = replay(copy).diverged
    assert found is not None
    first = next(e for e in copy.events("gate.evaluated") if e.position > revised.position)
    assert found.event == first.id


def test_another_bundle_under_the_same_revision_is_found(copy: Office) -> None:
    [drafted], [revised] = copy.events("package.drafted"), copy.events("package.revised")
    rewrite(copy, revised, lambda d: d.update(bundle=drafted.data["bundle"]), seal=True)
    found = replay(copy).diverged
    assert found is not None
    assert "holds revision" in str(found.actual)


def test_a_machine_that_fails_is_no_divergence(
    finished: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_gate = execution.run_gate

    def failing(spec: Any, bundle: Any) -> Any:
        outcome = run_gate(spec, bundle)
        result = outcome.result.model_copy(update={"verdict": "error", "detail": "no memory"})
        return outcome.model_copy(update={"result": result})

    monkeypatch.setattr(execution, "run_gate", failing)
    with pytest.raises(InfrastructureError, match="cannot run: no memory"):
        replay(finished)


def test_a_run_that_did_nothing_compares_nothing(office: Office) -> None:
    assert replay_run(office.runtime.config, "execution", "run-0") == Replayed()
