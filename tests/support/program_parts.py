"""Short names for the JSON of programs, for tests that write many of them."""

from typing import Any

Part = dict[str, Any]

ROW: Part = {"op": "row"}
KEY: Part = {"op": "key"}
CURRENT: Part = {"op": "current"}


def const(value: Any) -> Part:
    return {"op": "const", "value": value}


def arg(*path: Any) -> Part:
    return {"op": "arg", "path": list(path)}


def field(*path: Any) -> Part:
    return {"op": "field", "path": list(path)}


def var(name: str, *path: Any) -> Part:
    return {"op": "var", "name": name, "path": list(path)}


def element(*path: Any) -> Part:
    return {"op": "element", "path": list(path)}


def of_row(table: str, key: Part, *path: Any) -> Part:
    return {"op": "of_row", "table": table, "key": key, "path": list(path)}


def after(table: str, key: Part, *path: Any) -> Part:
    return {"op": "after", "table": table, "key": key, "path": list(path)}


def entry(of: Part, key: Part, *path: Any) -> Part:
    return {"op": "entry", "of": of, "key": key, "path": list(path)}


def obj(**fields: Part) -> Part:
    return {"op": "object", "fields": fields}


def items(*parts: Part) -> Part:
    return {"op": "list", "items": list(parts)}


def text(*parts: Any) -> Part:
    written = [const(part) if isinstance(part, str) else part for part in parts]
    return {"op": "text", "items": written}


def coalesce(*options: Part) -> Part:
    return {"op": "coalesce", "options": list(options)}


def either(holds: Part, then: Part, otherwise: Part) -> Part:
    return {"op": "if", "holds": holds, "then": then, "otherwise": otherwise}


def loop(op: str, of: Part, named: str | None = None, **parts: Any) -> Part:
    return {"op": op, "of": of, "named": named, **parts}


def over(op: str, of: Part, **parts: Any) -> Part:
    return {"op": op, "of": of, **parts}


def zipped(**lists: Part) -> Part:
    return {"op": "zip", "lists": lists}


def compare(left: Part, sign: str, right: Part) -> Part:
    return {"op": "compare", "left": left, "sign": sign, "right": right}


def exists(of: Part) -> Part:
    return {"op": "exists", "of": of}


def both(*terms: Part) -> Part:
    return {"op": "and", "terms": list(terms)}


def neither(of: Part) -> Part:
    return {"op": "not", "of": of}


def minus(left: Part, right: Part) -> Part:
    return {"op": "minus", "left": left, "right": right}


def let(name: str, value: Part) -> Part:
    return {"op": "let", "name": name, "value": value}


def require(holds: Part, error: Any, of: Part | None = None, named: str | None = None) -> Part:
    return {"op": "require", "of": of, "named": named, "holds": holds, "error": error}


def effect(op: str, table: str, key: Part, *path: Any, **parts: Any) -> Part:
    """Return an effect in a row; an expression in the path is a computed step."""
    steps = [{"expr": step} if isinstance(step, dict) else step for step in path]
    return {"op": op, "table": table, "key": key, "path": steps, **parts}


def procedure(steps: list[Part], effects: list[Part], returns: Part) -> Part:
    return {"op": "procedure", "steps": steps, "effects": effects, "returns": returns}
