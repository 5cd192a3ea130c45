"""Admitted packages as folders."""

import json
from pathlib import Path

import pytest

from envwright.console.folders import check_out, write_exports, write_packages
from envwright.events.errors import BadInputError
from envwright.sandbox.packages import Bundle, read_provenance
from support.command_line import Finished, answer


def test_each_admitted_package_is_a_folder_with_its_provenance(
    finished: Finished, tmp_path: Path
) -> None:
    with finished.runtime() as runtime:
        folders = write_packages(runtime, finished.run, tmp_path)
        events = {event.id: event for event in runtime.log.read_all()}
    packages = finished.report["packages"]
    assert [folder.name for folder in folders] == [
        f"{number}-{package['id']}" for number, package in enumerate(packages, start=1)
    ]
    for folder, package in zip(folders, packages, strict=True):
        assert Bundle.read(folder).revision == package["digest"]
        provenance = read_provenance(folder)
        assert provenance is not None
        assert (provenance.run, provenance.revision) == (finished.run, package["digest"])
        told = [event.type for event in provenance.events]
        assert told[0] == "brief.planned" and told[-1] == "package.admitted"
        assert {"package.drafted", "trial.closed", "attempt.finished"} <= set(told)
        assert not [name for name in told if name.startswith(("work.", "effect."))]
        for event in provenance.events:
            recorded = events[event.id]
            assert (event.position, event.hash) == (recorded.position, recorded.hash)
            assert recorded.correlation_id == package["id"]
        assert {gate.verdict for gate in provenance.gates} == {"pass"}
        assert len(provenance.gates) == 4


def test_what_a_run_offers_besides_packages_is_written_beside_them(
    finished: Finished, tmp_path: Path
) -> None:
    exports = answer("show", finished.run, "--home", finished.home)["exports"]
    with finished.runtime() as runtime:
        (written,) = write_exports(runtime, finished.run, tmp_path)
        assert written.read_bytes() == runtime.artifacts.get(exports["subjects.json"]["digest"])
        with pytest.raises(BadInputError, match="name another folder"):
            write_exports(runtime, finished.run, tmp_path / "none")
    shown = answer("show", exports["subjects.json"]["digest"], "--home", finished.home)
    assert shown


def test_writing_again_changes_nothing(finished: Finished, tmp_path: Path) -> None:
    with finished.runtime() as runtime:
        first = write_packages(runtime, finished.run, tmp_path)
        before = {path: path.stat().st_mtime_ns for path in first[0].rglob("*.md")}
        write_packages(runtime, finished.run, tmp_path)
        assert before == {path: path.stat().st_mtime_ns for path in first[0].rglob("*.md")}


def test_a_folder_that_holds_something_else_is_refused(finished: Finished, tmp_path: Path) -> None:
    with finished.runtime() as runtime:
        folder = write_packages(runtime, finished.run, tmp_path)[0]
        (folder / "instruction.md").write_text("Do nothing.\n", encoding="utf-8")
        with pytest.raises(BadInputError, match="not empty"):
            write_packages(runtime, finished.run, tmp_path)


def test_numbers_have_as_many_digits_as_the_count(finished: Finished, tmp_path: Path) -> None:
    with finished.runtime() as runtime:
        requested = runtime.run_state(finished.run).requested
        assert requested is not None
        settings = requested.settings.model_copy(update={"count": 100})
        state = runtime.run_state(finished.run)
        state.requested = requested.model_copy(update={"settings": settings})
        names = [folder.name for folder in write_packages(runtime, finished.run, tmp_path)]
    assert [name.split("-")[0] for name in names] == ["001", "002"]


def test_a_place_that_cannot_be_made_is_refused_early(tmp_path: Path) -> None:
    (tmp_path / "file").write_text(json.dumps(1))
    for place in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(BadInputError, match="--out"):
            check_out(place)
    check_out(tmp_path / "new" / "deep")
    assert (tmp_path / "new" / "deep").is_dir()
