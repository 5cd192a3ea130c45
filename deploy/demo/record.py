"""Records the demo's logs: seeded sessions against two real servers, each call as it was answered.

python deploy/demo/record.py [--service NAME] [--out DIR]
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

from scenarios import Row, Rows, Scenario, Wish, helpdesk, library
from servers import Answer, Call, manifest, mcp_server, rest_server

START = datetime(2026, 1, 5, 8, tzinfo=UTC)
USES_PER_WRITE = 17
PEOPLE = 80
MOST_CALLS = 9

Serve = Callable[[Rows], AbstractContextManager[Call]]
SERVICES: dict[str, tuple[Callable[[Random, int], Scenario], Serve, int]] = {
    "helpdesk": (helpdesk, rest_server, 11),
    "library": (library, mcp_server, 14),
}


class Session:
    """One trace: a person reaches their records by reading, and writes to what was read."""

    def __init__(self, scenario: Scenario, params: dict[str, list[str]], call: Call, rng: Random):
        self.scenario, self.params, self.send, self.rng = scenario, params, call, rng
        self.calls: list[Row] = []
        self.wanted: list[str] = []
        self.rows: dict[str, Row] = {}
        self.unused: dict[str, list[str]] = {}
        self.ahead = 0

    def call(self, tool: str, args: Row) -> Answer:
        """Call the server and keep what it answered; a busy server is asked again."""
        answer = self.send(tool, args)
        status = "error" if answer.error_code else "ok"
        body = {"tool": tool, "args": args, "result": answer.result, "status": status}
        self.calls.append(body | {"error_code": answer.error_code})
        return self.call(tool, args) if answer.error_code == "rate_limited" else answer

    def maybe(self, probability: float) -> bool:
        """Whether to make a call that is not needed; two places are kept for a busy server."""
        room = len(self.calls) + self.ahead + 2 < MOST_CALLS
        return self.rng.random() < probability and room

    def mistyped(self, value: str) -> str:
        """The id or e-mail address without one of its characters: nobody has it."""
        end = value.index("@") if "@" in value else len(value)
        return value[: end - 1] + value[end:]

    def read(self, kind: str, key: str, typo: float = 0.06) -> Row:
        """Read a row by its id, now and then after a slip."""
        tool, name = self.scenario.kinds[kind].read, self.scenario.kinds[kind].key
        if self.maybe(typo):
            self.call(tool, {name: self.mistyped(key)})
        self.rows[kind] = self.call(tool, {name: key}).result
        return self.rows[kind]

    def enter(self, owner: Row) -> str:
        """Reach the person's record, by e-mail address or from an id that they know."""
        scenario = self.scenario
        kind = scenario.kinds[scenario.owner]
        by_id = self.rng.random() < 0.3
        if by_id:
            known = owner[scenario.kinds[scenario.known].field][0]
            self.read(scenario.known, known)
            key, hello = self.rows[scenario.known][kind.field], f"My {scenario.known} is {known}."
        else:
            email, hello = owner["email"], f"I am {owner['name']}, {owner['email']}."
            if self.maybe(0.12):
                self.call(scenario.find, {"email": self.mistyped(email)})
            key = self.call(scenario.find, {"email": email}).result[kind.key]
        person = self.read(scenario.owner, key, typo=0)
        self.ahead -= 2
        if scenario.listing and self.maybe(0.2):
            self.call(scenario.listing, {kind.key: key})
        for name, child in scenario.kinds.items():
            if child.parent == scenario.owner:
                self.unused[name] = list(person[child.field])
        return hello

    def reach(self, kind: str) -> Row:
        """Read a row of the kind, following the ids from the person's record."""
        scenario = self.scenario
        if kind == scenario.owner:
            return self.rows[kind]
        parent, link = scenario.kinds[kind].parent, scenario.kinds[kind].field
        if parent != scenario.owner:
            return self.read(kind, self.reach(parent)[link])
        self.unused[kind].append(key := self.unused[kind].pop(0))
        row = self.rows.get(kind)
        return row if row and self.key(kind, row) == key else self.read(kind, key)

    def key(self, kind: str, row: Row) -> str:
        """The id in a row; json-server calls every id `id`."""
        key: str = row.get("id") or row[self.scenario.kinds[kind].key]
        return key

    def fulfil(self, wish: Wish) -> None:
        """Read what the wish is about, write, and often read again."""
        scenario, row = self.scenario, self.reach(wish.kind)
        self.ahead -= needed(scenario, wish) - 1
        for kind, child in scenario.kinds.items():
            if child.parent == wish.kind != scenario.owner != kind and self.maybe(0.3):
                self.read(kind, row[child.field])
        keys = {
            kind.key: self.key(name, self.rows[name])
            for name, kind in scenario.kinds.items()
            if name in self.rows
        }
        new = scenario.created.get(wish.tool)
        if new:
            keys[new] = next(scenario.new_ids)
        values = keys | wish.values(self.rng, row)
        args = {name: values[name] for name in self.params[wish.tool]}
        self.wanted.append(wish.words.format(**self.rows, **values))
        first = next(iter(args))
        if not new and self.maybe(0.06):
            self.call(wish.tool, args | {first: self.mistyped(args[first])})
        result = self.call(wish.tool, args).result
        self.ahead -= 1
        if not new:
            self.rows[wish.kind] = result
        if self.maybe(0.8):
            self.read(next(k for k, v in scenario.kinds.items() if v.key == first), args[first], 0)


def needed(scenario: Scenario, wish: Wish) -> int:
    """How many calls a wish needs at most: the reads on the way from the person, and the write."""
    calls, kind = 1, wish.kind
    while kind != scenario.owner:
        calls, kind = calls + 1, scenario.kinds[kind].parent
    return calls


def plans(scenario: Scenario, rng: Random) -> Iterator[list[Wish]]:
    """Deal the wishes out, two or three for each session, every write equally often."""
    deck = list(scenario.wishes) * USES_PER_WRITE
    rng.shuffle(deck)
    while deck:
        hand: list[Wish] = []
        for wish in list(deck):
            calls = sum(needed(scenario, other) for other in [*hand, wish])
            if wish not in hand and calls <= MOST_CALLS - 3:
                hand.append(wish)
                deck.remove(wish)
            if len(hand) == 3 or (len(hand) == 2 and rng.random() < 0.7):
                break
        yield hand


def record(service: str) -> Iterator[Row]:
    """Run all sessions of a service against its server."""
    make, serve, seed = SERVICES[service]
    rng = Random(seed)
    scenario = make(rng, PEOPLE)
    params = {f["name"]: list(f["parameters"]["properties"]) for f in manifest(service)}
    owners = iter(rng.sample(scenario.rows[f"{scenario.owner}s"], PEOPLE))
    with serve(scenario.rows) as call:
        for number, wishes in enumerate(plans(scenario, rng), start=1):
            session = Session(scenario, params, call, rng)
            session.ahead = 2 + sum(needed(scenario, wish) for wish in wishes)
            hello = session.enter(next(owners))
            for wish in wishes:
                session.fulfil(wish)
            yield from trace(service, number, session, hello)


def trace(service: str, number: int, session: Session, hello: str) -> Iterator[Row]:
    """Turn a session's calls into records; the first one carries the user's words."""
    for seq, call in enumerate(session.calls):
        time = START + timedelta(minutes=10 * number, seconds=7 * seq)
        head = {"trace_id": f"{service}-{number:03}", "seq": seq, "ts": time.isoformat()}
        user = {} if seq else {"user": f"{hello} Please {'; and '.join(session.wanted)}."}
        yield head | {"service": service} | call | user


def main() -> None:
    """Record one service or both."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--service", choices=SERVICES, help="record only this service")
    parser.add_argument(
        "--out", type=Path, default=Path(__file__).parent, help="folder of the logs"
    )
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    for service in [options.service] if options.service else SERVICES:
        lines = [json.dumps(row, ensure_ascii=False) + "\n" for row in record(service)]
        (options.out / f"{service}.jsonl").write_text("".join(lines), encoding="utf-8")
        print(f"{service}: {len(lines)} calls")


if __name__ == "__main__":
    main()
