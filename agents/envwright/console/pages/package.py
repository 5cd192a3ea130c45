"""The page of a package."""

from collections.abc import Iterator

from rich.console import RenderableType

from envwright.agents.solver.policies import policy_label
from envwright.console.pages.layout import body, compact, heading, pairs, short, table, title
from envwright.events.canonical import Json

_VALUE_LIMIT = 60
_DESCRIPTION_LIMIT = 70


def package_page(view: dict[str, Json]) -> Iterator[RenderableType]:
    """Draw a package: what a solver sees, what it does not see, and how it was proved."""
    yield title(view["package"], view["recipe"], f"round {view['round']}, slot {view['ordinal']}")
    yield pairs(
        [
            ("status", view["status"]),
            ("number", view.get("number")),
            ("reason", view.get("reason")),
            ("run", view["run"]),
            ("revision", view["revision"]),
            ("digest", view["digest"]),
        ]
    )
    if view["digest"]:
        yield from content_page(view)
    yield from _gates(view)
    yield from _trials(view)
    yield from _revisions(view)
    yield from _lineage(view)


def content_page(view: dict[str, Json]) -> Iterator[RenderableType]:
    """Draw the content of a revision."""
    yield heading("instruction")
    yield body(view["instruction"].rstrip())
    yield heading(f"tools of the {view['world']} world")
    yield table(
        ["tool", "arguments", "description"],
        [
            (tool["name"], _arguments(tool), compact(tool["description"], _DESCRIPTION_LIMIT))
            for tool in view["tools"]
        ],
    )
    yield heading("facts")
    yield table(
        ["fact", "value", "seen in", "location"],
        [
            (
                fact["id"],
                compact(fact["value"], _VALUE_LIMIT),
                fact["visibility"],
                fact["location"].removeprefix("environment/"),
            )
            for fact in view["facts"]
        ],
    )
    if view["criteria"]:
        yield heading("criteria")
        yield table(
            ["criterion", "checked by", "words of the instruction"],
            [(item["id"], item["kind"], compact(item["quote"])) for item in view["criteria"]],
        )
    yield heading("reference solution, hidden from solvers")
    yield table(
        ["#", "call", "arguments"],
        [
            (number, call["name"], compact(call["arguments"]))
            for number, call in enumerate(view["solution"]["calls"], start=1)
        ],
    )
    yield pairs([("answer", view["solution"]["answer"])])
    yield heading("verifier, hidden from solvers")
    yield from _assertions(view["assertions"])


def _arguments(tool: dict[str, Json]) -> str:
    required = tool["parameters"].get("required", [])
    names = tool["parameters"].get("properties", {})
    return ", ".join(name if name in required else f"[{name}]" for name in names)


def _assertions(assertions: dict[str, Json]) -> Iterator[RenderableType]:
    rows: list[tuple[str, str, str]] = []
    for item in assertions["state"]:
        place = "/".join(str(part) for part in item["path"])
        expected = compact(item.get("expected"), _VALUE_LIMIT)
        rows.append(("state", place, f"{item['op']} {expected}"))
    for item in assertions["frames"]:
        place = "/".join(str(part) for part in item["path"])
        spared = len(item["except"])
        rows.append(("frame", place, f"unchanged but for {spared}" if spared else "unchanged"))
    for item in assertions["answer"]:
        rows.append(("answer", "", f"{item['op']} {compact(item['expected'], _VALUE_LIMIT)}"))
    yield table(["about", "place", "must be"], rows)


def _gates(view: dict[str, Json]) -> Iterator[RenderableType]:
    if not view["gates"]:
        return
    yield heading("gates")
    yield table(
        ["#revision", "gate", "verdict", "reason", "detail", "@evidence"],
        [
            (
                gate["revision"],
                gate["gate"],
                gate["verdict"],
                gate["reason"],
                compact(gate["detail"], _VALUE_LIMIT),
                short(gate["evidence"]),
            )
            for gate in view["gates"]
        ],
    )
    for review in view["reviews"]:
        reasons = f" ({', '.join(review['reasons'])})" if review["reasons"] else ""
        yield pairs([("review", f"{review['outcome']}{reasons}")])


def _trials(view: dict[str, Json]) -> Iterator[RenderableType]:
    if not view["trials"]:
        return
    sizes = sorted({size for trial in view["trials"] for size in trial["pass_hat"]}, key=int)
    yield heading("trials")
    yield table(
        ["policy", "for", "#k", "#scored", "#passed", *(f"#pass^{size}" for size in sizes)],
        [
            (
                policy_label(trial["policy"]),
                "admission" if trial["gating"] else "solve",
                trial["k"],
                trial["n"],
                trial["c"],
                *(trial["pass_hat"].get(size) for size in sizes),
            )
            for trial in view["trials"]
        ],
    )
    yield heading("attempts")
    yield table(
        ["@attempt", "policy", "outcome"],
        [
            (attempt["attempt"], policy_label(trial["policy"]), attempt["outcome"])
            for trial in view["trials"]
            for attempt in trial["attempts"]
        ],
    )


def _revisions(view: dict[str, Json]) -> Iterator[RenderableType]:
    if len(view["revisions"]) < 2:
        return
    yield heading("revisions")
    yield table(
        ["#revision", "@digest", "made anew", "because of", "#position"],
        [
            (
                row["revision"],
                short(row["digest"]),
                row["artifact"] or "everything",
                row["reason"] or "the brief",
                row["position"],
            )
            for row in view["revisions"]
        ],
    )


def _lineage(view: dict[str, Json]) -> Iterator[RenderableType]:
    lineage = view["lineage"]
    yield heading("lineage")
    rows: list[tuple[str, object]] = [
        ("source", f"{source['name']}  {short(source['digest'])}") for source in lineage["sources"]
    ]
    rows += [
        ("run", f"{lineage['run']}, seed {lineage['seed']}"),
        ("brief", f"position {lineage['brief_position']}"),
        ("plan", compact(lineage["plan"], 200) if lineage["plan"] else ""),
        ("inherited by", ", ".join(lineage["inherited_by"])),
    ]
    if lineage["events"]:
        span = f"positions {lineage['first_position']} to {lineage['last_position']}"
        rows.append(("events", f"{lineage['events']}, {span}"))
    yield pairs(rows)
