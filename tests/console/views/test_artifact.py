"""An artifact as JSON."""

import pytest

from envwright.console.views.artifact import artifact_view
from envwright.events.errors import ArtifactMissingError
from support.command_line import Finished


def test_a_gates_evidence_names_its_events(finished: Finished) -> None:
    with finished.runtime() as runtime:
        gate = next(runtime.log.read_all(types=("gate.evaluated",)))
        view = artifact_view(runtime, gate.data["result"]["evidence"]["digest"])
    assert view["kind"] == "json"
    assert isinstance(view["content"], dict)
    assert gate.id in [row["event"] for row in view["named_by"]]
    assert view["named_by_total"] >= 2


@pytest.mark.parametrize(
    ("data", "kind", "content"),
    [
        (b"plain words", "text", "plain words"),
        (b"\xff\x00", "bytes", "ff00"),
        (b"[1]", "json", [1]),
    ],
)
def test_bytes_are_shown_in_the_form_that_they_have(
    data: bytes, kind: str, content: object, finished: Finished
) -> None:
    with finished.runtime() as runtime:
        view = artifact_view(runtime, runtime.artifacts.put(data).digest)
    assert (view["kind"], view["content"], view["size"]) == (kind, content, len(data))
    assert view["named_by"] == []


def test_a_missing_artifact_is_an_error_of_the_store(finished: Finished) -> None:
    with finished.runtime() as runtime, pytest.raises(ArtifactMissingError):
        artifact_view(runtime, "0" * 64)
