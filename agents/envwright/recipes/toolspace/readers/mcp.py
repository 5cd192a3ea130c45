"""MCP recordings: the tool calls of sessions with servers, and the tools that servers list."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import ClassVar, Final, NamedTuple

from envwright.events.canonical import Json
from envwright.recipes.toolspace.calls import Manifest, Trace
from envwright.recipes.toolspace.readers.declarations import ToolLists
from envwright.recipes.toolspace.readers.documents import Element
from envwright.recipes.toolspace.readers.episodes import UNTIMED, episode
from envwright.recipes.toolspace.readers.jsonrpc import (
    CALL,
    INITIALIZE,
    Frame,
    frames_in,
    holds_frames,
    is_request,
)
from envwright.recipes.toolspace.readers.jsontext import UnusableError, canonical
from envwright.recipes.toolspace.readers.pairing import Answered, Asked, Exchange
from envwright.recipes.toolspace.readers.results import (
    Answer,
    from_tool_result,
    is_tool_result,
    refused,
)
from envwright.recipes.toolspace.readers.skips import Skips, shown

_SERVER_INFO: Final = "io.modelcontextprotocol/serverInfo"
"""Where revisions without a handshake name the server, in a result's `_meta`."""


class _Placed(NamedTuple):
    place: str
    frame: Frame


class McpReader:
    """Collects messages by session, and gives back one trace for each time a session began."""

    format: ClassVar[str] = "mcp"

    def __init__(self, skips: Skips) -> None:
        self._skips = skips
        self._sessions: dict[str, list[_Placed]] = {}
        self._tools = ToolLists(skips)
        self._traces: list[Trace] | None = None

    @staticmethod
    def recognises(value: Json) -> bool:
        """Say whether an element holds JSON-RPC messages."""
        return holds_frames(value)

    def take(self, element: Element) -> None:
        """Keep the messages of an element."""
        for frame in frames_in(element.value):
            self._sessions.setdefault(frame.session, []).append(_Placed(element.place, frame))

    def traces(self) -> tuple[Trace, ...]:
        """Return the traces of the sessions."""
        if self._traces is None:
            self._traces = [trace for name in self._sessions for trace in self._session(name)]
        return tuple(self._traces)

    def manifests(self) -> tuple[Manifest, ...]:
        """Return the tools that the servers listed."""
        self.traces()
        return self._tools.manifests()

    def _session(self, name: str) -> Iterator[Trace]:
        frames = self._sessions[name]
        if all(placed.frame.at != UNTIMED for placed in frames):
            frames.sort(key=lambda placed: placed.frame.at)
        for number, part in enumerate(_parts(frames), start=1):
            task = f"{name} {number}" if name and number > 1 else name
            trace = _Conversation(part, self._skips, self._tools).trace(task)
            if trace.calls:
                yield trace


class _Conversation:
    """The messages of one session from its beginning to its end."""

    def __init__(self, frames: Sequence[_Placed], skips: Skips, tools: ToolLists) -> None:
        self._frames = frames
        self._tools = tools
        self._exchange = Exchange(skips)
        self._servers: dict[str, str] = {}
        self._open: dict[str, list[str]] = {}

    def trace(self, task: str) -> Trace:
        """Return its calls."""
        for placed in self._frames:
            name = _server_name(placed.frame.message.get("result"))
            if name:
                self._servers.setdefault(placed.frame.server, name)
        for turn, placed in enumerate(self._frames):
            if is_request(placed.frame.message):
                self._ask(turn, placed)
            else:
                self._answer(turn, placed)
        return episode(task, (), self._exchange.calls())

    def _ask(self, turn: int, placed: _Placed) -> None:
        message = placed.frame.message
        if message.get("id") is None:
            return
        call_id = _call_id(placed.frame)
        self._open.setdefault(call_id, []).append(message["method"])
        params = message.get("params")
        params = params if isinstance(params, dict) else {}
        if message["method"] == CALL:
            name = params.get("name")
            self._exchange.ask(
                Asked(
                    placed.place,
                    turn,
                    call_id,
                    name if isinstance(name, str) else "",
                    params.get("arguments"),
                    self._server(placed.frame),
                )
            )

    def _answer(self, turn: int, placed: _Placed) -> None:
        message = placed.frame.message
        result = message.get("result")
        tools = result.get("tools") if isinstance(result, dict) else None
        if isinstance(tools, list):
            self._tools.add(placed.place, self._server(placed.frame), tools)
        call_id = _call_id(placed.frame)
        if self._is_of_call(call_id, result):
            read = partial(_read, message)
            self._exchange.answer(Answered(placed.place, turn, call_id, "", read))

    def _is_of_call(self, call_id: str, result: Json) -> bool:
        """Say whether a response answers a call: both sides of a session count their own ids."""
        methods = self._open.get(call_id, [])
        others = [method for method in methods if method != CALL]
        whole = is_tool_result(result)
        answered = others[0] if others and not whole else CALL
        known = answered in methods
        if known:
            methods.remove(answered)
        return answered == CALL and (known or whole)

    def _server(self, frame: Frame) -> str:
        return self._servers.get(frame.server, frame.server)


def _parts(frames: Sequence[_Placed]) -> Iterator[list[_Placed]]:
    """Cut a session where one of its connections begins anew."""
    part: list[_Placed] = []
    begun: set[str] = set()
    for placed in frames:
        method = placed.frame.message.get("method")
        server = placed.frame.server
        if method == INITIALIZE and server in begun:
            yield part
            part, begun = [], set()
        if method in (INITIALIZE, CALL):
            begun.add(server)
        part.append(placed)
    yield part


def _server_name(result: Json) -> str:
    if not isinstance(result, dict):
        return ""
    meta = result.get("_meta")
    info = result.get("serverInfo") or (meta.get(_SERVER_INFO) if isinstance(meta, dict) else None)
    name = info.get("name") if isinstance(info, dict) else None
    return name if isinstance(name, str) else ""


def _call_id(frame: Frame) -> str:
    # JSON-RPC tells 1 from "1".
    return f"{frame.server} {shown(frame.message.get('id'))}".strip()


def _read(message: dict[str, Json]) -> Answer:
    error = message.get("error")
    if isinstance(error, dict):
        said = error.get("message")
        return refused(canonical(said) if isinstance(said, str) else "Error", error.get("code"))
    result = message.get("result")
    if not isinstance(result, dict) or not ("content" in result or "structuredContent" in result):
        raise UnusableError("it has neither content nor structured content")
    return from_tool_result(result)
