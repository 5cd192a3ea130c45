"""The audit as a page, for a person who never saw the tool that it is about."""

from collections.abc import Iterator, Sequence

from envwright.console.report.audit_timeline import timeline
from envwright.console.report.charts import bars, figure
from envwright.console.report.document import framed
from envwright.console.report.markup import Content, Markup, joined, table, tag
from envwright.console.views.audit import CHECKS, verdict
from envwright.events.canonical import Json

View = dict[str, Json]

ROLES = {
    "planner": "reads the sources and orders packages",
    "builder": "makes a package, and repairs what is blamed",
    "tester": "runs the gates on it, in worlds of its own",
    "critic": "reads it, and sends it back or on",
    "solver": "attempts its task, and sees nothing that is hidden",
    "judge": "scores attempts, and admits or rejects",
    "operator": "a person",
    "system": "the machinery: claims, recorded effects",
}

_DIGEST = 16


def audit_document(found: View, data: str, digest: str, key: str) -> str:
    """Return the page; `data` is the signed JSON file beside it, with its SHA-256 and its key."""
    what = f"run {found['run']}" if found["run"] else "a whole home"
    sections = (
        ("about", "What this is", _about(found)),
        ("checks", "What was checked", _checks(found)),
        ("actors", "Who did what", _actors(found)),
        ("admissions", "What each admission rests on", _admissions(found)),
        ("time", "When it happened", timeline(found["timeline"])),
        ("spent", "What was spent", _spent(found)),
        ("seals", "What vouches for the record, and what does not", _seals(found)),
        ("signature", "How to check this report", _signature(data, digest, key)),
    )
    links = (tag("li", tag("a", title, href=f"#{name}")) for name, title, _ in sections)
    style = "good" if found["ok"] else "bad"
    body = tag(
        "main",
        tag("h1", f"Audit of {what}"),
        tag("p", tag("b", verdict(found), class_=style)),
        tag("ul", *_tiles(found), class_="tiles"),
        tag("nav", tag("ul", *links), aria_label="Sections"),
        *(_section(name, title, parts) for name, title, parts in sections),
    )
    return framed(f"Audit of {what}", body)


def _section(name: str, title: str, parts: Iterator[Markup]) -> Markup:
    heading = tag("h2", title, id=f"{name}-title")
    return tag("section", heading, joined(parts), id=name, aria_labelledby=f"{name}-title")


def _tiles(found: View) -> Iterator[Markup]:
    failed = sum(not check["ok"] for check in found["checks"].values())
    tiles = (
        ("sound" if found["ok"] else "failed", "verdict"),
        (f"{len(found['checks']) - failed} of {len(found['checks'])}", "checks passed"),
        (f"{found['events']}", "events"),
        (f"{found['checks']['admissions']['checked']}", "admissions"),
        (f"{found['unanchored']}", "events not anchored"),
    )
    for figure_, words in tiles:
        yield tag("li", tag("b", figure_), tag("span", words))


def _about(found: View) -> Iterator[Markup]:
    yield tag(
        "p",
        "Envwright makes training environments for AI agents out of real material. Whatever its "
        "agents do, they write down as events in a log that is only ever added to. A finished "
        "environment, called a package, is admitted into a dataset only if recorded checks, called "
        "gates, passed on exactly the revision of it that is admitted.",
    )
    yield tag(
        "p",
        "This report comes from reading that log again from its first byte, without trusting any "
        "summary that the program keeps. It answers two questions: was the log changed after it "
        "was written, and did every admitted package earn its admission?",
    )
    rows = [
        ("log", tag("code", found["log"])),
        ("run", tag("code", found["run"]) if found["run"] else "all runs of the home"),
        ("events looked at", found["events"]),
        ("last position of the log", found["head"]),
    ]
    yield tag("dl", *(joined([tag("dt", name), tag("dd", value)]) for name, value in rows))


def _checks(found: View) -> Iterator[Markup]:
    rows = [
        (
            tag("code", name, class_="name"),
            tag("b", "pass" if check["ok"] else "fail", class_="good" if check["ok"] else "bad"),
            check["checked"],
            check["failed"],
            CHECKS[name],
        )
        for name, check in found["checks"].items()
    ]
    columns = ["check", "verdict", "#looked at", "#failed", "the question"]
    yield table("Every check, with how many things it looked at", columns, rows)
    for name, check in found["checks"].items():
        if not check["ok"]:
            yield tag("h3", f"Where {name} failed", class_="bad")
            yield _failures(name, check)


def _failures(name: str, check: View) -> Markup:
    listed = [
        (tag("code", each["event"]), each["position"], each["expected"], each["found"])
        for each in check["failures"]
    ]
    caption = f"{name}: {check['failed']} failures"
    if check["failed"] > len(listed):
        caption += f", the first {len(listed)} of them"
    return table(caption, ["event", "#position", "expected", "found"], listed)


def _actors(found: View) -> Iterator[Markup]:
    yield tag(
        "p",
        "Six agents share the work, and no two of them the same craft: who builds a package "
        "neither tests, reviews, attempts nor judges it. Which kinds of event each may write is "
        "fixed, and was checked for every event.",
    )
    rows = [
        (
            each["role"],
            ROLES.get(each["role"], "unknown to this tool"),
            each["events"],
            joined(
                (f"{kind} × {count}" for kind, count in each["types"].items()), Markup(", <br>")
            ),
            each["instances"],
        )
        for each in found["actors"]
    ]
    columns = ["who", "what for", "#events", "what was written", "#processes"]
    yield table("Writers of events", columns, rows)


def _admissions(found: View) -> Iterator[Markup]:
    told = found["admissions"]
    if not told:
        yield tag("p", "Nothing was admitted.")
        return
    yield tag(
        "p",
        "Each admitted package with the recorded events that it rests on. All of them come "
        "before the admission in the log, and speak of the same revision.",
    )
    for each in told:
        words = f"{each['number']}. {each['package']}"
        state = tag("b", "earned" if each["sound"] else "not earned", class_=_style(each["sound"]))
        yield tag(
            "details",
            tag("summary", joined([tag("code", words), " ", state])),
            *_admission(each),
            open="open" if len(told) <= 3 or not each["sound"] else None,
        )
    if found["admissions_not_listed"]:
        yield tag("p", f"{found['admissions_not_listed']} more were checked and are not listed.")


def _admission(each: View) -> Iterator[Markup]:
    facts = [("revision", tag("code", each["revision"])), ("admitted in", _place(each))]
    if each["inherited_from"]:
        facts.append(("taken over from", tag("code", each["inherited_from"])))
    if "made" in each:
        facts.append(("built in", joined([_place(each["made"]), f", {each['repairs']} repairs"])))
        facts.append(("gate set", tag("code", str(each["gate_set_digest"])[:_DIGEST])))
    yield tag("dl", *(joined([tag("dt", name), tag("dd", value)]) for name, value in facts))
    if "made" not in each:
        return
    rows: list[Sequence[Content]] = [
        (f"gate {gate['gate']}", tag("span", gate["verdict"], class_="good"), *_where(gate))
        for gate in each["gates"]
    ]
    rows += [
        (name, tag("span", "pass", class_="good"), *_where(each[part]))
        for part, name in (("testing", "all gates"), ("review", "review"))
        if each[part]
    ]
    rows += [
        (f"trial of {row['policy']}", f"{row['c']} of {row['n']} attempts passed", *_where(row))
        for row in each["trials"]
    ]
    yield table("Grounds", ["what", "verdict", "#position", "event"], rows)


def _where(place: View) -> tuple[Json, Markup]:
    return place["position"], tag("code", place["event"])


def _place(place: View) -> Markup:
    return joined([tag("code", place["event"]), f" at position {place['position']}"])


def _style(good: bool) -> str:
    return "good" if good else "bad"


def _spent(found: View) -> Iterator[Markup]:
    spent = found["spent"]
    stages = [(row["stage"], round(row["seconds"], 2)) for row in spent["stages"]]
    if stages:
        yield figure(
            bars("Working time by stage", stages, " s"),
            "As the processes that worked measured it, added up over all of them.",
        )
    rows = [
        ("pieces of work taken up", spent["claims"]),
        ("attempts at packages", spent["attempts"]),
        ("turns in them", spent["turns"]),
        ("seconds in recorded effects", f"{spent['effect_seconds']:.2f}"),
        *((f"effects of kind {kind}", count) for kind, count in spent["effects"].items()),
        ("calls of a language model", spent["model_calls"]),
    ]
    if spent["model_calls"]:
        rows += [
            ("tokens read", spent["input_tokens"]),
            ("of them from a cache", spent["cached_tokens"]),
            ("tokens written", spent["output_tokens"]),
        ]
    yield table("What went into it", ["what", "#how much"], rows)
    unknown = found["checks"]["effects"]
    if unknown["open"]:
        listed = [
            (tag("code", row["event"]), row["position"], row["kind"], row["class"])
            for row in unknown["unknown"]
        ]
        caption = (
            f"{unknown['open']} effects of unknown outcome: asked for and never recorded as done, "
            "since who had asked failed or was stopped"
        )
        yield table(caption, ["event", "#position", "kind", "class"], listed)


def _seals(found: View) -> Iterator[Markup]:
    yield tag(
        "p",
        "From time to time the program signs a checkpoint: one number that depends on every event "
        "up to a position (the root of a Merkle tree). Copies of checkpoints outside of the home "
        "are anchors. Whoever changes an event under an anchor cannot make the anchor fit again.",
    )
    used = found["anchors"]["used"]
    rows = [
        (one["number"], one["to"], tag("code", one["root"]), tag("code", one["key"]))
        for one in used[-20:]
    ]
    if rows:
        caption = f"Anchors that agree with the log, from {found['anchors']['place']}"
        if len(used) > len(rows):
            caption += f" (the last {len(rows)} of {len(used)})"
        columns = ["#checkpoint", "#up to position", "root", "signed with key"]
        yield table(caption, columns, rows)
    else:
        yield tag(
            "p", f"No anchor that agrees with the log was found in {found['anchors']['place']}."
        )
    keys = ", ".join(found["keys"]) or "none"
    whose = "the key of whoever made this report" if found["own_key"] else "named by the auditor"
    yield tag("p", f"Public keys trusted: {keys} ({whose}).")
    yield tag("h3", "What is not proved")
    yield tag("ul", *(tag("li", line) for line in _limits(found)))


def _limits(found: View) -> Iterator[str]:
    if found["unanchored"]:
        yield (
            f"{found['unanchored']} events after position {found['anchored_to']} are under no "
            "anchor. They fit together, but whoever can write the database could have changed, "
            "dropped or made up any of them without a trace."
        )
    yield (
        "The holder of the signing key can still write false events before the next checkpoint, "
        "and can sign a rewritten log. If that person can also change the anchors, nothing shows; "
        "if the anchors are where they cannot be changed, the rewritten log disagrees with them."
    )
    yield (
        "Anchors help as far as they are kept apart from the home: those in a folder of the same "
        "user on the same machine show accidents and other people's hands, not that user's own."
    )
    yield (
        "The audit shows that the record is whole and in order. That a recorded gate really gave "
        "its verdict is shown by running it again: envwright replay RUN --level execution."
    )
    yield (
        "That a claim of work ended is taken from the inbox table, which the database guards and "
        "no checkpoint covers."
    )


def _signature(data: str, digest: str, key: str) -> Iterator[Markup]:
    yield tag("p", "All that is on this page is in a signed file beside it, and more.")
    rows = [
        ("file", tag("code", data)),
        ("SHA-256", tag("code", digest)),
        ("signed with key", tag("code", key)),
    ]
    yield tag("dl", *(joined([tag("dt", name), tag("dd", value)]) for name, value in rows))
    command = f"envwright audit verify {data}.sig --key PUBLIC-KEY"
    yield tag("p", "With the public key of whoever made it, got by a way that you trust:")
    yield tag("div", command, class_="program")
