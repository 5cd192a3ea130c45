"""Folders: a run's admitted packages written out, each with its provenance beside it."""

from collections import defaultdict
from itertools import chain
from pathlib import Path

from envwright.agents import Runtime
from envwright.agents.ancestry import inherited_events
from envwright.events.catalog import (
    GateEvaluated,
    PackageAdmitted,
    PackageDrafted,
    PackageRevised,
    RunStarted,
)
from envwright.events.envelope import Envelope
from envwright.events.errors import BadInputError
from envwright.sandbox.packages import Bundle, Provenance, ProvenanceEvent


def check_out(out: Path) -> None:
    """Refuse a place for packages before a run begins, not after it.

    Raises:
        BadInputError: it is a file, or cannot be made.
    """
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInputError(
            f"cannot write packages to {str(out)!r} ({error.strerror}); name a folder with --out"
        ) from error


def write_packages(runtime: Runtime, run_id: str, out: Path) -> list[Path]:
    """Write every admitted package of a run as a folder `<number>-<package id>`.

    Folders that hold these very revisions already are left as they are.

    Raises:
        BadInputError: a folder of that name holds something else.
    """
    state = runtime.run_state(run_id)
    assert state.requested is not None
    digits = len(str(state.requested.settings.count))
    stories = _stories(runtime, run_id)
    written = []
    for admitted in state.admitted:
        folder = out / f"{admitted.number:0{digits}d}-{admitted.package}"
        story = stories[admitted.package]
        _bundle(runtime, story, admitted).write(folder, _provenance(run_id, story, admitted))
        written.append(folder)
    return written


def write_exports(runtime: Runtime, run_id: str, folder: Path) -> list[Path]:
    """Write what a run offers besides its packages, such as `graph.json`, over what is there.

    Raises:
        BadInputError: it cannot be written there.
    """
    written = []
    for envelope in runtime.log.read_all(run_id=run_id, types=("run.started",)):
        fact = envelope.fact
        assert isinstance(fact, RunStarted)
        for name, ref in sorted(fact.exports.items()):
            place = folder / name
            try:
                place.write_bytes(runtime.artifacts.get(ref.digest))
            except OSError as error:
                raise BadInputError(
                    f"cannot write {place}: {error.strerror}; name another folder"
                ) from error
            written.append(place)
    return written


def _stories(runtime: Runtime, run_id: str) -> dict[str, list[Envelope]]:
    """Return the events of each package up to its admission, without how the work was shared."""
    stories: dict[str, list[Envelope]] = defaultdict(list)
    settled: set[str] = set()
    inherited = inherited_events(runtime, runtime.run_state(run_id))
    for envelope in chain(inherited, runtime.log.read_all(run_id=run_id)):
        package = envelope.correlation_id
        if envelope.stream.startswith("work/") or package in settled:
            continue
        stories[package].append(envelope)
        if envelope.type == "package.admitted":
            settled.add(package)
    return stories


def _bundle(runtime: Runtime, story: list[Envelope], admitted: PackageAdmitted) -> Bundle:
    made = next(
        fact
        for fact in (envelope.fact for envelope in reversed(story))
        if isinstance(fact, PackageDrafted | PackageRevised) and fact.revision == admitted.revision
    )
    return Bundle.load(runtime.artifacts, made.bundle)


def _provenance(run_id: str, story: list[Envelope], admitted: PackageAdmitted) -> Provenance:
    gates = [envelope.fact for envelope in story if envelope.type == "gate.evaluated"]
    return Provenance(
        run=run_id,
        package=admitted.package,
        revision=admitted.revision,
        events=tuple(
            ProvenanceEvent(
                id=envelope.id, type=envelope.type, position=envelope.position, hash=envelope.hash
            )
            for envelope in story
        ),
        gates=tuple(
            fact.result
            for fact in gates
            if isinstance(fact, GateEvaluated) and fact.revision == admitted.revision
        ),
    )
