"""Checks package folders without the product: it imports `envwright.sandbox.worlds` alone.

`python independent_check.py FOLDER…` evaluates the assertions itself and prints, for each folder:
reference 1, no-op 0, prefixes 0, mutants 0, and whether two runs give equal digests.
"""

import hashlib
import json
import sys
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from envwright.events.values import ToolSchema
from envwright.sandbox.worlds import World, open_world

_NOTHING = object()


def canonical(value: Any) -> Any:
    """Numbers by value, text in NFC: written again here, on purpose."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, str):
        return unicodedata.normalize("NFC", value)
    if isinstance(value, list):
        return [canonical(item) for item in value]
    if isinstance(value, dict):
        return {canonical(key): canonical(item) for key, item in value.items()}
    return value


def text_of(value: Any) -> str:
    return json.dumps(canonical(value), sort_keys=True, separators=(",", ":"))


def at(value: Any, path: list[Any]) -> Any:
    for step in path:
        inside = isinstance(value, dict) and step in value
        inside = inside or (isinstance(value, list) and isinstance(step, int) and step < len(value))
        if not inside:
            return _NOTHING
        value = value[step]
    return value


def remove(value: Any, path: list[Any]) -> None:
    parent = at(value, path[:-1])
    if isinstance(parent, dict):
        parent.pop(path[-1], None)
    elif isinstance(parent, list) and path[-1] < len(parent):
        del parent[path[-1]]


class Package:
    """A package folder as a stranger reads it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        package = json.loads((folder / "package.json").read_text("utf-8"))
        self.kind = package["world"]
        self.tools = tuple(ToolSchema(**tool) for tool in package["tools"])
        base = folder / "environment"
        self.files = {
            str(path.relative_to(base)): path.read_bytes()
            for path in sorted(base.rglob("*"))
            if path.is_file()
        }
        self.assertions = json.loads((folder / "tests" / "assertions.json").read_text("utf-8"))
        solution = json.loads((folder / "solution" / "calls.json").read_text("utf-8"))
        self.calls = [(call["name"], call["arguments"]) for call in solution["calls"]]
        self.answer = solution.get("answer", "")

    def fresh(self) -> World:
        world = open_world(self.kind, self.tools, self.files)
        world.reset(0)
        return world

    def play(self, calls: list[tuple[str, dict[str, Any]]], answer: str) -> tuple[int, str, list]:
        """Return reward, final digest and which calls wrote."""
        world = self.fresh()
        before = json.loads(text_of(world.state()))
        wrote = [bool(world.call(name, arguments).writes) for name, arguments in calls]
        after = json.loads(text_of(world.state()))
        reward = int(all(self._verdicts(before, after, answer)))
        found = world.digest()
        world.close()
        return reward, found, wrote

    def _verdicts(self, before: Any, after: Any, answer: str) -> Iterator[bool]:
        for item in self.assertions["state"]:
            found = at(after, item["path"])
            if item["op"] == "eq":
                same = found is not _NOTHING and text_of(found) == text_of(item["expected"])
                yield same
            elif item["op"] == "count_delta":
                yield len(found) - len(at(before, item["path"])) == item["expected"]
            else:
                yield (found is not _NOTHING) == (item["op"] == "exists")
        for item in self.assertions["frames"]:
            part = json.loads(text_of(at(after, item["path"])))
            for path in sorted(item["except"], key=text_of, reverse=True):
                remove(part, path)
            yield hashlib.sha256(text_of(part).encode("ascii")).hexdigest() == item["digest"]
        for item in self.assertions["answer"]:
            said = unicodedata.normalize("NFC", answer).strip()
            expected = unicodedata.normalize("NFC", item["expected"]).strip()
            yield said == expected if item["op"] == "equals" else expected in said

    def mutants(self, wrote: list[bool]) -> Iterator[list[tuple[str, dict[str, Any]]]]:
        """Yield the reference with one argument of one write changed."""
        schemas = {tool.name: tool.parameters for tool in self.tools}
        for place, (name, arguments) in enumerate(self.calls):
            if not wrote[place]:
                continue
            for argument, value in arguments.items():
                schema = schemas[name].get("properties", {}).get(argument, {})
                changed = {**arguments, argument: other(value, schema)}
                yield [*self.calls[:place], (name, changed), *self.calls[place + 1 :]]


def other(value: Any, schema: dict[str, Any]) -> Any:
    for option in schema.get("enum", []):
        if option != value:
            return option
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value + 1
    if isinstance(value, str):
        return value + "x"
    if isinstance(value, list):
        return value[:-1] if len(value) > 1 else [*value, *value]
    return {**value, "other": 1} if isinstance(value, dict) else "other"


def check(folder: Path) -> dict[str, Any]:
    """Return the five findings on one package folder."""
    package = Package(folder)
    reference, digest, wrote = package.play(package.calls, package.answer)
    _, again, _ = package.play(package.calls, package.answer)
    noop, _, _ = package.play([], "")
    prefixes = [
        package.play(package.calls[:cut], package.answer)[0]
        for cut in range(len(package.calls))
        if any(wrote[cut:])
    ]
    mutants = [package.play(calls, package.answer)[0] for calls in package.mutants(wrote)]
    return {
        "reference": reference,
        "noop": noop,
        "prefixes": sum(prefixes),
        "mutants": sum(mutants),
        "mutants_tried": len(mutants),
        "equal_digests": digest == again,
    }


def sound(found: dict[str, Any]) -> bool:
    """Say whether the findings are those of a package that holds."""
    zeros = found["noop"] == found["prefixes"] == found["mutants"] == 0
    return found["reference"] == 1 and zeros and bool(found["equal_digests"])


if __name__ == "__main__":
    results = {name: check(Path(name)) for name in sys.argv[1:]}
    print(json.dumps(results, indent=2))
    sys.exit(0 if results and all(map(sound, results.values())) else 1)
