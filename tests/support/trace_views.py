"""The JSON of a trace as `trace ID --json` prints it, made up: for pages that only draw it."""

from typing import Any


def span(name: str, *children: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """Return a span; `about` are its attributes."""
    row: dict[str, Any] = {
        "span": f"{abs(hash(name)) % 10**16:016d}",
        "trace": "1" * 32,
        "parent": None,
        "name": name,
        "state": "ok",
        "error": "",
        "at": 0.5,
        "seconds": 0.25,
        "input_tokens": 0,
        "output_tokens": 0,
        "process": "host:1",
        "answers": None,
        "events": [],
        "links": [],
        "attributes": changes.pop("about", {}),
        "children": list(children),
    }
    return {**row, **changes}


def agent(role: str, *children: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """Return the span of an agent."""
    return span(f"invoke_agent {role}", *children, about={"gen_ai.agent.name": role}, **changes)


def call(tool: str, **changes: Any) -> dict[str, Any]:
    """Return the span of a call of a world's tool."""
    return span(f"execute_tool {tool}", about={"gen_ai.operation.name": "execute_tool"}, **changes)


def trace_view(*roots: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """Return a trace."""
    view = {
        "kind": "package",
        "id": "pkg-1",
        "run": "run-1",
        "started_at": "2024-01-01T10:00:00.000+00:00",
        "seconds": 2.0,
        "spans": 3,
        "errors": 0,
        "refused": 0,
        "killed": 0,
        "unrecorded": 0,
        "skipped_lines": 0,
        "input_tokens": 0,
        "output_tokens": 0,
        "processes": 2,
        "roots": list(roots),
    }
    return {**view, **changes}
