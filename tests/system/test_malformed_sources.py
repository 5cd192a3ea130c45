"""Sources that cannot be used: a message and exit code 2, never a traceback, never half a run."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from support.command_line import envwright
from support.runs import HELPDESK, HELPDESK_TOOLS

WHOLE = {
    "cut.json": b'[{"tool": "get_ticket", "args": {}, "result": 1',
    "latin.jsonl": '{"tool": "café"}\n'.encode("latin-1") * 3,
    "empty.json": b"",
    "blank.jsonl": b"\n \n",
    "text.json": b"not a log at all",
    "silent.jsonl": b'{"role": "user", "content": "hello"}\n' * 3,
    "number.json": b"7",
    "binary.json": bytes(range(256)),
}


def synth(*sources: Path, home: Path) -> Any:
    options = ["--recipe", "toolspace", "--count", 1, "-k", 1, "--workers", 1, "--seed", 7]
    return envwright("synth", *sources, *options, "--home", home, "--json")


@pytest.mark.parametrize("name", WHOLE)
@pytest.mark.parametrize("company", ["alone", "among good ones"])
def test_a_whole_file_that_cannot_be_used_is_named(name: str, company: str, tmp_path: Path) -> None:
    bad = tmp_path / name
    bad.write_bytes(WHOLE[name])
    good = [HELPDESK, HELPDESK_TOOLS] if company != "alone" else []
    result = synth(*good, bad, home=tmp_path / "home")
    assert result.exit_code == 2, result.stderr
    assert name in result.stderr
    assert "Traceback" not in result.stderr
    assert "run run-" not in result.stderr


def test_folders_and_missing_files_are_named_together(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    result = synth(HELPDESK, tmp_path / "folder", tmp_path / "missing.json", home=tmp_path / "home")
    assert result.exit_code == 2
    assert "folder is a folder" in result.stderr
    assert "missing.json" in result.stderr
    assert "Traceback" not in result.stderr


def test_a_bad_line_among_good_ones_is_a_skip_with_its_place(tmp_path: Path) -> None:
    log = tmp_path / "helpdesk.jsonl"
    lines = HELPDESK.read_text(encoding="utf-8").splitlines(keepends=True)
    lines[3:3] = ["{broken\n", '{"tool": \n']
    log.write_text("".join(lines), encoding="utf-8")
    shutil.copy(HELPDESK_TOOLS, tmp_path)
    home = tmp_path / "home"
    result = synth(log, tmp_path / HELPDESK_TOOLS.name, home=home)
    assert result.exit_code == 0, result.stderr
    told = envwright("events", "--type", "source.ingested", "--home", home)
    ingested = [json.loads(line)["data"] for line in told.stdout.splitlines()]
    [found] = [data for data in ingested if data["name"] == log.name]
    assert found["skipped"] == 2
    assert [skip["place"] for skip in found["skips"]] == [
        "helpdesk.jsonl: line 4",
        "helpdesk.jsonl: line 5",
    ]
