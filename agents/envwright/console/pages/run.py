"""The pages of a run: the report at the end of `synth`, and the longer one of `show`."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from rich.console import RenderableType

from envwright.agents.solver.policies import policy_label
from envwright.console.pages.dead import parked_part
from envwright.console.pages.layout import (
    bars,
    commands,
    compact,
    heading,
    pairs,
    short,
    table,
    title,
)
from envwright.console.pages.mined import mined_part
from envwright.console.views.figures import calls_histogram, services_histogram
from envwright.events.canonical import Json
from envwright.sandbox.gates import gate_registry

_SKIPS_SHOWN = 20


def report_page(
    report: dict[str, Json], *, at: str, written: Sequence[Path] = ()
) -> Iterator[RenderableType]:
    """Draw the report of a run and the commands that may come next, each ending in `at`."""
    yield from _summary(report)
    yield from _sources(report)
    yield from mined_part(report)
    yield from _yield(report)
    yield from _packages(report)
    yield from _passes(report)
    yield from _stages(report)
    yield from _restarts(report)
    yield heading("next")
    yield commands(_next(report, at, written))


def run_page(view: dict[str, Json]) -> Iterator[RenderableType]:
    """Draw everything that a person may want to know of a run."""
    yield from _summary(view)
    settings = view["settings"]
    yield pairs(
        [
            ("panel", ", ".join(policy_label(policy["name"]) for policy in settings["panel"])),
            ("attempts", f"k = {settings['attempts']}, {settings['max_turns']} turns at most"),
            ("repairs", f"{settings['max_repairs']} at most"),
            ("rounds", f"{settings['max_rounds']} at most"),
            ("options", compact(settings["options"]) if settings["options"] else ""),
            ("new against", ", ".join(view["novel_against"])),
        ]
    )
    yield from _sources(view)
    if view["skips"]:
        yield heading("skipped parts of the sources")
        yield table(
            ["place", "reason"],
            [(skip["place"], skip["reason"]) for skip in view["skips"][:_SKIPS_SHOWN]],
        )
    yield from mined_part(view, programs=True)
    yield from _yield(view)
    yield from _gates(view)
    yield from _passes(view)
    yield from _packages(view)
    yield from _lengths(view)
    yield from _stages(view)
    yield from _restarts(view)
    yield from parked_part(view["dead"])
    yield heading("timeline")
    yield table(
        ["#seconds", "#position", "what"],
        [(f"{row['seconds']:.1f}", row["position"], row["what"]) for row in view["timeline"]],
    )


def _summary(report: dict[str, Json]) -> Iterator[RenderableType]:
    yield title(report["run"], report["recipe"], f"seed {report['seed']}")
    yield pairs(
        [
            ("status", report["status"]),
            ("admitted", f"{report['admitted']} of {report['requested']}"),
            ("planned", f"{report['planned']} briefs, {report['attempts']} attempts"),
            ("took", f"{report['seconds']:.1f} s, {report['events']} events"),
            *_fork(report.get("fork")),
        ]
    )


def _fork(fork: Json) -> Iterator[tuple[str, str]]:
    """Say where a forked run comes from and what it took over."""
    if fork:
        yield "forked from", f"{fork['origin']} at position {fork['at']}"
        yield "set", ", ".join(f"{name} = {compact(v)}" for name, v in fork["set"].items())
        yield (
            "inherited",
            f"{fork['inherited']} slots ({fork['inherited_admitted']} admitted), "
            f"{fork['rerun']} done anew, {fork['fresh']} others",
        )


def _sources(report: dict[str, Json]) -> Iterator[RenderableType]:
    if report["sources"]:
        yield heading("sources")
        yield table(
            ["name", "format", "#records", "#calls", "#skipped"],
            [
                (row["name"], row["format"], row["records"], row["calls"], row["skipped"])
                for row in report["sources"]
            ],
        )


def _yield(report: dict[str, Json]) -> Iterator[RenderableType]:
    examples = {row["reason"]: row["package"] for row in reversed(report.get("slots", []))}
    rows: list[tuple[object, ...]] = [("admitted", report["admitted"], "")]
    for reason, number in report["rejected"].items():
        rows.append((reason, number, examples.get(reason, "")))
    open_slots = report["planned"] - report["admitted"] - sum(report["rejected"].values())
    if open_slots:
        rows.append(("not settled yet", open_slots, ""))
    yield heading("yield")
    yield table(["outcome", "#slots", "such as" if examples else ""], rows)


def _gates(view: dict[str, Json]) -> Iterator[RenderableType]:
    if view["gates"]:
        yield heading("gates")
        yield table(
            ["gate", "#pass", "#fail"],
            [
                (gate, view["gates"][gate].get("pass", 0), view["gates"][gate].get("fail", 0))
                for gate in _cheapest_first(view["gates"])
            ],
        )
    if view["repairs"]:
        yield heading("repairs")
        yield table(["reason", "#asked for"], list(view["repairs"].items()))


def _cheapest_first(gates: dict[str, Json]) -> list[str]:
    order = list(gate_registry())
    return sorted(gates, key=lambda gate: order.index(gate) if gate in order else len(order))


def _packages(report: dict[str, Json]) -> Iterator[RenderableType]:
    if report["packages"]:
        yield heading("packages")
        yield table(
            ["#", "@id", "@digest", "services", "#calls", "@inherited from"],
            [
                (
                    number,
                    row["id"],
                    short(row["digest"]),
                    _services(row.get("services")),
                    row.get("calls"),
                    row.get("inherited_from") or "",
                )
                for number, row in enumerate(report["packages"], start=1)
            ],
        )


def _lengths(view: dict[str, Json]) -> Iterator[RenderableType]:
    """Draw how long the packages are and how many services they touch."""
    for words, counts in (
        ("reference calls", calls_histogram(view["packages"])),
        ("services touched", services_histogram(view["packages"])),
    ):
        if counts:
            yield heading(f"packages by {words}")
            yield bars([(str(number), count) for number, count in counts.items()])


def _stages(report: dict[str, Json]) -> Iterator[RenderableType]:
    if report["stages"]:
        yield heading("working time by stage")
        yield bars([(row["stage"], round(row["seconds"], 1)) for row in report["stages"]], " s")


def _services(services: Json) -> str:
    return ", ".join(str(name) for name in services) if isinstance(services, list) else services


def _passes(report: dict[str, Json]) -> Iterator[RenderableType]:
    if not report["pass"]:
        return
    hats = report.get("pass_hat", {})
    sizes = list(next(iter(hats.values()), {}))
    yield heading("attempts")
    yield table(
        ["policy", "#scored", "#passed", "#rate", *(f"#pass^{size}" for size in sizes)],
        [
            (policy_label(policy), row["n"], row["c"], row["rate"])
            + tuple(hats.get(policy, {}).get(size) for size in sizes)
            for policy, row in report["pass"].items()
        ],
    )


def _restarts(report: dict[str, Json]) -> Iterator[RenderableType]:
    found = report["restarts"]
    told = [(word, found[name]) for name, word in _RESTARTS if found[name]]
    if told:
        yield heading("restarts")
        yield pairs(told)


_RESTARTS = (
    ("takeovers", "takeovers"),
    ("retries", "retries"),
    ("conflicts", "conflicts"),
    ("effects_reexecuted", "effects run again"),
    ("parked", "deliveries parked"),
)


def _next(report: dict[str, Json], at: str, written: Sequence[Path]) -> Iterator[tuple[str, str]]:
    run = report["run"]
    if report["status"] not in ("completed", "failed"):
        yield "go on", f"envwright resume {run}{at}"
    if written:
        yield "packages", f"package folders in {written[0].parent}/: {len(written)}"
    elif report["packages"]:
        yield "write them", f"envwright resume {run} --out packages{at}"
    if report["packages"]:
        package = report["packages"][0]["id"]
        yield "look at one", f"envwright show {package}{at}"
        yield "attempt one", f"envwright solve {package} --policy searcher -k 4{at}"
        yield "prove it all", f"envwright replay {run} --level execution{at}"
    yield "the whole run", f"envwright show {run}{at}"
