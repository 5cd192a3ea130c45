"""Call records: one object per call, grouped into traces by their trace id."""

from typing import ClassVar, Final, NamedTuple

from envwright.events.canonical import Json
from envwright.recipes.toolspace.calls import Call, Manifest, Trace
from envwright.recipes.toolspace.readers.documents import Element
from envwright.recipes.toolspace.readers.episodes import (
    UNTIMED,
    Moment,
    episode,
    episode_id,
    moment,
)
from envwright.recipes.toolspace.readers.jsontext import UnusableError, canonical
from envwright.recipes.toolspace.readers.results import arguments_of, from_record
from envwright.recipes.toolspace.readers.skips import Skips, shown

_TOOL_FIELDS: Final = ("tool", "tool_name")
_ARGUMENT_FIELDS: Final = ("args", "arguments", "input")
_RESULT_FIELDS: Final = ("result", "output", "response")
_USER_FIELDS: Final = ("user", "prompt", "user_prompt")
_MOMENT_FIELDS: Final = ("seq", "ts", "timestamp")


class _Record(NamedTuple):
    place: str
    order: tuple[Moment, ...]
    said: str
    call: Call


class RecordReader:
    """Collects call records, in whatever order they come, and gives back whole traces."""

    format: ClassVar[str] = "records"

    def __init__(self, skips: Skips) -> None:
        self._skips = skips
        self._traces: dict[str, list[_Record]] = {}

    @staticmethod
    def recognises(value: Json) -> bool:
        """Say whether an element is a call record."""
        if not isinstance(value, dict):
            return False
        return any(f in value for f in _TOOL_FIELDS) and any(f in value for f in _ARGUMENT_FIELDS)

    def take(self, element: Element) -> None:
        """Take one record; what cannot be used is a counted skip."""
        value = element.value
        trace_id = episode_id(value, own=False)
        try:
            if not trace_id:
                told = shown(value.get("trace_id"))
                raise UnusableError(f"trace_id is {told}; expected text or a number")
            call = self._call(element.place, value)
        except UnusableError as error:
            self._skips.add(element.place, str(error))
            return
        said = "\n".join(value[f] for f in _USER_FIELDS if isinstance(value.get(f), str))
        order = tuple(moment(value.get(f)) for f in _MOMENT_FIELDS)
        self._traces.setdefault(trace_id, []).append(_Record(element.place, order, said, call))

    def traces(self) -> tuple[Trace, ...]:
        """Return the traces, each with its calls in the order of their sequence numbers."""
        return tuple(self._trace(trace_id, found) for trace_id, found in self._traces.items())

    def manifests(self) -> tuple[Manifest, ...]:
        """Return nothing: a record declares no tool."""
        return ()

    def _trace(self, trace_id: str, records: list[_Record]) -> Trace:
        records.sort(key=lambda record: record.order)
        said = dict.fromkeys(record.said for record in records)
        calls: list[Call] = []
        last: _Record | None = None
        for record in records:
            numbered = record.order[0] != UNTIMED
            if last and numbered and (last.order, last.call) == (record.order, record.call):
                self._skips.add(record.place, "the call is recorded twice under one number")
                continue
            calls.append(record.call)
            last = record
        return episode(trace_id, list(said), calls)

    def _call(self, place: str, value: dict[str, Json]) -> Call:
        name = _first(value, _TOOL_FIELDS)
        if not isinstance(name, str) or not name:
            raise UnusableError(f"tool is {shown(name)}; expected the name of a tool")
        if not any(f in value for f in (*_RESULT_FIELDS, "status", "error_code")):
            raise UnusableError("the call has no result")
        try:
            arguments = arguments_of(_first(value, _ARGUMENT_FIELDS))
        except UnusableError as error:
            raise UnusableError(f"arguments of {name!r:.60}: {error}") from error
        result = _first(value, _RESULT_FIELDS)
        answer = from_record(result, value.get("status"), value.get("error_code"))
        if answer.left_out:
            self._skips.add(place, answer.left_out)
        service = value.get("service")
        return Call(
            canonical(name),
            arguments,
            answer.ok,
            answer.value,
            canonical(service) if isinstance(service, str) else "",
            answer.transient,
        )


def _first(value: dict[str, Json], names: tuple[str, ...]) -> Json:
    return next((value[name] for name in names if name in value), None)
