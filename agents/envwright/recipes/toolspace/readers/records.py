"""Call records: one object per call, grouped into traces by their trace id."""

from typing import NamedTuple

from envwright.events.canonical import Json
from envwright.recipes.toolspace.calls import Call, Trace
from envwright.recipes.toolspace.readers.documents import Element, parse_json
from envwright.recipes.toolspace.readers.results import from_record
from envwright.recipes.toolspace.readers.skips import Skips

_USER_FIELDS = ("user", "prompt")


class _Record(NamedTuple):
    order: tuple[float, str, int]
    said: str
    call: Call


def is_record(value: Json) -> bool:
    """Say whether an element is a call record."""
    return isinstance(value, dict) and "tool" in value and ("args" in value or "arguments" in value)


class RecordReader:
    """Collects call records, in whatever order they come, and gives back whole traces."""

    def __init__(self, skips: Skips) -> None:
        self._skips = skips
        self._traces: dict[str, list[_Record]] = {}

    def add(self, element: Element) -> None:
        """Take one record; what cannot be used is a counted skip."""
        value = element.value
        problem = _problem(value)
        arguments = None if problem else _arguments(value)
        if problem or arguments is None:
            self._skips.add(element.place, problem or "the arguments are no JSON object")
            return
        answer = from_record(value.get("result"), value.get("status"), value.get("error_code"))
        service = value.get("service")
        call = Call(
            value["tool"],
            arguments,
            answer.ok,
            answer.value,
            service if isinstance(service, str) else "",
            answer.transient,
        )
        records = self._traces.setdefault(str(value["trace_id"]), [])
        said = "\n".join(value[f] for f in _USER_FIELDS if isinstance(value.get(f), str))
        records.append(_Record(_order(value, len(records)), said, call))

    def traces(self) -> tuple[Trace, ...]:
        """Return the traces, each with its calls in the order of their sequence numbers."""
        result = []
        for trace_id, records in self._traces.items():
            ordered = sorted(records, key=lambda record: record.order)
            said = "\n".join(record.said for record in ordered if record.said)
            result.append(Trace(trace_id, said, tuple(record.call for record in ordered)))
        return tuple(result)


def _problem(value: dict[str, Json]) -> str:
    if not isinstance(value.get("trace_id"), str | int):
        return f"trace_id is {value.get('trace_id')!r}; expected text or a number"
    if not isinstance(value["tool"], str) or not value["tool"]:
        return f"tool is {value['tool']!r}; expected the name of a tool"
    if "result" not in value and "status" not in value and "error_code" not in value:
        return "the call has no result"
    return ""


def _arguments(value: dict[str, Json]) -> dict[str, Json] | None:
    arguments = value.get("args", value.get("arguments"))
    if isinstance(arguments, str):
        try:
            arguments = parse_json(arguments)
        except ValueError:
            return None
    if arguments is None:
        return {}
    return arguments if isinstance(arguments, dict) else None


def _order(value: dict[str, Json], arrival: int) -> tuple[float, str, int]:
    sequence = value.get("seq")
    number = sequence if isinstance(sequence, int | float) else float("inf")
    return float(number), str(value.get("ts") or ""), arrival
