"""Identities: what an id, or the unique beginning of one, stands for in a home."""

from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from typing import Any, Literal, NamedTuple

from envwright.agents import Runtime
from envwright.events.catalog import (
    AttemptRequested,
    BriefPlanned,
    PackageDrafted,
    PackageRevised,
    TrialOpened,
)
from envwright.events.envelope import Envelope
from envwright.events.errors import BadInputError

Kind = Literal["run", "package", "attempt", "trial", "work", "stream", "event", "artifact"]

_STREAMS: tuple[Kind, ...] = ("run", "package", "attempt", "work")
_DIGEST_LENGTH = 64
_SHORTEST = 4
"""Characters that the beginning of an id needs at least."""


class Identity(NamedTuple):
    """Something that a person can ask for."""

    kind: Kind
    id: str


def find_run(runtime: Runtime, text: str) -> str:
    """Return the id of the run that `text` names or begins.

    Raises:
        BadInputError: no run, or more than one; the message names what is near.
    """
    begun = runtime.log.read_all(types=_BEGINNINGS)
    known = {envelope.run_id: Identity("run", envelope.run_id) for envelope in begun}
    return _chosen(text, known, f"run in {runtime.config.place}", "`envwright runs` lists them").id


def find_package(runtime: Runtime, text: str) -> str:
    """Return the id of the package that `text` names or begins; a revision digest names it too.

    Raises:
        BadInputError: no package, or more than one; the message names what is near.
    """
    known = {
        name: identity
        for name, identity in _named(runtime.log.read_all(types=_NAMING_TYPES))
        if identity.kind == "package"
    }
    remedy = "`envwright show RUN` lists the packages of a run"
    return _chosen(text, known, f"package in {runtime.config.place}", remedy).id


def identify(runtime: Runtime, text: str) -> Identity:
    """Return what `text` names or begins.

    Raises:
        BadInputError: nothing, or more than one; the message names what is near.
    """
    for kind in _STREAMS:
        if runtime.log.version(f"{kind}/{text}"):
            return Identity(kind, text)
    if runtime.log.get(text) is not None:
        return Identity("event", text)
    if "/" in text and runtime.log.version(text):
        return Identity("stream", text)
    known = _beginning_with(text, _named(runtime.log.read_all()))
    if _is_digest(text) and text not in known and runtime.artifacts.has(text):
        return Identity("artifact", text)
    if not known:
        known = dict(_named(runtime.log.read_all(types=_NAMING_TYPES)))
    remedy = "`envwright runs` lists the runs, `envwright show RUN` what they made"
    expected = f"run, package, attempt, event or artifact in {runtime.config.place}"
    return _chosen(text, known, expected, remedy)


def _beginning_with(text: str, named: Iterable[tuple[str, Identity]]) -> dict[str, Identity]:
    """Keep the names that begin with a text: of a long log all of them would fill the memory."""
    if len(text) < _SHORTEST:
        return {}
    return {name: identity for name, identity in named if name.startswith(text)}


def _chosen(text: str, known: dict[str, Identity], expected: str, remedy: str) -> Identity:
    if text in known:
        return known[text]
    found: dict[Identity, str] = {}
    if len(text) >= _SHORTEST:
        for name in sorted(known):
            if name.startswith(text):
                found.setdefault(known[name], name)
    if len(found) == 1:
        return next(iter(found))
    if found:
        names = ", ".join(list(found.values())[:5])
        raise BadInputError(f"{text!r} begins {len(found)} ids: {names}; type more of it")
    sensible = sorted(name for name, identity in known.items() if identity.kind != "event")
    near = get_close_matches(text, sensible, n=3)
    meant = f"; near: {', '.join(near)}" if near else ""
    raise BadInputError(f"no {expected} is called {text!r}{meant}; {remedy}")


_BEGINNINGS = ("run.requested", "run.forked")
_NAMING_TYPES = (*_BEGINNINGS, "brief.planned", "package.drafted", "package.revised")


def _named(events: Iterable[Envelope]) -> Iterator[tuple[str, Identity]]:
    """Yield every name that events give to something, with what it stands for."""
    for envelope in events:
        yield envelope.id, Identity("event", envelope.id)
        kind, _, name = envelope.stream.partition("/")
        for known in _STREAMS:
            if kind == known:
                yield name, Identity(known, name)
        for digest in artifacts_in(envelope.data):
            yield digest, Identity("artifact", digest)
        yield from _told(envelope)


def _told(envelope: Envelope) -> Iterator[tuple[str, Identity]]:
    if envelope.type == "brief.planned":
        fact = envelope.fact
        assert isinstance(fact, BriefPlanned)
        yield fact.brief.package, Identity("package", fact.brief.package)
    elif envelope.type in ("package.drafted", "package.revised"):
        made = envelope.fact
        assert isinstance(made, PackageDrafted | PackageRevised)
        yield made.revision, Identity("package", made.package)
    elif envelope.type == "trial.opened":
        opened = envelope.fact
        assert isinstance(opened, TrialOpened)
        yield opened.trial, Identity("trial", opened.trial)
    elif envelope.type == "attempt.requested":
        asked = envelope.fact
        assert isinstance(asked, AttemptRequested)
        yield asked.attempt, Identity("attempt", asked.attempt)


def artifacts_in(data: Any) -> Iterator[str]:
    """Yield the digests of all artifacts that an event's data refers to."""
    if isinstance(data, dict):
        if isinstance(data.get("digest"), str) and "media_type" in data:
            yield data["digest"]
        for value in data.values():
            yield from artifacts_in(value)
    elif isinstance(data, list):
        for value in data:
            yield from artifacts_in(value)


def _is_digest(text: str) -> bool:
    return len(text) == _DIGEST_LENGTH and set(text) <= set("0123456789abcdef")
