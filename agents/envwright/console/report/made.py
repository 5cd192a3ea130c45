"""The sections about what was made: yield, packages, attempts, time, restarts."""

from collections.abc import Iterator

from envwright.console.report.charts import bars, columns, figure, lines
from envwright.console.report.markup import Markup, joined, share, table, tag
from envwright.console.views.figures import (
    calls_histogram,
    packages_by_service,
    packages_that_join,
    packages_with_faults,
    services_histogram,
)
from envwright.events.canonical import Json

View = dict[str, Json]

_DIGEST = 16


def outcomes(view: View) -> Iterator[Markup]:
    """Tell what became of the slots, and of the gates."""
    rows = [("admitted", view["admitted"]), *view["rejected"].items()]
    left = view["planned"] - sum(count for _, count in rows)
    rows += [("not settled yet", left)] if left > 0 else []
    if view["admitted"] < view["requested"] and view["status"] == "completed":
        missing = view["requested"] - view["admitted"]
        told = f"{missing} of the {view['requested']} packages that were asked for are missing: "
        yield tag("p", told, "what the sources gave no more of is told by the reasons below.")
    yield figure(
        bars("Slots by outcome", rows),
        f"{view['planned']} slots were planned in all; 'surplus' ones were not needed.",
    )
    if view["gates"]:
        gates = [
            (tag("code", gate), found.get("pass", 0), found.get("fail", 0), found.get("error", 0))
            for gate, found in view["gates"].items()
        ]
        yield table("Gates: verdicts", ["gate", "#pass", "#fail", "#error"], gates)
    if view["repairs"]:
        yield table("Repairs asked for", ["reason", "#times"], view["repairs"].items())


def shapes(view: View) -> Iterator[Markup]:
    """Draw how long the packages are and what they touch."""
    packages = view["packages"]
    drawings = []
    calls, services = calls_histogram(packages), services_histogram(packages)
    if calls:
        drawings.append(figure(columns("Reference length", calls, "calls"), "Packages by length"))
    if services:
        chart = columns("Services touched", services, "services")
        drawings.append(figure(chart, "Packages by how many services they touch"))
    yield tag("div", *drawings, class_="pair")
    joining, told = packages_that_join(packages)
    if told:
        yield tag("p", f"{joining} of {told} packages join two or more entity types by data edges.")
    if faulty := packages_with_faults(packages):
        yield tag("p", f"In {faulty} packages a tool fails once and works again.")
    named = packages_by_service(packages)
    if named:
        chart = bars("Packages by service", list(named.items()))
        yield figure(chart, "Packages that touch each service; one may touch several")


def attempts(view: View) -> Iterator[Markup]:
    """Draw pass^k by policy."""
    hats = view["pass_hat"]
    if hats:
        yield figure(
            lines("pass^k by policy", hats),
            "The chance that k attempts of a policy all pass, averaged over the packages tried.",
        )
    sizes = sorted({int(size) for values in hats.values() for size in values})
    rows = [
        (policy, row["n"], row["c"], share(row["rate"]))
        + tuple(share(hats.get(policy, {}).get(str(size))) for size in sizes)
        for policy, row in view["pass"].items()
    ]
    names = ["policy", "#scored", "#passed", "#rate", *(f"#pass^{size}" for size in sizes)]
    yield table("Attempts by policy", names, rows)


def packages(view: View) -> Iterator[Markup]:
    """List the packages with the beginning of what each asks for."""
    yield tag("ol", *(_package(row) for row in view["packages"]), class_="packages")


def _package(row: dict[str, Json]) -> Markup:
    services = row.get("services")
    named = ", ".join(map(str, services)) if isinstance(services, list) else services
    origin = row.get("inherited_from")
    facts = [
        f"inherited from {origin}" if origin else None,
        f"{row['calls']} calls" if "calls" in row else None,
        named,
        *(row.get("tools") or []),
    ]
    return tag(
        "li",
        tag("p", row.get("instruction", "")),
        tag("div", joined([fact for fact in facts if fact], " · "), class_="soft"),
        tag(
            "div",
            tag("code", row["id"]),
            " revision ",
            tag("code", str(row["digest"])[:_DIGEST]),
            class_="soft",
        ),
    )


def stages(view: View) -> Iterator[Markup]:
    """Draw where the time went."""
    rows = view["stages"]
    yield figure(
        bars("Working time by stage", [(r["stage"], round(r["seconds"], 1)) for r in rows], " s"),
        f"Time that workers spent, summed over them; the run took {view['seconds']:.1f} s in all. "
        "Measured, and so in no digest.",
    )
    yield table(
        "Pieces of work",
        ["stage", "#pieces", "#seconds", "#longest"],
        [(r["stage"], r["works"], f"{r['seconds']:.2f}", f"{r['longest']:.2f}") for r in rows],
    )


def conduct(view: View) -> Iterator[Markup]:
    """Tell of restarts, of the settings and of the turning points."""
    found = view["restarts"]
    told = [(words, found[name]) for name, words in _RESTARTS if found.get(name)]
    if told:
        yield table("Restarts", ["what", "#times"], told)
    else:
        yield tag("p", "No work was taken over, retried or set aside.")
    rows = [(f"{row['seconds']:.1f}", row["position"], row["what"]) for row in view["timeline"]]
    timeline = table("Timeline", ["#second", "#position in the log", "what"], rows)
    yield tag("details", tag("summary", f"Timeline: {len(rows)} turning points"), timeline)
    settings = view["settings"]
    pairs = [
        joined([tag("dt", name.replace("_", " ")), tag("dd", _plain(settings[name]))])
        for name in sorted(settings)
    ]
    yield tag("details", tag("summary", "Settings"), tag("dl", *pairs))


def _plain(value: Json) -> str:
    if isinstance(value, list):
        return ", ".join(_plain(item) for item in value) or "none"
    if isinstance(value, dict):
        if set(value) <= {"name", "settings"} and not value.get("settings"):
            return str(value.get("name"))
        return ", ".join(f"{name} = {_plain(value[name])}" for name in sorted(value)) or "none"
    return "–" if value is None else str(value)


_RESTARTS = (
    ("takeovers", "takeovers of work whose holder had died"),
    ("retries", "retries after an infrastructure error"),
    ("conflicts", "conflicts, tried again"),
    ("effects_reexecuted", "effects that ran again"),
    ("parked", "deliveries set aside"),
)
