"""What a recipe tells of the sources: how true each tool's program is, tables, graph, files."""

from collections.abc import Iterator

from rich.console import RenderableType

from envwright.console.pages.layout import body, heading, pairs, table
from envwright.console.views.figures import program_lines
from envwright.events.canonical import Json

_FINDS = frozenset({"lookup", "find", "search", "constant", "recorded", "read"})


def mined_part(report: dict[str, Json], programs: bool = False) -> Iterator[RenderableType]:
    """Draw the recipe's part of a report, as far as there is one."""
    if report.get("recipe_report_missing"):
        yield heading("mined")
        yield body(report["recipe_report_missing"])
    if report.get("mined"):
        yield heading("mined")
        yield pairs(_figures(report))
    if report.get("fidelity"):
        yield heading("fidelity")
        columns = ["@tool", "kind", "#calls", "#exact", "#successes", "#errors", "#unpredictable"]
        names = _names(list(report["fidelity"]))
        rows = [_fidelity(names[key], row) for key, row in report["fidelity"].items()]
        yield table([*columns, "grounded", "because"], rows)
    if programs and report.get("fidelity"):
        yield heading("programs")
        for key, row in report["fidelity"].items():
            if row.get("program"):
                yield body(key)
                yield body("\n".join(f"    {line}" for line in program_lines(row["program"])))


def _figures(report: dict[str, Json]) -> Iterator[tuple[str, object]]:
    found, files, graph = report["mined"], report.get("files"), report.get("graph")
    yield "log", f"{found['calls']} calls, {found['traces']} traces, {found['tasks']} tasks"
    yield "grounded", f"{found['grounded']} of {found['tools']} tools"
    yield "tables", ", ".join(f"{n} {t['rows']}" for n, t in report.get("tables", {}).items())
    if graph:
        yield "edges", ", ".join(f"{graph['edges'][kind]} {kind}" for kind in graph["edges"])
    yield "epochs", report.get("epochs")
    if files:
        reduction = f"{100 * files['reduction']:.1f} % fewer"
        yield "files", f"{files['created']} created of {files['needed']} needed: {reduction}"
    yield "note", report.get("services_note")


def _names(keys: list[str]) -> dict[str, str]:
    """Return tools without their namespace, where that is still one name for one tool."""
    bare = [key.partition(".")[2] or key for key in keys]
    return {
        key: name if bare.count(name) == 1 else key for key, name in zip(keys, bare, strict=True)
    }


def _fidelity(name: str, row: dict[str, Json]) -> tuple[object, ...]:
    names = ("exact", "exact_success", "exact_error", "unpredictable")
    shares: list[object] = [row.get(name) for name in names]
    if row.get("compared") == 0:
        shares = [None] * len(names)
    elif row["kind"] in _FINDS:
        shares[1:] = [None] * (len(names) - 1)
    grounded = "yes" if row["grounded"] else "no"
    return (name, row["kind"], row["calls"], *shares, grounded, row.get("reason", ""))
