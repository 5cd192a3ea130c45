"""Artifacts in a folder and behind fsspec."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from envwright.events.errors import ArtifactCorruptError, InfrastructureError, MissingExtraError
from envwright.store import FolderArtifacts, FsspecArtifacts, open_artifacts
from support.store_conformance_artifacts import ArtifactsConformance


class TestFolderArtifacts(ArtifactsConformance):
    @pytest.fixture
    def artifacts(self, tmp_path: Path) -> FolderArtifacts:
        self.root = tmp_path / "artifacts"
        return FolderArtifacts(self.root)

    def overwrite(self, digest: str, data: bytes | None) -> None:
        place = self.root / digest[:2] / digest[2:]
        if data is None:
            place.unlink()
        else:
            place.write_bytes(data)

    def test_nothing_is_left_of_writing(self, artifacts: FolderArtifacts):
        artifacts.put(b"data")
        assert list((self.root / "incoming").iterdir()) == []

    def test_a_file_that_a_crash_cut_off_is_replaced(self, artifacts: FolderArtifacts):
        digest = artifacts.put(b"data").digest
        self.overwrite(digest, b"da")
        again = FolderArtifacts(self.root)
        with pytest.raises(ArtifactCorruptError):
            again.get(digest)
        again.put(b"data")
        assert again.get(digest) == b"data"

    def test_a_place_that_cannot_be_written_is_an_infrastructure_error(self, tmp_path: Path):
        (tmp_path / "file").write_text("in the way")
        with pytest.raises(InfrastructureError, match="artifact store at"):
            FolderArtifacts(tmp_path / "file" / "artifacts").put(b"data")

    def test_a_failing_disk_is_an_infrastructure_error(
        self, artifacts: FolderArtifacts, monkeypatch: pytest.MonkeyPatch
    ):
        def full(_descriptor: int) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(os, "fsync", full)
        with pytest.raises(InfrastructureError, match="No space left"):
            artifacts.put(b"data")
        assert list((self.root / "incoming").iterdir()) == []


class TestFsspecArtifacts(ArtifactsConformance):
    @pytest.fixture
    def artifacts(self, tmp_path: Path) -> Iterator[FsspecArtifacts]:
        pytest.importorskip("fsspec")
        opened = open_artifacts(f"memory://{tmp_path.name}")
        assert isinstance(opened, FsspecArtifacts)
        self.filesystem, self.root = opened.filesystem, opened.root
        yield opened
        if self.filesystem.exists(self.root):
            self.filesystem.rm(self.root, recursive=True)

    def overwrite(self, digest: str, data: bytes | None) -> None:
        place = f"{self.root}/{digest[:2]}/{digest[2:]}"
        if data is None:
            self.filesystem.rm(place)
        else:
            self.filesystem.pipe_file(place, data)


def test_a_path_opens_a_folder_and_a_url_fsspec(tmp_path):
    pytest.importorskip("fsspec")
    assert isinstance(open_artifacts(tmp_path), FolderArtifacts)
    assert isinstance(open_artifacts(str(tmp_path)), FolderArtifacts)
    assert isinstance(open_artifacts((tmp_path / "a").as_uri()), FsspecArtifacts)


def test_an_unknown_protocol_is_an_infrastructure_error():
    pytest.importorskip("fsspec")
    with pytest.raises(InfrastructureError, match="nowhere://"):
        open_artifacts("nowhere://bucket")


def test_a_url_without_fsspec_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "fsspec.core", None)
    with pytest.raises(MissingExtraError, match="pip install fsspec"):
        open_artifacts("memory://x")
