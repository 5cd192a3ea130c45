"""Ids and their beginnings."""

import json

import pytest

from envwright.console.identity import Identity, artifacts_in, find_package, find_run, identify
from envwright.events.errors import BadInputError
from support.command_line import Finished


def test_whole_ids_and_unique_beginnings_name_the_same(finished: Finished) -> None:
    with finished.runtime() as runtime:
        trial = next(runtime.log.read_all(types=("trial.opened",)))
        attempt = next(runtime.log.read_all(types=("attempt.started",)))
        gate = next(runtime.log.read_all(types=("gate.evaluated",)))
        claim = next(runtime.log.read_all(types=("work.claimed",)))
        evidence = gate.data["result"]["evidence"]["digest"]
        named = [
            (finished.run, Identity("run", finished.run)),
            (finished.package, Identity("package", finished.package)),
            (finished.report["packages"][0]["digest"], Identity("package", finished.package)),
            (trial.data["trial"], Identity("trial", trial.data["trial"])),
            (attempt.data["attempt"], Identity("attempt", attempt.data["attempt"])),
            (claim.data["work"], Identity("work", claim.data["work"])),
            (evidence, Identity("artifact", evidence)),
            (gate.id, Identity("event", gate.id)),
        ]
        for name, identity in named:
            assert identify(runtime, name) == identity
            assert identify(runtime, name[:-2]) == identity


def test_a_stream_is_named_by_its_whole_name(finished: Finished) -> None:
    with finished.runtime() as runtime:
        stream = f"package/{finished.package}"
        assert identify(runtime, stream) == Identity("stream", stream)
        with pytest.raises(BadInputError, match="is called 'package/none'"):
            identify(runtime, "package/none")


def test_an_artifact_that_no_event_names_is_found_by_its_whole_digest(finished: Finished) -> None:
    with finished.runtime() as runtime:
        manifest = next(runtime.log.read_all(types=("package.drafted",))).data["bundle"]["digest"]
        files = json.loads(runtime.artifacts.get(manifest))["files"]
        digest = files[0]["sha256"]
        assert identify(runtime, digest) == Identity("artifact", digest)


def test_runs_and_packages_are_found_among_their_like_alone(finished: Finished) -> None:
    with finished.runtime() as runtime:
        assert find_run(runtime, finished.run[:8]) == finished.run
        assert find_package(runtime, finished.package[:-3]) == finished.package
        digest = finished.report["packages"][1]["digest"]
        assert find_package(runtime, digest[:12]) == finished.report["packages"][1]["id"]
        with pytest.raises(BadInputError, match="no package"):
            find_package(runtime, finished.run)
        with pytest.raises(BadInputError, match="no run"):
            find_run(runtime, finished.package)


def test_an_ambiguous_beginning_lists_what_it_begins(finished: Finished) -> None:
    with finished.runtime() as runtime, pytest.raises(BadInputError, match="begins 3 ids: pkg-"):
        find_package(runtime, "pkg-")


def test_a_mistyped_id_names_what_is_near(finished: Finished) -> None:
    mistyped = f"{finished.package[:-1]}x"
    with finished.runtime() as runtime:
        for find in (identify, find_package):
            with pytest.raises(BadInputError, match=f"near: {finished.package}"):
                find(runtime, mistyped)


def test_a_beginning_of_three_characters_is_too_short(finished: Finished) -> None:
    with finished.runtime() as runtime, pytest.raises(BadInputError, match="no run"):
        find_run(runtime, "run")


def test_artifacts_are_found_at_any_depth() -> None:
    reference = {"digest": "d", "size": 1, "media_type": "text/plain"}
    assert list(artifacts_in({"a": [{"b": reference}], "digest": "no"})) == ["d"]
