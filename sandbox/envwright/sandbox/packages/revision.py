"""The revision: one byte form for a package's files, its manifest and its digest."""

import unicodedata
from collections.abc import Mapping

from pydantic import Field

from envwright.events import digest_bytes
from envwright.events.values import Value
from envwright.sandbox.packages.document import canonical_json, decode_text
from envwright.sandbox.packages.paths import package_path

FILE_MODE = "100644"
EXECUTABLE_MODE = "100755"


class ManifestEntry(Value):
    """One file of a revision."""

    path: str
    mode: str = Field(pattern=r"^100(644|755)$")
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")
    size: int = Field(ge=0)


def normal_bytes(path: str, data: bytes) -> bytes:
    """Return a file's one byte form: JSON canonical, Markdown in NFC with LF, others as they are.

    Raises:
        BadInputError: the file is not UTF-8 or not JSON where it should be.
    """
    if path.endswith(".json"):
        return canonical_json(path, data)
    if path.endswith(".md"):
        text = decode_text(path, data).replace("\r\n", "\n").replace("\r", "\n")
        return unicodedata.normalize("NFC", text).encode("utf-8")
    return data


def normal_files(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return files in their one byte form.

    Raises:
        BadInputError: a path that no package has, or a malformed file.
    """
    return {package_path(path): normal_bytes(path, files[path]) for path in sorted(files)}


def manifest_of(
    files: Mapping[str, bytes], executable: frozenset[str]
) -> tuple[ManifestEntry, ...]:
    """Return the manifest of normalised files, sorted by path."""
    return tuple(
        ManifestEntry(
            path=path,
            mode=EXECUTABLE_MODE if path in executable else FILE_MODE,
            sha256=digest_bytes(files[path]),
            size=len(files[path]),
        )
        for path in sorted(files)
    )


def revision_of(manifest: tuple[ManifestEntry, ...]) -> str:
    """Return the revision digest: sha256 over the sorted lines `path mode sha256`."""
    lines = sorted(f"{entry.path} {entry.mode} {entry.sha256}\n" for entry in manifest)
    return digest_bytes("".join(lines).encode("utf-8"))
