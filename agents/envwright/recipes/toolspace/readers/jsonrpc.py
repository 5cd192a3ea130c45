"""JSON-RPC as recorders of MCP keep it: bare messages, batches, wrappers, pairs and whole files."""

from collections.abc import Iterator
from itertools import islice
from typing import Final, NamedTuple

from envwright.events.canonical import Json
from envwright.recipes.toolspace.readers.episodes import UNTIMED, Moment, moment
from envwright.recipes.toolspace.readers.jsontext import UnusableError, parse
from envwright.recipes.toolspace.readers.results import is_tool_result

CALL: Final = "tools/call"
INITIALIZE: Final = "initialize"
_METHODS: Final = frozenset({CALL, INITIALIZE, "tools/list", "server/discover"})
"""Methods that make a message known without the mark `jsonrpc`."""

_OWN_FIELDS: Final = frozenset({"jsonrpc", "id", "method", "params", "result", "error"})
"""Fields of a message itself; all others are a recorder's."""

_SESSION_FIELDS: Final = (
    "session_id",
    "sessionId",
    "session",
    "mcp_session_id",
    "mcp-session-id",
    "connection_id",
    "connection",
    "trace_id",
    "conversation_id",
)
_SERVER_FIELDS: Final = ("server", "server_name", "serverName", "service")
_TIME_FIELDS: Final = ("timestamp", "ts", "time", "at")
_WRAPPERS: Final = (
    "message",
    "messages",
    "payload",
    "data",
    "msg",
    "body",
    "raw",
    "frame",
    "frames",
    "interactions",
    "entries",
    "events",
)
_NESTING: Final = 4
_LOOKED_AT: Final = 5


class Frame(NamedTuple):
    """A message and what its recorder says of it."""

    message: dict[str, Json]
    session: str = ""
    server: str = ""
    at: Moment = UNTIMED


def holds_frames(value: Json) -> bool:
    """Say whether an element holds messages; only the first items of lists are looked at."""
    return next(_frames(value, Frame({}), _NESTING, _LOOKED_AT), None) is not None


def frames_in(value: Json) -> Iterator[Frame]:
    """Yield the messages that an element holds."""
    return _frames(value, Frame({}), _NESTING, None)


def is_request(message: dict[str, Json]) -> bool:
    """Say whether a message asks for something, rather than answers."""
    return isinstance(message.get("method"), str)


def _frames(value: Json, outer: Frame, room: int, most: int | None) -> Iterator[Frame]:
    value = _opened(value)
    if isinstance(value, list) and room:
        for item in islice(value, most):
            yield from _frames(item, outer, room - 1, most)
    if isinstance(value, dict) and room:
        yield from _held(value, outer, room, most)


def _held(value: dict[str, Json], outer: Frame, room: int, most: int | None) -> Iterator[Frame]:
    frame = outer if value.keys() <= _OWN_FIELDS else _within(value, outer)
    if _is_message(value):
        yield frame._replace(message=value)
    elif isinstance(value.get("request"), dict) and isinstance(value.get("response"), dict):
        yield from _pair(value["request"], value["response"], frame)
    else:
        for name in _WRAPPERS:
            if name in value:
                yield from _frames(value[name], frame, room - 1, most)


def _opened(value: Json) -> Json:
    if not isinstance(value, str) or value.lstrip()[:1] not in ("{", "["):
        return value
    try:
        return parse(value)
    except UnusableError:
        return None


def _is_message(value: dict[str, Json]) -> bool:
    if "jsonrpc" in value:
        return any(name in value for name in ("method", "result", "error"))
    method = value.get("method")
    if isinstance(method, str):
        return method in _METHODS and ("params" in value or "id" in value)
    result = value.get("result")
    if "id" not in value or not isinstance(result, dict):
        return False
    return is_tool_result(result) or isinstance(result.get("serverInfo"), dict)


def _pair(request: dict[str, Json], response: dict[str, Json], frame: Frame) -> Iterator[Frame]:
    # A recorder that pairs them may leave out what joins them, and the response's own envelope.
    if not (_is_message(request) and is_request(request)):
        return
    if not any(name in response for name in ("result", "error")):
        response = {"result": response}
    joint = request.get("id", response.get("id", f"{frame.at}"))
    yield frame._replace(message={**request, "id": joint})
    yield frame._replace(message={**response, "id": joint})


def _within(value: dict[str, Json], outer: Frame) -> Frame:
    session = _text(value, _SESSION_FIELDS) or outer.session
    server = _text(value, _SERVER_FIELDS) or outer.server
    at = next((moment(value[name]) for name in _TIME_FIELDS if name in value), outer.at)
    return Frame({}, session, server, at)


def _text(value: dict[str, Json], names: tuple[str, ...]) -> str:
    for name in names:
        found = value.get(name)
        if isinstance(found, dict):
            found = found.get("name", found.get("id"))
        if isinstance(found, str | int) and not isinstance(found, bool):
            return str(found)
    return ""
