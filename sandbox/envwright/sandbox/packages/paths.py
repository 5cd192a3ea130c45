"""Package paths: which file names a package may have, and how unsafe ones are refused."""

import unicodedata
from collections.abc import Iterable

from envwright.events.errors import BadInputError

TOP_FILES = ("package.json", "instruction.md", "blueprint.json")
"""Files at the top of every package."""

TOP_FOLDERS = ("environment", "files", "solution", "tests")
"""Folders of a package; `files` holds what a solver may read."""

PROVENANCE = "provenance.json"
"""Stands in a written folder beside the content, outside the revision digest."""


def safe_path(path: str) -> str:
    """Return `path` if it is a plain relative path with `/`, in NFC.

    Raises:
        BadInputError: absolute, with `.` or `..` or an empty part, a backslash, a colon, a
            control character such as NUL, or not in NFC.
    """
    parts = path.split("/")
    reason = ""
    if path.startswith("/"):
        reason = "it is absolute"
    elif any(part in ("", ".", "..") for part in parts):
        reason = "it has an empty part, `.` or `..`"
    elif "\\" in path or ":" in path:
        reason = "it has a backslash or a colon"
    elif any(unicodedata.category(character) in ("Cc", "Cs") for character in path):
        reason = "it has a control character or a lone surrogate"
    elif unicodedata.normalize("NFC", path) != path:
        reason = "it is not in Unicode normal form C"
    if reason:
        raise BadInputError(f"unsafe path {path!r}: {reason}; use a relative path with `/`")
    return path


def package_path(path: str) -> str:
    """Return `path` if a package may have a file there.

    Raises:
        BadInputError: the path is unsafe, or the format gives that place no meaning.
    """
    top, _, rest = safe_path(path).partition("/")
    if path in TOP_FILES or (top in TOP_FOLDERS and rest):
        return path
    raise BadInputError(
        f"unexpected file {path!r} in a package; expected {', '.join(TOP_FILES)} or a file in "
        f"{', '.join(f'{folder}/' for folder in TOP_FOLDERS)}: move or remove it"
    )


def check_collisions(paths: Iterable[str]) -> None:
    """Refuse paths that cannot stand side by side in one folder on every file system.

    Raises:
        BadInputError: two paths differ in case alone, or a file is also the folder of another.
    """
    seen: dict[str, str] = {}
    for path in sorted(paths):
        folded = path.casefold()
        if folded in seen:
            raise BadInputError(f"{path!r} and {seen[folded]!r} differ in case alone; rename one")
        seen[folded] = path
    for path in seen.values():
        parts = path.casefold().split("/")
        for length in range(1, len(parts)):
            parent = seen.get("/".join(parts[:length]))
            if parent is not None:
                raise BadInputError(f"{parent!r} is a file and the folder of {path!r}; rename one")
