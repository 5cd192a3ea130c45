"""The report's file: checked before a run begins, written when there is something to tell."""

from pathlib import Path

from envwright.console.report.document import report_document
from envwright.console.terminal import notice
from envwright.events.canonical import Json
from envwright.events.errors import BadInputError


def check_report(path: Path) -> None:
    """Refuse a place where no file can be written.

    Raises:
        BadInputError: it is a folder, or in one that does not exist.
    """
    if path.is_dir() or not path.parent.is_dir():
        what = "is a folder" if path.is_dir() else f"needs the folder {path.parent}"
        raise BadInputError(f"the report cannot be written: {path} {what}; name another file")


def write_report(path: Path, view: dict[str, Json]) -> None:
    """Write the report of a run as one HTML page.

    Raises:
        BadInputError: it cannot be written there.
    """
    write_page(path, report_document(view), "report")


def write_page(path: Path, page: str, what: str) -> None:
    """Write an HTML page and say so.

    Raises:
        BadInputError: it cannot be written there.
    """
    check_report(path)
    try:
        path.write_text(page, encoding="utf-8")
    except OSError as error:
        raise BadInputError(f"cannot write {path}: {error.strerror}; name another file") from error
    notice(f"{what} written to {path}")
