"""The page of an attempt."""

from collections.abc import Iterator

from rich.console import RenderableType

from envwright.agents.solver.policies import policy_label
from envwright.console.pages.layout import compact, heading, pairs, short, table, title
from envwright.events.canonical import Json

_VALUE_LIMIT = 400


def attempt_page(view: dict[str, Json]) -> Iterator[RenderableType]:
    """Draw an attempt turn by turn, and how it was judged."""
    verdict = view["verdict"]
    yield title(
        view["attempt"],
        policy_label(view["policy"]["name"]),
        f"attempt {view['index'] + 1} of its trial",
    )
    yield pairs(
        [
            ("status", view["status"]),
            ("verdict", verdict["outcome"] if verdict else ""),
            ("package", view["package"]),
            ("digest", short(view["revision"])),
            ("trial", f"{view['trial']}{'' if view['gating'] else ', outside admission'}"),
            ("seed", view["seed"]),
            ("ended by", view.get("outcome", "").replace("_", " ")),
            ("answer", compact(view.get("answer", ""), _VALUE_LIMIT)),
        ]
    )
    if view["turns"]:
        yield heading("turns")
        yield table(["#", "call", "arguments", "gave back"], list(_calls(view)))
    if verdict:
        yield heading("reward")
        yield table(
            ["assertion", "#value", "found"],
            [
                (part["name"], part["value"], compact(part["evidence"], _VALUE_LIMIT))
                for part in verdict["components"]
            ],
        )


def _calls(view: dict[str, Json]) -> Iterator[tuple[object, ...]]:
    for turn in view["turns"]:
        if turn["thought"]:
            yield turn["index"], "thought", "", compact(turn["thought"], _VALUE_LIMIT)
        for call, seen in zip(turn["calls"], turn["observations"], strict=True):
            found = compact(seen["value"], _VALUE_LIMIT)
            yield turn["index"], call["name"], compact(call["arguments"], _VALUE_LIMIT), found
