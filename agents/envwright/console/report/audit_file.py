"""The audit's files: one page for people, the same as JSON, and its signature beside it."""

import json
from hashlib import sha256
from pathlib import Path

from envwright.agents.bootstrap import sign_report
from envwright.console.report.audit_document import audit_document
from envwright.events.canonical import Json
from envwright.events.errors import BadInputError


def files_of(page: Path) -> tuple[Path, Path, Path]:
    """Return the page, the JSON and the signature that belong together."""
    data = page.with_suffix(".json")
    return page, data, data.with_name(f"{data.name}.sig")


def check_place(page: Path) -> None:
    """Refuse a place where the files cannot be written.

    Raises:
        BadInputError: it is a folder, in one that does not exist, or named as the JSON is.
    """
    if page.is_dir() or not page.parent.is_dir():
        what = "is a folder" if page.is_dir() else f"needs the folder {page.parent}"
        raise BadInputError(f"the report cannot be written: {page} {what}; name another file")
    if page.suffix == ".json":
        raise BadInputError(f"{page} is for the page; name it .html, the JSON is written beside it")


def write_audit(page: Path, found: dict[str, Json]) -> tuple[Path, Path, Path]:
    """Write the report as page and as JSON, and sign the JSON with the user's key.

    Raises:
        BadInputError: they cannot be written there.
        InfrastructureError: the key cannot be used.
    """
    files = files_of(page)
    data = (json.dumps(found, indent=2) + "\n").encode("ascii")
    digest = sha256(data).hexdigest()
    signature = sign_report(files[1].name, digest)
    content = (
        audit_document(found, files[1].name, digest, str(signature["key"])).encode("utf-8"),
        data,
        (json.dumps(signature, indent=2) + "\n").encode("ascii"),
    )
    try:
        for path, text in zip(files, content, strict=True):
            path.write_bytes(text)
    except OSError as error:
        raise BadInputError(f"cannot write {page}: {error.strerror}; name another file") from error
    return files
