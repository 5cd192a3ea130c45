"""References: artifacts named by payloads, by large bodies and by manifests."""

import pytest

from envwright.events import encode, reference_payload
from envwright.events.values import ArtifactRef
from envwright.store import FolderArtifacts
from envwright.store.references import ReferenceCheck, references_in

MANIFEST = "application/vnd.envwright.package+json"
REF = ArtifactRef(digest="0" * 64, size=1, media_type="text/plain")


@pytest.fixture
def artifacts(tmp_path) -> FolderArtifacts:
    return FolderArtifacts(tmp_path)


def spoil(artifacts: FolderArtifacts, digest: str, data: bytes) -> None:
    (artifacts._root / digest[:2] / digest[2:]).write_bytes(data)


def payload(*references: ArtifactRef) -> bytes:
    return encode({"deep": [{"in": [each.model_dump() for each in references]}]})


def test_references_are_found_at_any_depth():
    one, two = REF, REF.model_copy(update={"digest": "1" * 64})
    value = {"a": [one.model_dump(), {"b": {"c": two.model_dump()}}], "d": None}
    assert list(references_in(value)) == [one, two]


@pytest.mark.parametrize(
    "value",
    [
        {"digest": "0" * 64, "size": 1},
        {"digest": "not a digest", "size": 1, "media_type": "x"},
        {"digest": None, "size": 1, "media_type": "x"},
        REF.model_dump() | {"more": 1},
    ],
)
def test_what_only_looks_like_a_reference_is_none(value):
    assert list(references_in(value)) == []


def test_whole_artifacts_pass(artifacts):
    check = ReferenceCheck(artifacts)
    assert check.check(payload(artifacts.put(b"1"), artifacts.put(b"2"))) is None
    assert check.check(b'{"no":"reference"}') is None


def test_a_missing_artifact_is_named(artifacts):
    failure = ReferenceCheck(artifacts).check(payload(artifacts.put(b"1"), REF))
    assert failure is not None and failure[0] == f"artifact {REF.digest}"
    assert "is not in" in failure[1]


def test_an_altered_artifact_is_named(artifacts):
    reference = artifacts.put(b"data")
    spoil(artifacts, reference.digest, b"dbta")
    failure = ReferenceCheck(artifacts).check(payload(reference))
    assert failure is not None and reference.digest in failure[0]


def test_a_size_that_was_recorded_wrong_is_named(artifacts):
    wrong = artifacts.put(b"data").model_copy(update={"size": 5})
    failure = ReferenceCheck(artifacts).check(payload(wrong))
    assert failure == ("artifact of 5 bytes", f"{wrong.digest} has 4")


def test_a_large_body_is_followed(artifacts):
    inner = artifacts.put(b"inner")
    body = reference_payload(artifacts.put(payload(inner)))
    assert ReferenceCheck(artifacts).check(body) is None
    spoil(artifacts, inner.digest, b"other")
    failure = ReferenceCheck(artifacts).check(body)
    assert failure is not None and inner.digest in failure[0]


def test_a_manifest_is_followed_to_its_files(artifacts):
    file = artifacts.put(b"file")
    listed = [{"path": "a", "mode": "100644", "sha256": file.digest, "size": 4}]
    manifest = artifacts.put(encode({"files": listed}), MANIFEST)
    assert ReferenceCheck(artifacts).check(payload(manifest)) is None
    spoil(artifacts, file.digest, b"fil3")
    failure = ReferenceCheck(artifacts).check(payload(manifest))
    assert failure is not None and failure[0] == f"artifact {file.digest}"


def test_each_artifact_is_read_once(artifacts):
    reference = artifacts.put(b"data")
    check = ReferenceCheck(artifacts)
    assert check.check(payload(reference, reference)) is None
    spoil(artifacts, reference.digest, b"gone")
    assert check.check(payload(reference)) is None


def test_a_known_artifact_is_held_to_every_size_that_is_said_of_it(artifacts):
    reference = artifacts.put(b"data", "text/plain")
    check = ReferenceCheck(artifacts)
    assert check.check(payload(reference)) is None
    assert check.check(payload(reference.model_copy(update={"size": 5}))) is not None
    assert check.check(payload(reference)) is None


def test_a_known_file_is_followed_once_it_is_called_a_manifest(artifacts):
    listed = [{"path": "a", "mode": "100644", "sha256": "0" * 64, "size": 4}]
    reference = artifacts.put(encode({"files": listed}), "application/json")
    check = ReferenceCheck(artifacts)
    assert check.check(payload(reference)) is None
    named = reference.model_copy(update={"media_type": MANIFEST})
    assert check.check(payload(named)) is not None


@pytest.mark.parametrize("media_type", ['a "quoted" type', "caf\u00e9", "a\\b"])
def test_a_media_type_of_any_text_hides_no_artifact(artifacts, media_type):
    missing = REF.model_copy(update={"media_type": media_type})
    assert ReferenceCheck(artifacts).check(payload(missing)) is not None


def test_text_that_looks_like_a_reference_is_none(artifacts):
    text = payload(REF).decode()
    assert ReferenceCheck(artifacts).check(encode({"text": text})) is None


def test_what_was_verified_is_counted_and_not_remembered_without_end(artifacts, monkeypatch):
    monkeypatch.setattr("envwright.store.references._KEPT", 2)
    check = ReferenceCheck(artifacts)
    references = [artifacts.put(b"%d" % number) for number in range(6)]
    for reference in (*references, *references):
        assert check.check(payload(reference)) is None
    assert len(check._seen) + len(check._verified) <= 4
    assert check.verified > 6
