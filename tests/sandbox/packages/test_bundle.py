"""The bundle: one revision in memory, as artifacts and as a folder."""

import dataclasses
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from envwright.events.errors import ArtifactCorruptError, ArtifactMissingError, BadInputError
from envwright.events.values import ArtifactRef
from envwright.sandbox.packages import Bundle, Provenance, ProvenanceEvent, read_provenance
from support.packages import MemoryArtifacts, desk_bundle, desk_files


def test_equal_content_is_an_equal_bundle_however_it_was_written():
    files = desk_files()
    indented = {
        path: json.dumps(json.loads(data), indent=3).encode() if path.endswith(".json") else data
        for path, data in reversed(files.items())
    }
    assert Bundle(files) == Bundle(indented)
    assert hash(Bundle(files)) == hash(Bundle(indented))
    assert Bundle(files).files == Bundle(indented).files


def test_the_executable_mode_is_part_of_the_revision():
    files = {**desk_files(), "tests/run.sh": b"#!/bin/sh\n"}
    assert Bundle(files) != Bundle(files, frozenset({"tests/run.sh"}))


@given(st.sampled_from(sorted(desk_files())), st.data())
def test_one_changed_byte_is_another_revision_or_refused(path, data):
    files = desk_files()
    at = data.draw(st.integers(0, len(files[path]) - 1))
    changed = files[path][:at] + b"7" + files[path][at + 1 :]
    try:
        other = Bundle({**files, path: changed})
    except BadInputError:
        return
    assert (other == Bundle(files)) == (other.files[path] == Bundle(files).files[path])


def test_the_revision_digest_is_what_recorded_logs_rest_on():
    files = {"instruction.md": "Grüße\r\n".encode(), "solution/calls.json": b'{"b": 1.0, "a": []}'}
    expected = "369027bcacf2ea570d51e1ca29f6b7140e4fe295c08cf347ab5e50df26638cbc"
    assert Bundle(files).revision == expected


def test_nothing_in_a_bundle_can_be_changed():
    bundle = desk_bundle()
    with pytest.raises(TypeError):
        bundle.files["instruction.md"] = b"other"
    with pytest.raises(dataclasses.FrozenInstanceError):
        bundle.files = {}
    bundle.json("solution/calls.json")["calls"].clear()
    assert bundle.solution.calls


def test_a_missing_file_is_named_with_what_there_is():
    files = desk_files()
    del files["tests/assertions.json"]
    with pytest.raises(BadInputError, match=r"tests/assertions\.json: missing"):
        _ = Bundle(files).assertions


def test_an_executable_path_that_is_not_there_is_refused():
    with pytest.raises(BadInputError, match=r"lacks: tests/run\.sh"):
        Bundle(desk_files(), frozenset({"tests/run.sh"}))


def test_the_environment_is_named_without_its_folder():
    assert sorted(desk_bundle().environment()) == ["programs.json", "tables.json", "world.json"]


class TestInTheArtifactStore:
    def test_a_saved_bundle_is_loaded_byte_for_byte_with_its_modes(self):
        files = {**desk_files(), "tests/run.sh": b"#!/bin/sh\n"}
        bundle = Bundle.sealed(files, frozenset({"tests/run.sh"}))
        artifacts = MemoryArtifacts()
        loaded = Bundle.load(artifacts, bundle.save(artifacts))
        assert loaded.files == bundle.files
        assert loaded.executable == bundle.executable
        assert loaded.revision == bundle.revision

    def test_saving_twice_gives_one_reference_and_keeps_nothing_more(self):
        artifacts = MemoryArtifacts()
        first = desk_bundle().save(artifacts)
        kept = dict(artifacts.kept)
        assert desk_bundle().save(artifacts) == first
        assert artifacts.kept == kept

    def test_a_missing_file_is_a_missing_artifact(self):
        artifacts = MemoryArtifacts()
        bundle = desk_bundle()
        ref = bundle.save(artifacts)
        del artifacts.kept[bundle.manifest()[0].sha256]
        with pytest.raises(ArtifactMissingError):
            Bundle.load(artifacts, ref)

    def test_altered_bytes_are_found_and_the_file_is_named(self):
        artifacts = MemoryArtifacts()
        bundle = desk_bundle()
        ref = bundle.save(artifacts)
        entry = next(entry for entry in bundle.manifest() if entry.path == "instruction.md")
        artifacts.kept[entry.sha256] += b"!"
        with pytest.raises(ArtifactCorruptError, match=r"instruction\.md"):
            Bundle.load(artifacts, ref)

    @pytest.mark.parametrize(
        "manifest",
        [
            b"no json",
            b"[]",
            b'{"files": [{"path": "a"}]}',
            b'{"files":[{"path":"../a","mode":"100644","sha256":"%s","size":1}]}' % (b"0" * 64),
        ],
        ids=["no JSON", "a list", "fields missing", "an unsafe path"],
    )
    def test_something_that_is_no_manifest_is_corrupt(self, manifest):
        artifacts = MemoryArtifacts()
        with pytest.raises(ArtifactCorruptError, match="no package manifest"):
            Bundle.load(artifacts, artifacts.put(manifest))

    def test_a_reference_to_nothing_is_a_missing_artifact(self):
        with pytest.raises(ArtifactMissingError):
            Bundle.load(MemoryArtifacts(), ArtifactRef(digest="0" * 64, size=1))


class TestInAFolder:
    def provenance(self, run="run-1"):
        event = ProvenanceEvent(id="e", type="package.drafted", position=7)
        return Provenance(
            run=run, package="pkg-1", revision=desk_bundle().revision, events=(event,)
        )

    def test_a_written_bundle_is_read_back_with_provenance_outside_the_digest(self, tmp_path):
        desk_bundle().write(tmp_path / "p", self.provenance())
        assert Bundle.read(tmp_path / "p") == desk_bundle()
        assert read_provenance(tmp_path / "p") == self.provenance()

    def test_writing_the_same_revision_again_renews_the_provenance_alone(self, tmp_path):
        desk_bundle().write(tmp_path / "p", self.provenance())
        desk_bundle().write(tmp_path / "p", self.provenance("run-2"))
        assert read_provenance(tmp_path / "p") == self.provenance("run-2")
        assert not list((tmp_path / "p").glob(".*"))

    def test_another_revision_is_not_written_over_it(self, tmp_path):
        desk_bundle().write(tmp_path / "p")
        other = desk_bundle(lambda d: d.update({"instruction.md": "Do something else."}))
        with pytest.raises(BadInputError, match="not empty"):
            other.write(tmp_path / "p")
        assert Bundle.read(tmp_path / "p") == desk_bundle()

    def test_a_folder_without_provenance_has_none(self, tmp_path):
        desk_bundle().write(tmp_path / "p")
        assert read_provenance(tmp_path / "p") is None

    def test_a_malformed_document_is_named_with_its_place(self, tmp_path):
        desk_bundle().write(tmp_path / "p")
        (tmp_path / "p" / "solution" / "calls.json").write_text('{"calls": [}')
        with pytest.raises(BadInputError, match=r"solution/calls\.json: line 1, column 12"):
            Bundle.read(tmp_path / "p")
