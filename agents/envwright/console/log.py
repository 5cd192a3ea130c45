"""The command `events`: the log as CloudEvents, one JSON object on a line."""

import json
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from fnmatch import fnmatchcase
from itertools import islice
from typing import Annotated

import typer

from envwright.agents import Runtime
from envwright.console.home import known_home
from envwright.console.identity import find_run
from envwright.console.options import HomeOption, JsonOption
from envwright.console.terminal import print_json
from envwright.events import FACTS, Envelope
from envwright.events.cloudevents import cloud_event
from envwright.events.errors import BadInputError

_FOLLOW_SECONDS = 0.3

RunOption = Annotated[
    str | None, typer.Option("--run", metavar="RUN", help="Events of this run only.")
]
StreamOption = Annotated[
    str | None,
    typer.Option("--stream", metavar="S", help="Events of this stream, such as package/<id>."),
]
TypeOption = Annotated[
    list[str] | None,
    typer.Option(
        "--type", metavar="T", help="Events of this type; package.* means many. May be repeated."
    ),
]
AfterOption = Annotated[
    int, typer.Option("--after", min=0, metavar="N", help="Events after this position only.")
]
LimitOption = Annotated[
    int | None, typer.Option("--limit", min=1, metavar="N", help="No more than this many events.")
]
FollowOption = Annotated[bool, typer.Option("--follow", help="Wait for more events, until Ctrl-C.")]


@dataclass(frozen=True)
class Selection:
    """Which events a person asked for."""

    run_id: str | None
    stream: str | None
    types: frozenset[str] | None

    def read(self, runtime: Runtime, after: int) -> Iterator[Envelope]:
        """Yield the selected events after a position, in position order."""
        if self.stream is None:
            yield from runtime.log.read_all(after=after, run_id=self.run_id, types=self.types)
            return
        for envelope in runtime.log.read(self.stream):
            if envelope.position > after and self._takes(envelope):
                yield envelope

    def _takes(self, envelope: Envelope) -> bool:
        return (self.run_id is None or envelope.run_id == self.run_id) and (
            self.types is None or envelope.type in self.types
        )


def events(
    run: RunOption = None,
    stream: StreamOption = None,
    types: TypeOption = None,
    after: AfterOption = 0,
    limit: LimitOption = None,
    follow: FollowOption = False,
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Print the log as CloudEvents 1.0, one JSON object on a line, in position order.

    Each line carries the fact in `data`, its stream in `subject`, and the log's own header in
    extension attributes: sequence, position, causationid, correlationid, hash and more.

    Examples:
      envwright events --run run-01997f3c5a7e --type package.admitted
      envwright events --stream package/pkg-4b1d0c2f --after 120
      envwright events --follow | jq -r '[.position, .type, .subject] | @tsv'
    """
    if follow and as_json:
        raise BadInputError("--follow never ends, so it has no one --json object; leave one out")
    chosen = _types(types or [])
    with known_home(home) as runtime:
        selection = Selection(find_run(runtime, run) if run else None, stream, chosen)
        _check_stream(runtime, stream, follow=follow)
        found = islice(_endless(runtime, selection, after, follow=follow), limit)
        if as_json:
            print_json({"events": [cloud_event(envelope) for envelope in found]})
            return
        for envelope in found:
            sys.stdout.write(json.dumps(cloud_event(envelope)) + "\n")
            if follow:
                sys.stdout.flush()


def _endless(
    runtime: Runtime, selection: Selection, after: int, *, follow: bool
) -> Iterator[Envelope]:
    while True:
        for envelope in selection.read(runtime, after):
            after = envelope.position
            yield envelope
        if not follow:
            return
        time.sleep(_FOLLOW_SECONDS)


def _types(asked: list[str]) -> frozenset[str] | None:
    if not asked:
        return None
    chosen: set[str] = set()
    for pattern in asked:
        matching = {name for name in FACTS if fnmatchcase(name, pattern)}
        if not matching:
            near = get_close_matches(pattern, sorted(FACTS), n=3) or sorted(FACTS)
            raise BadInputError(f"no event type {pattern!r}; there are {', '.join(near)}")
        chosen |= matching
    return frozenset(chosen)


def _check_stream(runtime: Runtime, stream: str | None, *, follow: bool) -> None:
    if stream is not None and not follow and runtime.log.version(stream) == 0:
        raise BadInputError(
            f"no stream {stream!r}; expected source/<digest>, run/<id>, package/<id>, "
            "attempt/<id> or work/<id>, as the subject of an event says"
        )
