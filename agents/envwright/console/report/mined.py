"""The sections about what was mined: sources, tool graph, tables, and how true the programs are."""

from collections.abc import Iterator

from envwright.console.report.charts import figure
from envwright.console.report.graph import graph_picture
from envwright.console.report.markup import Markup, joined, share, table, tag
from envwright.console.views.figures import program_lines
from envwright.events.canonical import Json

View = dict[str, Json]

_READS = frozenset({"lookup", "find", "search", "constant", "recorded", "read"})
_STATUS = {"grounded": "yes", "insufficient_evidence": "too little evidence"}


def sources(view: View) -> Iterator[Markup]:
    """Tell what was read and what was skipped, with its places."""
    rows = [
        (row["name"], row["format"], row["records"], row["calls"], row["skipped"])
        for row in view["sources"]
    ]
    yield table(
        "What was read", ["source", "format", "#records", "#tool calls", "#skipped parts"], rows
    )
    if view["skips"]:
        skips = [(tag("code", skip["place"]), skip["reason"]) for skip in view["skips"]]
        yield table("Skipped parts, the first of each source", ["place", "reason"], skips)
    mined = view.get("mined")
    if mined:
        epochs = view.get("epochs", 1)
        yield tag(
            "p",
            f"{mined['calls']} calls in {mined['traces']} traces of {mined['tasks']} tasks. ",
            f"{mined['grounded']} of {mined['tools']} tools are grounded. The log shows {epochs} ",
            "epoch of its world." if epochs == 1 else "epochs of its world; tables hold one.",
        )
    if view.get("cannot"):
        yield tag("p", "What the sources do not give:")
        yield tag("ul", *(tag("li", f"{limit}.") for limit in view["cannot"]))
    if view.get("services_note"):
        yield tag("p", f"Note: {view['services_note']}.", class_="soft")
    if view.get("recipe_report_missing"):
        yield tag("p", view["recipe_report_missing"], class_="bad")
    files = view.get("files")
    if files:
        yield tag(
            "p",
            f"Backing files: {files['needed']} needed if every tool were materialised, "
            f"{files['created']} created: a reduction of {share(files['reduction'])}.",
        )
    yield tag("p", f"Decontamination: {_told(view.get('decontamination'))}.")


def _told(value: Json) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {value[name]}" for name in sorted(value))
    return str(value or "not checked")


def graph(view: View) -> Iterator[Markup]:
    """Draw the tool graph, and list its edges."""
    found = view["graph"]
    yield figure(
        graph_picture(found),
        "Tools by service or entity type. An arrow is as thick as its weight; ↻ counts the traces "
        "that retried a tool; a hollow dot is a tool that is not grounded.",
    )
    yield tag("ul", *(_key(*one) for one in _KEYS), class_="key")
    kept = view.get("exports", {}).get("graph.json")
    if kept:
        yield tag("p", "Kept as graph.json, artifact ", tag("code", kept["digest"]), class_="soft")
    rows = [
        (
            link["kind"],
            tag("code", link["source"]),
            tag("code", link["target"]),
            link["support"],
            f"{link['weight']:.2f}",
        )
        for link in sorted(found["links"], key=lambda link: (link["kind"], -link["weight"]))
    ]
    counts = ", ".join(f"{found['edges'][kind]} {kind}" for kind in found["edges"])
    listed = table("Edges, heaviest first", ["kind", "from", "to", "#traces", "#weight"], rows)
    yield tag("details", tag("summary", f"All edges: {counts}"), listed)


_KEYS = (
    ("data", "data: a value of one result is an argument of the next call"),
    ("state", "state: a write changes what the next call sees"),
)


def _key(kind: str, words: str) -> Markup:
    stroke = tag("line", x1=0, y1=5, x2=34, y2=5, class_=f"edge {kind}", stroke_width=3)
    return tag("li", tag("svg", stroke, viewBox="0 0 34 10", aria_hidden="true"), words)


def tables(view: View) -> Iterator[Markup]:
    """List the entity tables."""
    rows = [
        (
            name,
            tag("code", row["key"]),
            tag("code", row["read_by"]),
            row["rows"],
            row.get("recorded", 0),
            row["conflicts"],
        )
        for name, row in view["tables"].items()
    ]
    columns = ["entity type", "key", "read by", "#rows", "#seen by one task", "#conflicting keys"]
    yield table("Tables that the log's reads fill", columns, rows)


def fidelity(view: View) -> Iterator[Markup]:
    """List every tool with how exactly its program predicts, and the programs."""
    found = view["fidelity"]
    if view.get("fidelity_is"):
        yield tag("p", f"Figures are {view['fidelity_is']}.", class_="soft")
    if view.get("fidelity_threshold") is not None:
        told = f"A write is grounded from a share of {view['fidelity_threshold']:g} exact calls on."
        yield tag("p", told, class_="soft")
    for service in sorted({_service(key) for key in found}):
        own = {key: row for key, row in found.items() if _service(key) == service}
        yield table(service, _COLUMNS, [_fidelity(key, row) for key, row in own.items()])
    programs = [
        tag("div", tag("h4", tag("code", _name(key))), _program(row["program"]))
        for key, row in found.items()
        if row.get("program")
    ]
    if programs:
        yield tag("h3", "Programs")
        notation = (
            "$name is an argument, T[k] the row of table T with key k, := puts a value in place "
            "and ++ adds to a list."
        )
        yield tag("p", notation, class_="soft")
        yield tag("div", *programs, class_="programs")


_COLUMNS = (
    "tool",
    "kind",
    "#calls",
    "#exact",
    "#of successes",
    "#of errors",
    "#unpredictable",
    "grounded",
)


def _service(key: str) -> str:
    return key.partition(".")[0]


def _name(key: str) -> str:
    return key.partition(".")[2] or key


def _fidelity(key: str, row: dict[str, Json]) -> tuple[object, ...]:
    names = ("exact", "exact_success", "exact_error", "unpredictable")
    shares = [share(row.get(name)) for name in names]
    if row.get("compared") == 0:
        shares = ["–"] * len(names)
    elif row["kind"] in _READS:
        shares[1:] = ["–"] * (len(names) - 1)
    status = str(row.get("status", ""))
    verdict = _STATUS.get(status, "no" if not row["grounded"] else "yes")
    reason = row.get("reason", "")
    return (
        tag("code", _name(key), class_="name"),
        row["kind"],
        row["calls"],
        *shares,
        joined(
            [
                tag("span", verdict, class_="good" if row["grounded"] else "bad"),
                tag("div", reason, class_="soft") if reason else None,
            ]
        ),
    )


def _program(text: str) -> Markup:
    return tag("div", "\n".join(program_lines(text)), class_="program")
