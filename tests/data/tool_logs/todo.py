"""Sessions with a to-do list: people ask an assistant to look after their tasks."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from random import Random
from typing import Any

from servers import Answer, Call, Row

SESSIONS = 170
FIRST_DAY = date(2026, 9, 1)
LEVELS = ("low", "med", "high")

VERBS = ("Renew", "Book", "Repair", "Clean", "Order", "Return", "Paint", "Sort", "Plan", "Review")
THINGS = (
    "the passport",
    "the train tickets",
    "the bicycle",
    "the gutters",
    "new tyres",
    "the library books",
    "the fence",
    "the attic",
    "the garden party",
    "the insurance",
    "the boiler",
    "the tax papers",
    "the photo album",
    "the school forms",
    "the vaccination card",
    "the parking permit",
)
STEPS = (
    "find the papers",
    "compare prices",
    "ask Maria for help",
    "make an appointment",
    "pay the fee",
    "pick it up",
    "take a photo first",
)
REASONS = ("the shop closes early", "it blocks everything else", "the weather turns", "asked twice")


def day(rng: Random) -> str:
    """A day of the coming months."""
    return (FIRST_DAY + timedelta(days=rng.randrange(240))).isoformat()


class Session:
    """One person's session; `wanted` grows into what they asked for."""

    def __init__(self, send: Call, rng: Random) -> None:
        self.send, self.rng = send, rng
        self.calls: list[Row] = []
        self.wanted: list[str] = []
        self.tasks: dict[int, str] = {}

    def call(self, tool: str, **args: Any) -> Answer:
        """Call the server and keep what it answered."""
        answer = self.send(tool, args)
        status = "error" if answer.error_code else "ok"
        self.calls.append({"tool": tool, "args": args, "result": answer.result, "status": status})
        return answer

    def maybe(self, probability: float) -> bool:
        """Draw whether something happens."""
        return self.rng.random() < probability

    def task(self) -> int:
        """One of the person's tasks; now and then a number that nobody has."""
        return self.rng.choice(sorted(self.tasks))

    def look(self, number: int, probability: float) -> None:
        """Read a task, now and then after a slip of the pen."""
        if self.maybe(probability):
            if self.maybe(0.05):
                self.call("show_task", id=number + 90_000)
            self.call("show_task", id=number)

    def with_reason(self, args: Row) -> Row:
        """Add why, in some calls."""
        return args | {"reason": self.rng.choice(REASONS)} if self.maybe(0.3) else args

    def reprioritise(self) -> None:
        """Change how much a task matters."""
        number, level = self.task(), self.rng.choice(LEVELS)
        self.wanted.append(f"give “{self.tasks[number]}” {level} priority")
        self.look(number, 0.9)
        if self.maybe(0.12):
            self.call("reprioritise_task", id=number, priority=self.rng.choice(("urgent", "top")))
        if self.maybe(0.06):
            self.call("reprioritise_task", id=number + 90_000, priority=level)
        self.call("reprioritise_task", **self.with_reason({"id": number, "priority": level}))
        self.look(number, 0.5)

    def schedule(self) -> None:
        """Set when a task is due."""
        number, due = self.task(), day(self.rng)
        self.wanted.append(f"make “{self.tasks[number]}” due on {due}")
        self.look(number, 0.9)
        if self.maybe(0.12):
            wrong = self.rng.choice(("next Friday", "2026-02-30", "tomorrow", "1 October"))
            self.call("schedule_task", id=number, due=wrong)
        if self.maybe(0.06):
            self.call("schedule_task", id=number + 90_000, due=due)
        self.call("schedule_task", **self.with_reason({"id": number, "due": due}))
        self.look(number, 0.5)

    def complete(self) -> None:
        """Tick a task off."""
        number = self.task()
        self.wanted.append(f"tick off “{self.tasks[number]}”")
        self.look(number, 0.7)
        if self.maybe(0.06):
            self.call("complete_task", id=number + 90_000)
        self.call("complete_task", id=number)
        self.look(number, 0.4)

    def decompose(self) -> None:
        """Split a task into steps."""
        number = self.task()
        steps = self.rng.sample(STEPS, self.rng.choice((2, 3)))
        self.wanted.append(f"split “{self.tasks[number]}” into: {', '.join(steps)}")
        self.look(number, 0.8)
        if self.maybe(0.1):
            self.call("decompose_task", id=number, into=[])
        answer = self.call("decompose_task", id=number, into=steps)
        if answer.result["ok"]:
            self.tasks |= {task["id"]: task["title"] for task in answer.result["subtasks"]}
        self.look(number, 0.4)

    def add(self) -> None:
        """Add a task."""
        args: Row = {"title": f"{self.rng.choice(VERBS)} {self.rng.choice(THINGS)}"}
        if self.maybe(0.6):
            args["due"] = day(self.rng)
        if self.maybe(0.5):
            args["priority"] = self.rng.choice(LEVELS)
        self.wanted.append(f"note: {', '.join(args.values())}")
        if self.maybe(0.08):
            self.call("add_task", **args | {"title": "  "})
        new = self.call("add_task", **args).result["task"]
        self.tasks[new["id"]] = new["title"]
        self.look(new["id"], 0.4)

    def undo(self) -> None:
        """Take the last change back, and look."""
        self.schedule()
        self.wanted.append("no, undo that last one")
        self.call("undo")
        self.look(max(self.tasks), 0.7)


WISHES = (
    *(Session.reprioritise,) * 4,
    *(Session.schedule,) * 4,
    *(Session.complete,) * 3,
    Session.decompose,
    *(Session.add,) * 2,
    Session.undo,
)


def sessions(send: Call, rng: Random) -> Iterator[tuple[str, list[Row]]]:
    """Yield what each person said, and the calls; each has their own tasks on the one list."""
    for _ in range(SESSIONS):
        session = Session(send, rng)
        for _ in range(rng.choice((3, 4))):
            title = f"{rng.choice(VERBS)} {rng.choice(THINGS)}"
            extra = {"due": day(rng)} if rng.random() < 0.5 else {}
            extra |= {"priority": rng.choice(LEVELS)} if rng.random() < 0.6 else {}
            session.tasks[send("add_task", {"title": title, **extra}).result["task"]["id"]] = title
        if session.maybe(0.4):
            session.call("list_tasks")
        for wish in rng.sample(WISHES, rng.choice((3, 4))):
            wish(session)
        if session.maybe(0.15):
            session.call("list_tasks", status=rng.choice(("pending", "open")))
        if session.maybe(0.1):
            session.call("why_task", id=session.task())
        if session.maybe(0.1):
            session.call("overdue_tasks")
        yield f"My tasks, please: {'; '.join(session.wanted)}.", session.calls
        # The owner clears the list before the next person's tasks are put on it.
        for task in send("list_tasks", {}).result["tasks"]:
            send("complete_task", {"id": task["id"]})
