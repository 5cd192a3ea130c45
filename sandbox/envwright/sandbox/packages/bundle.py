"""The bundle: one immutable revision of a package in memory, and its ways in and out."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Self

from pydantic import ValidationError

from envwright.events import Json, digest_bytes, encode
from envwright.events.errors import ArtifactCorruptError, BadInputError
from envwright.events.ports import ArtifactStore
from envwright.events.values import ArtifactRef, Value
from envwright.sandbox.packages.assertions import Assertions
from envwright.sandbox.packages.blueprint import Blueprint
from envwright.sandbox.packages.canary import with_canaries
from envwright.sandbox.packages.descriptor import PackageFile
from envwright.sandbox.packages.document import decode_json, decode_text, first_problem
from envwright.sandbox.packages.folder import read_files, write_beside, write_files
from envwright.sandbox.packages.paths import PROVENANCE, check_collisions, package_path
from envwright.sandbox.packages.provenance import Provenance
from envwright.sandbox.packages.revision import (
    EXECUTABLE_MODE,
    ManifestEntry,
    manifest_of,
    normal_files,
    revision_of,
)
from envwright.sandbox.packages.solution import Solution

MANIFEST_TYPE = "application/vnd.envwright.package+json"


class _Manifest(Value):
    """The artifact that stands for a whole revision."""

    files: tuple[ManifestEntry, ...]


@dataclass(frozen=True, eq=False)
class Bundle:
    """One revision of a package: its files, in one byte form each.

    Files are normalised on the way in, so equal content is an equal bundle. Reading a document
    checks it: a missing or malformed file is a BadInputError that names file and place.
    """

    files: Mapping[str, bytes]
    """Content by path; reading gives the normal form."""
    executable: frozenset[str] = frozenset()
    """Paths with the executable mode."""

    def __post_init__(self) -> None:
        self._settle(normal_files(self.files), frozenset(self.executable))

    @classmethod
    def sealed(cls, files: Mapping[str, bytes], executable: frozenset[str] = frozenset()) -> Self:
        """Return a bundle whose documents carry the canary of this content."""
        return cls._normal(with_canaries(normal_files(files)), executable)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Bundle) and self.revision == other.revision

    def __hash__(self) -> int:
        return int(self.revision[:15], 16)

    def __repr__(self) -> str:
        return f"Bundle({self.revision[:12]}, {len(self.files)} files)"

    @cached_property
    def revision(self) -> str:
        """The revision digest."""
        return revision_of(self.manifest())

    @cached_property
    def package(self) -> PackageFile:
        """The descriptor."""
        return PackageFile.parse(self.json(PackageFile.PATH))

    @cached_property
    def blueprint(self) -> Blueprint:
        """Facts, boundary and criteria."""
        return Blueprint.parse(self.json(Blueprint.PATH))

    @cached_property
    def assertions(self) -> Assertions:
        """The verifier."""
        return Assertions.parse(self.json(Assertions.PATH))

    @cached_property
    def solution(self) -> Solution:
        """The reference calls and answer."""
        return Solution.parse(self.json(Solution.PATH))

    @property
    def instruction(self) -> str:
        """What the solver is told."""
        return self.text("instruction.md")

    def manifest(self) -> tuple[ManifestEntry, ...]:
        """Return path, mode, sha256 and size of every file, sorted by path."""
        return self._manifest

    @cached_property
    def _manifest(self) -> tuple[ManifestEntry, ...]:
        return manifest_of(self.files, self.executable)

    def content(self, path: str) -> bytes:
        """Return a file's bytes.

        Raises:
            BadInputError: the package has no such file.
        """
        if path not in self.files:
            raise BadInputError(f"{path}: missing from the package; it has {sorted(self.files)}")
        return self.files[path]

    def text(self, path: str) -> str:
        """Return a file's UTF-8 text."""
        return decode_text(path, self.content(path))

    def json(self, path: str) -> Json:
        """Return a file's JSON value, a fresh one on every call."""
        return decode_json(path, self.content(path))

    def environment(self) -> dict[str, bytes]:
        """Return the world's files, named without their folder `environment/`."""
        prefix = "environment/"
        return {
            path.removeprefix(prefix): data
            for path, data in self.files.items()
            if path.startswith(prefix)
        }

    def save(self, artifacts: ArtifactStore) -> ArtifactRef:
        """Keep every file and the manifest as artifacts; return the manifest's reference."""
        for path, data in self.files.items():
            artifacts.put(data, _media_type(path))
        manifest = _Manifest(files=self.manifest())
        return artifacts.put(encode(manifest.model_dump(mode="json")), MANIFEST_TYPE)

    @classmethod
    def load(cls, artifacts: ArtifactStore, ref: ArtifactRef) -> Self:
        """Return the bundle that was saved under `ref`, byte for byte.

        Raises:
            ArtifactMissingError: the manifest or a file is not in the store.
            ArtifactCorruptError: stored bytes do not match their digest, or are no manifest.
        """
        try:
            manifest = _Manifest.model_validate(json.loads(artifacts.get(ref.digest)))
            files = {package_path(entry.path): entry for entry in manifest.files}
        except (ValueError, BadInputError) as error:
            detail = first_problem(error) if isinstance(error, ValidationError) else str(error)
            raise ArtifactCorruptError(f"{ref.digest} is no package manifest: {detail}") from error
        return cls._normal(
            {path: _fetch(artifacts, entry) for path, entry in files.items()},
            frozenset(path for path, entry in files.items() if entry.mode == EXECUTABLE_MODE),
        )

    def write(self, folder: Path, provenance: Provenance | None = None) -> None:
        """Write a folder that a person can read; `provenance.json` stands beside the content.

        A folder that holds this very revision is left as it is, but for its provenance.

        Raises:
            BadInputError: the folder holds something else.
            InfrastructureError: the disk refused.
        """
        present = folder.is_dir() and any(folder.iterdir())
        if not (present and _holds(folder, self)):
            write_files(folder, self.files, self.executable)
        if provenance is not None:
            write_beside(folder, PROVENANCE, provenance.to_bytes())

    @classmethod
    def read(cls, folder: Path) -> Self:
        """Return the bundle of a package folder.

        Raises:
            BadInputError: naming the file that is unsafe, unexpected or malformed.
        """
        return cls(*read_files(folder))

    @classmethod
    def _normal(cls, files: dict[str, bytes], executable: frozenset[str]) -> Self:
        """Return the bundle of files that are normal already: a large table is not parsed again."""
        bundle = cls.__new__(cls)
        bundle._settle(files, executable)
        return bundle

    def _settle(self, normal: dict[str, bytes], executable: frozenset[str]) -> None:
        check_collisions(normal)
        unknown = sorted(executable - set(normal))
        if unknown:
            raise BadInputError(f"executable paths that the package lacks: {', '.join(unknown)}")
        files = MappingProxyType(dict(sorted(normal.items())))
        object.__setattr__(self, "files", files)
        object.__setattr__(self, "executable", executable)


def read_provenance(folder: Path) -> Provenance | None:
    """Return the provenance of a written folder, or None where it has none."""
    place = folder / PROVENANCE
    if place.is_symlink() or not place.is_file():
        return None
    return Provenance.parse(decode_json(PROVENANCE, place.read_bytes()))


def _holds(folder: Path, bundle: Bundle) -> bool:
    try:
        return Bundle.read(folder) == bundle
    except BadInputError:
        return False


def _fetch(artifacts: ArtifactStore, entry: ManifestEntry) -> bytes:
    data = artifacts.get(entry.sha256)
    if digest_bytes(data) != entry.sha256:
        raise ArtifactCorruptError(f"{entry.path}: the stored bytes do not hash to {entry.sha256}")
    return data


def _media_type(path: str) -> str:
    if path.endswith(".json"):
        return "application/json"
    return "text/markdown" if path.endswith(".md") else "application/octet-stream"
