"""The page of a trial."""

from collections.abc import Iterator

from rich.console import RenderableType

from envwright.agents.solver.policies import policy_label
from envwright.console.pages.layout import heading, pairs, short, table, title
from envwright.events.canonical import Json


def trial_page(view: dict[str, Json]) -> Iterator[RenderableType]:
    """Draw a trial with its attempts."""
    yield title(view["package"], policy_label(view["policy"]), f"k = {view['k']}")
    yield pairs(
        [
            ("passed", "not closed yet" if view["n"] is None else f"{view['c']} of {view['n']}"),
            ("digest", short(view["digest"])),
            ("seed", view.get("seed")),
            ("trial", view["trial"] if view["kept"] else "not kept"),
        ]
    )
    hats = view["pass_hat"]
    if hats:
        yield heading("pass^k")
        yield table([f"#pass^{size}" for size in hats], [list(hats.values())])
    if view["kept"]:
        yield heading("attempts")
        yield table(
            ["@attempt", "outcome"],
            [(attempt["attempt"], attempt["outcome"]) for attempt in view["attempts"]],
        )
