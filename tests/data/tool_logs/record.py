"""Records the logs of this folder: seeded sessions against two public servers, as they answered.

python tests/data/tool_logs/record.py [--log NAME] [--out DIR]
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from random import Random

import payments
import todo
from servers import Row, payments_server, todo_server

HERE = Path(__file__).parent


def record_todo(out: Path) -> Iterator[tuple[str, list[Row]]]:
    """Yield the to-do sessions, and write down how the server declares its tools."""
    with todo_server() as (call, tools):
        text = json.dumps({"tools": tools}, ensure_ascii=False, indent=1)
        (out / "todo-tools.json").write_text(text + "\n", encoding="utf-8")
        yield from todo.sessions(call, Random(41))


def record_payments(out: Path) -> Iterator[tuple[str, list[Row]]]:
    """Yield the payments sessions; the API declares no tools."""
    with payments_server() as call:
        yield from payments.sessions(call, Random(43))


LOGS = {"todo": record_todo, "payments": record_payments}


def record(name: str, out: Path) -> list[Row]:
    """Return the records of one log; the first of a trace has the person's words."""
    rows = []
    for number, (said, calls) in enumerate(LOGS[name](out), start=1):
        for seq, call in enumerate(calls):
            head = {"trace_id": f"{name}-{number:03}", "seq": seq}
            rows.append(head | call | ({} if seq else {"user": said}))
    return rows


def main() -> None:
    """Record one log or both."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--log", choices=LOGS, help="record only this one")
    parser.add_argument("--out", type=Path, default=HERE, help="folder of the logs")
    asked = parser.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    for name in [asked.log] if asked.log else LOGS:
        rows = record(name, asked.out)
        lines = [json.dumps(r, ensure_ascii=False, separators=(",", ":")) + "\n" for r in rows]
        (asked.out / f"{name}.jsonl").write_text("".join(lines), encoding="utf-8")
        print(f"{name}: {len(lines)} calls")


if __name__ == "__main__":
    main()
