"""Readers on long logs and on one very long line: processor time and memory, for each format.

Run it by hand, on Linux: `python tests/benchmarks/bench_readers.py [--traces N] [--megabytes M]`.
Each case runs in a process of its own. The baseline is `json.loads` of its bytes, line by line.
"""

import argparse
import json
import multiprocessing
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from envwright.recipes.recipe import Disguise
from envwright.recipes.toolspace.readers import disguised, read_source

MIB = 2**20
CALLS = 9
POLICY = "Be kind, read before you write, and ask before you change anything. " * 60


class Measured(NamedTuple):
    """What one case took, in seconds of the processor: a shared machine has no others."""

    seconds: float
    peak: float
    """Most memory of the process, in MiB."""
    parsed: float
    """Of the baseline."""
    told: str


def row(rng: Random, number: int) -> dict[str, Any]:
    """A row of about 1 KB."""
    return {
        "order_id": f"#W{number:07}",
        "user_id": f"user_{rng.randrange(5_000)}",
        "email": f"person{rng.randrange(5_000)}@mail.org",
        "address": {"street": "443 Maple Drive", "city": "Malmö", "zip": f"{rng.randrange(99999)}"},
        "items": [
            {"name": f"Lamp {n}", "item_id": str(rng.randrange(10**10)), "price": 10.5 + n}
            for n in range(8)
        ],
        "status": rng.choice(["pending", "delivered", "cancelled"]),
    }


def episodes(count: int) -> Iterator[tuple[int, list[tuple[dict[str, Any], dict[str, Any]]]]]:
    """Yield episodes: a number, and calls with their results."""
    rng = Random(7)
    for number in range(count):
        rows = [row(rng, rng.randrange(10**6)) for _ in range(CALLS)]
        yield number, [({"order_id": each["order_id"]}, each) for each in rows]


def chat(count: int) -> Iterator[Any]:
    """Chat trajectories with a long policy, as deployed models leave them."""
    for number, calls in episodes(count):
        messages: list[Any] = [{"role": "system", "content": POLICY}]
        for place, (arguments, result) in enumerate(calls):
            asked = {"name": "get_order", "arguments": json.dumps(arguments)}
            messages += [
                {"role": "assistant", "tool_calls": [{"id": f"c{place}", "function": asked}]},
                {"role": "tool", "tool_call_id": f"c{place}", "content": json.dumps(result)},
            ]
        yield {"task_id": number, "messages": messages}


def records(count: int) -> Iterator[Any]:
    """Call records."""
    for number, calls in episodes(count):
        for seq, (arguments, result) in enumerate(calls):
            head = {"trace_id": number, "seq": seq, "tool": "get_order"}
            yield {**head, "args": arguments, "result": result}


def mcp(count: int) -> Iterator[Any]:
    """MCP sessions, one after the other, in a recorder's wrappers."""
    for number, calls in episodes(count):
        for place, (arguments, result) in enumerate(calls, start=1):
            params = {"name": "get_order", "arguments": arguments}
            content = [{"type": "text", "text": json.dumps(result)}]
            for body in (
                {"method": "tools/call", "params": params},
                {"result": {"content": content}},
            ):
                yield {"session_id": number, "message": {"jsonrpc": "2.0", "id": place, **body}}


def spans(count: int) -> Iterator[Any]:
    """OTLP exports of one span each."""
    for number, calls in episodes(count):
        for place, (arguments, result) in enumerate(calls):
            given = {
                "gen_ai.operation.name": "execute_tool",
                "gen_ai.tool.name": "get_order",
                "gen_ai.tool.call.arguments": json.dumps(arguments),
                "gen_ai.tool.call.result": json.dumps(result),
            }
            span = {
                "traceId": f"{number:032x}",
                "spanId": f"{number * 100 + place:016x}",
                "name": "execute_tool get_order",
                "startTimeUnixNano": str(1_700_000_000_000_000_000 + place),
                "attributes": [{"key": k, "value": {"stringValue": v}} for k, v in given.items()],
            }
            yield {"resourceSpans": [{"scopeSpans": [{"spans": [span]}]}]}


def one_line(megabytes: int) -> Iterator[Any]:
    """One trajectory, one result of which is very long."""
    rng = Random(7)
    rows, size = [], 0
    while size < megabytes * MIB:
        rows.append(row(rng, len(rows)))
        size += len(json.dumps(json.dumps(rows[-1])))
    asked = {"id": "c", "function": {"name": "list_orders", "arguments": "{}"}}
    yield {
        "messages": [
            {"role": "assistant", "tool_calls": [asked]},
            {"role": "tool", "tool_call_id": "c", "content": json.dumps(rows)},
        ]
    }


def write_lines(path: Path, values: Iterator[Any]) -> None:
    """Write JSON lines."""
    with path.open("w") as file:
        file.writelines(f"{json.dumps(value)}\n" for value in values)


def write_array(path: Path, values: Iterator[Any]) -> None:
    """Write one JSON array on one line."""
    with path.open("w") as file:
        file.write("[")
        for number, value in enumerate(values):
            file.write(f"{', ' if number else ''}{json.dumps(value)}")
        file.write("]\n")


def peak() -> float:
    """Most memory that this process has had, in MiB."""
    # Not ru_maxrss: a new process inherits it from its parent.
    status = Path("/proc/self/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) / 1024


def read(path: Path) -> Measured:
    """Read a log."""
    data = path.read_bytes()
    start = time.process_time()
    found = read_source(path.name, data)
    seconds = time.process_time() - start
    most = peak()
    start = time.process_time()
    for line in data.splitlines():
        json.loads(line)
    parsed = time.process_time() - start
    told = f"{found.records:,} traces, {found.calls:,} calls, {found.skipped} skipped"
    return Measured(seconds, most, parsed, told)


def hide(path: Path) -> Measured:
    """Disguise a log."""
    data = path.read_bytes()
    start = time.process_time()
    ((_, hidden),) = disguised([(path.name, data)], Disguise(("email", "zip"), b"key"))
    return Measured(time.process_time() - start, peak(), 0, f"{len(hidden) / MIB:.0f} MiB written")


def alone(work: Callable[[Path], Measured], path: Path) -> Measured:
    """Do it in a fresh process, so that its memory is its own."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(work, (path,))


def main() -> None:
    """Print a line for each case."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--traces", type=int, default=10_000)
    parser.add_argument("--megabytes", type=int, default=50)
    asked = parser.parse_args()
    few, many = asked.traces // 10, asked.traces
    cases: list[tuple[str, Callable[[Path], None], Callable[[Path], Measured]]] = [
        ("chat, lines, a tenth", lambda p: write_lines(p, chat(few)), read),
        ("chat, lines", lambda p: write_lines(p, chat(many)), read),
        ("chat, one array", lambda p: write_array(p, chat(many)), read),
        ("records, lines", lambda p: write_lines(p, records(many)), read),
        ("mcp, lines", lambda p: write_lines(p, mcp(many)), read),
        ("spans, lines", lambda p: write_lines(p, spans(many)), read),
        (
            f"a line of {asked.megabytes} MB",
            lambda p: write_lines(p, one_line(asked.megabytes)),
            read,
        ),
        ("disguise, chat, a tenth", lambda p: write_lines(p, chat(few)), hide),
    ]
    print(f"{'case':<24}{'MiB':>6}{'s':>8}{'MiB/s':>8}{'x json':>8}{'peak MiB':>10}{'x size':>8}")
    with TemporaryDirectory() as folder:
        for name, write, work in cases:
            path = Path(folder) / "log.jsonl"
            write(path)
            size = path.stat().st_size / MIB
            found = alone(work, path)
            ratio = f"{found.seconds / found.parsed:.1f}" if found.parsed else "-"
            print(
                f"{name:<24}{size:>6.0f}{found.seconds:>8.2f}{size / found.seconds:>8.0f}{ratio:>8}"
                f"{found.peak:>10.0f}{found.peak / size:>8.1f}  {found.told}",
                flush=True,
            )


if __name__ == "__main__":
    main()
